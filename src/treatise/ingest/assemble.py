"""Assembles blocks into a `Document`: paragraphs, sections and sentences get their offsets here."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.metadata import Metadata
from treatise.ingest.lead_ins import with_lead_ins
from treatise.ingest.ongoing import reported
from treatise.ingest.reading import Block, Reading
from treatise.ingest.sentences import sentence_lengths
from treatise.ingest.tables import placed_tables, row_lengths

_MAX_TITLE_CHARS = 300
_MAX_RULE_CHARS = 200
_WORD = re.compile(r"[^\W_]|[^\s\x00-\u2bff]")  # a letter, a digit, or a standalone symbol such as an emoji


def assemble(reading: Reading, *, source: str, title: str, language: str, metadata: Metadata | None = None) -> Document:
    """The document of a reading; its text is the concatenation of the blocks' texts."""
    blocks = list(_with_text(reading.blocks))
    starts = list(accumulate((len(block.text) for block in blocks), initial=0))
    text = "".join(block.text for block in blocks)
    numbers = reported("find sentences", range(len(blocks)))
    paragraphs = [_paragraph(blocks[at], starts[at], language) for at in numbers]
    return Document(
        source=source,
        title=title,
        language=language,
        text=text,
        sections=_sections(blocks, starts),
        paragraphs=with_lead_ins(paragraphs, text),
        page_starts=reading.page_starts,
        tables=tuple(placed_tables(blocks, starts)),
        metadata=metadata or {},
    )


def _with_text(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, with blank blocks and rules merged into the previous block (at the start: into the first)."""
    held: Block | None = None
    blank = ""
    for block in blocks:
        if _says_nothing(block):
            blank += block.text
            continue
        if held:
            yield _replace_text(held, held.text + blank)
            held = block
        else:
            held = _replace_text(block, blank + block.text)
        blank = ""
    if held or blank:
        yield _replace_text(held or Block(ParagraphKind.PROSE, ""), (held.text if held else "") + blank)


def _says_nothing(block: Block) -> bool:
    """Whether the block is white space or a rule such as ``* * *`` or ``-----``."""
    return not _WORD.search(block.text) and (len(block.text) < _MAX_RULE_CHARS or block.text.isspace())


def _replace_text(block: Block, text: str) -> Block:
    if text == block.text:
        return block
    table = block.table and block.table.shifted(text.index(block.text))
    return replace(block, text=text, table=table)


def _paragraph(block: Block, start: int, language: str) -> Paragraph:
    if block.table:
        lengths = row_lengths(block.text, block.table)
    else:
        lengths = sentence_lengths(block.text, block.kind, language)
    ends = list(accumulate(lengths, initial=start))
    return Paragraph(start, ends[-1], block.kind, tuple(map(Span, ends, ends[1:])))


def _sections(blocks: list[Block], starts: list[int]) -> tuple[Section, ...]:
    sections = [
        Section(heading_title(block), block.level, start)
        for block, start in zip(blocks, starts, strict=False)
        if block.kind is ParagraphKind.HEADING
    ]
    if not sections or sections[0].start > 0:
        sections.insert(0, Section("", 0, 0))
    return tuple(sections)


def heading_title(block: Block) -> str:
    """The heading's text on one line, with single spaces."""
    title = block.text if block.title is None else block.title
    return " ".join(title.split())[:_MAX_TITLE_CHARS]
