"""Splits plain text into blocks: paragraphs by blank lines, indents or line ends, whichever the text uses.

Nothing is moved or removed: the concatenated blocks are the file's text verbatim.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TypeVar

from treatise.core.boxes import without_boxes
from treatise.core.document import ParagraphKind
from treatise.core.lines import LINE
from treatise.core.lists import mark_shape
from treatise.ingest.aligned_tables import aligned_table
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.markdown import read_markdown_file
from treatise.ingest.plain_headings import Heading, find_headings
from treatise.ingest.reading import Block, Reading

T = TypeVar("T")

_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪])\s+\S")
_NUMBERED = re.compile(r"\s*\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,5})[.)]\s+\S")
_LETTERED = re.compile(r"\s*\(?([A-Z])[.)]\s+\S")
_INDENT = re.compile(r"[ \t\xa0\u3000]*")
_STAMP = r"\[?\d[\d:./-]+(?:,? \d[\d:.]+(?: ?[APap]\.?[Mm]\b\.?)?)?\]?(?: [-–])?\s*"  # as exports of chats have it
_SPEAKER = re.compile(rf"\s*(?:{_STAMP})?[^\W\d_a-z][^:：.!?\n]{{0,40}}[:：]\s*\S")
_DASH = re.compile(r"\s*[—–―]\s*\S")  # a speaker turn in French, Spanish, Russian
_SENTENCE_END = re.compile(r"[.!?…。！？؟।][\"'”’»」』)\]]*\s*\Z")
_MAX_WRAPPED = 130  # wider lines are not hard-wrapped
_MAX_VERSE = 65
_MARKED_HEADING = re.compile(r"(?:\A|\n[ \t]*\r?\n)#{1,6} [^\s#][^\n]{0,120}(?=\n|\Z)")
_MARKED_LINK = re.compile(r"\[[^\[\]\n]{1,200}\]\([^\s)]{1,500}\)")
_MARKED_ITEM = re.compile(r"^[*-] \S", re.MULTILINE)
_SETTING = re.compile(r"^#?\s?[\w.-]+\s*=", re.MULTILINE)
_MIN_MARKED = 3
_MAX_TERM = 60  # characters of a line over what is said of it
_MAX_PARAGRAPH_LINES = 15  # in longer runs paragraphs have no blank lines between them, so line ends separate them


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent non-blank lines, and the blank lines that follow."""

    lines: list[str]
    blank: str

    @property
    def text(self) -> str:
        """The lines and the blank lines after them, verbatim."""
        return "".join(self.lines) + self.blank


@dataclass(frozen=True, slots=True)
class Shape:
    """Layout of a whole text.

    Attributes:
        width: Wrapping width of lines; 0 if each line is a whole paragraph.
    """

    width: int


def read_text(data: bytes, name: str, limits: Limits) -> Reading:
    """Reads a plain-text file; one that is marked up as Markdown is read so.

    Raises:
        SourceError: Binary data, or broken characters.
    """
    decoded = decode(data, name)
    if _is_markdown(decoded.text):
        return read_markdown_file(data, name, limits)
    return Reading(read_plain_text(decoded.text), "text", decoded.encoding)


def _is_markdown(text: str) -> bool:
    """Whether a text has headings of Markdown, and links or items besides; comments of settings have neither."""
    n_settings = len(_SETTING.findall(text))
    n_headings = len(_MARKED_HEADING.findall(text))
    is_marked = len(_MARKED_LINK.findall(text)) >= _MIN_MARKED or len(_MARKED_ITEM.findall(text)) >= _MIN_MARKED
    return n_headings >= max(_MIN_MARKED, n_settings + 1) and is_marked


def read_plain_text(text: str) -> list[Block]:
    """Blocks of a plain text, boxes read as what they hold; headings only on strong evidence (see `find_headings`)."""
    seen = without_boxes(text)
    blocks = _seen_blocks(seen)
    return blocks if seen == text else _verbatim(blocks, text)


def _verbatim(blocks: list[Block], text: str) -> list[Block]:
    """The blocks with their original text; the side of a box before a block's first word ends the block before it."""
    ends = list(accumulate(len(block.text) for block in blocks))
    starts = [0, *(_after_side(block, text, end) for block, end in zip(blocks[1:], ends, strict=False)), len(text)]
    return [replace(block, text=text[a:b], table=None) for block, (a, b) in zip(blocks, pairwise(starts), strict=True)]


def prose_blocks(lines: list[str]) -> Iterator[Block]:
    """The lines between the blocks of another format, read as plain text without headings: the format marks its own."""
    for block in read_plain_text("".join(lines)) if lines else ():
        yield Block(ParagraphKind.PROSE, block.text) if block.level else block


def _after_side(block: Block, text: str, start: int) -> int:
    """Where a block begins, after the side of a box before its first word."""
    first = start + len(block.text) - len(block.text.lstrip())
    return first if text[start:first].strip() else start


def _seen_blocks(text: str) -> list[Block]:
    runs = list(_runs(text))
    shape = _shape(runs)
    headings = find_headings([run.lines for run in runs])
    blocks: list[Block] = []
    for at, run in enumerate(runs):
        blocks += _with_heading(run, headings[at], shape) if at in headings else _blocks(run, shape)
    return _with_lettered(blocks)


def _with_lettered(blocks: list[Block]) -> list[Block]:
    """The blocks, with paragraphs that begin "A. …", "B. …", "C. …" in turn as items; a lone "A. Smith" is none."""
    made = list(blocks)
    chain: list[int] = []
    for at, block in enumerate([*blocks, Block(ParagraphKind.PROSE, "")]):
        found = _LETTERED.match(block.text) if block.kind is ParagraphKind.PROSE else None
        if found and ord(found[1]) - ord("A") == len(chain):
            chain.append(at)
            continue
        if len(chain) > 2:
            made[chain[0] : chain[-1] + 1] = [replace(blocks[i], kind=ParagraphKind.LIST) for i in chain]
        chain = []
    return made


def _runs(text: str) -> Iterator[Run]:
    lines: list[str] = []
    blank: list[str] = []
    for match in LINE.finditer(text):
        line = match.group()
        if line.isspace():
            blank.append(line)
            continue
        if blank:
            yield Run(lines, "".join(blank))
            lines, blank = [], []
        lines.append(line)
    if lines or blank:
        yield Run(lines, "".join(blank))


def _shape(runs: list[Run]) -> Shape:
    lengths = sorted(len(line.rstrip()) for run in runs for line in run.lines)
    if not lengths:
        return Shape(0)
    width = lengths[min(len(lengths) - 1, len(lengths) * 98 // 100)]
    return Shape(width if width <= _MAX_WRAPPED else 0)


def _with_heading(run: Run, heading: Heading, shape: Shape) -> list[Block]:
    lines = run.lines[: heading.n_lines]
    rest = Run(run.lines[heading.n_lines :], run.blank)
    text = "".join(lines) if rest.lines else run.text
    block = Block(ParagraphKind.HEADING, text, heading.level, heading.title)
    return [block, *_blocks(rest, shape)] if rest.lines else [block]


def _blocks(run: Run, shape: Shape) -> list[Block]:
    """The paragraphs of one run: the first interpretation that fits its lines."""
    lines = run.lines
    if len(lines) < 2:
        is_item = lines and (_BULLET.match(lines[0]) or _NUMBERED.match(lines[0]))
        return [Block(ParagraphKind.LIST if is_item else ParagraphKind.PROSE, run.text)]
    if table := aligned_table(run.text):
        return [Block(ParagraphKind.TABLE, run.text, table=table)]
    if _is_table(lines):
        return [Block(ParagraphKind.TABLE, run.text)]
    if not shape.width or max(map(len, lines)) > 2 * shape.width:
        return _line_by_line(run)
    if _list_starts(lines):
        return _list_items(run)
    if _is_term_over_text(lines):
        return [Block(ParagraphKind.PROSE, run.text)]
    for starts in (_speaker_starts(lines), _indent_starts(lines)):
        if starts:
            return _split(run, starts, ParagraphKind.PROSE)
    return _by_line_ends(run, shape)


def _line_by_line(run: Run) -> list[Block]:
    """One paragraph per line, as word processors write them."""
    blocks = _split(run, range(1, len(run.lines)), ParagraphKind.PROSE)
    return [
        Block(ParagraphKind.LIST, block.text) if _BULLET.match(block.text) or _NUMBERED.match(block.text) else block
        for block in blocks
    ]


def _by_line_ends(run: Run, shape: Shape) -> list[Block]:
    lines = run.lines
    if _is_capitalised(lines) or not _is_wrapped(lines, shape.width):
        if _share(lines, lambda line: _SENTENCE_END.search(line) is not None) >= 0.7:
            return _split(run, range(1, len(lines)), ParagraphKind.PROSE)
        if max(len(line.rstrip()) for line in lines) <= _MAX_VERSE:
            return [Block(ParagraphKind.VERSE, run.text)]
    if len(lines) > _MAX_PARAGRAPH_LINES:
        return _split(run, _early_ends(lines, shape.width), ParagraphKind.PROSE)
    return [Block(ParagraphKind.PROSE, run.text)]


def _split(run: Run, starts: Iterable[int], kind: ParagraphKind) -> list[Block]:
    """Splits a run into blocks at its first line and at the lines in `starts`."""
    cuts = sorted({0, *starts, len(run.lines)})
    texts = ["".join(run.lines[a:b]) for a, b in pairwise(cuts)]
    texts[-1] += run.blank
    return [Block(kind, text) for text in texts]


def _is_table(lines: list[str]) -> bool:
    """Whether all lines have the same number of tabs or bars."""
    return any(
        (n_cells := lines[0].strip().count(mark)) and all(line.strip().count(mark) == n_cells for line in lines)
        for mark in ("\t", "|")
    )


def _list_starts(lines: list[str]) -> list[int]:
    """Lines that begin a list item; numbers count only if a list visibly begins."""
    starts = [at for at, line in enumerate(lines) if _BULLET.match(line)]
    if not starts:
        starts = [at for at, line in enumerate(lines) if _NUMBERED.match(line) and not _is_wrapped_number(lines, at)]
    if not starts or (starts[0] > 0 and not lines[starts[0] - 1].rstrip().endswith((":", "："))):
        return []
    return starts if len(starts) > 1 or starts[0] == 0 else []


def _is_wrapped_number(lines: list[str], at: int) -> bool:
    """Whether the number that begins a line belongs to the line before: "… of section⏎ 7. This …"."""
    return at > 0 and lines[at - 1].rstrip()[-1:].isalnum() and mark_shape(lines[at]) != mark_shape(lines[0])


def _list_items(run: Run) -> list[Block]:
    starts = _list_starts(run.lines)
    blocks = _split(run, starts, ParagraphKind.LIST)
    if starts[0] > 0:
        blocks[0] = Block(ParagraphKind.PROSE, blocks[0].text)
    return blocks


def _speaker_starts(lines: list[str]) -> list[int]:
    """Lines that begin a speaker turn, ``Name: …`` or a dash, if frequent as in a transcript."""
    for mark in (_SPEAKER, _DASH):
        starts = [at for at, line in enumerate(lines) if mark.match(line)]
        if len(starts) >= 2 and starts[0] == 0 and len(starts) >= 0.2 * len(lines):
            return starts
    return []


def _indent_starts(lines: list[str]) -> list[int]:
    """First lines of paragraphs, marked by an indent or a hanging indent."""
    depths = [_depth(line) for line in lines]
    least = min(depths)
    deeper = [at for at, depth in enumerate(depths) if depth > least]
    if not deeper or deeper == [0]:
        return []
    flush = [at for at, depth in enumerate(depths) if depth == least]
    return deeper if len(deeper) <= len(lines) / 2 else flush


def _is_term_over_text(lines: list[str]) -> bool:
    """Whether a short line stands over text that is all deeper: an option of a command, a term of a glossary."""
    first, depth = lines[0].strip(), _depth(lines[0])
    is_short = len(first) <= _MAX_TERM and not _SENTENCE_END.search(first)
    return is_short and depth > 0 and min(map(_depth, lines[1:])) > depth


def _depth(line: str) -> int:
    """Leading white space in columns; an ideographic space takes two."""
    indent = _INDENT.match(line.replace("\t", "    "))
    return sum(1 + (c == "\u3000") for c in indent.group()) if indent else 0


def _is_wrapped(lines: list[str], width: int) -> bool:
    """Whether each line ends where the next word would not have fitted."""
    return _share(list(pairwise(lines)), lambda pair: not _has_room(*pair, 0.85 * width)) >= 0.6


def _has_room(line: str, after: str, width: float) -> bool:
    words = after.split(maxsplit=1)
    word = words[0] if words and words[0].isascii() else after[:1]  # Chinese lines may break after any character
    return len(line.rstrip()) + 1 + len(word) < width


def _is_capitalised(lines: list[str]) -> bool:
    """Whether each line begins with a capital letter, as in verse."""
    firsts = [line.lstrip(" \t\"'“‘«(")[:1] for line in lines]
    short = max(len(line.rstrip()) for line in lines) <= _MAX_VERSE
    return short and len(lines) >= 3 and _share(firsts, str.isupper) >= 0.8


def _early_ends(lines: list[str], width: int) -> list[int]:
    """Lines after a short line that ends a sentence; without blank lines, paragraphs begin there."""
    return [
        at
        for at, (line, after) in enumerate(pairwise(lines), start=1)
        if _SENTENCE_END.search(line) and _has_room(line, after, 0.95 * width)
    ]


def _share(items: list[T], holds: Callable[[T], bool]) -> float:
    return sum(map(holds, items)) / max(len(items), 1)
