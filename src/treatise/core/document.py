"""A document: its text, and the offsets of its sections, pages, paragraphs and sentences.

All offsets are characters of ``Document.text``, half-open.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate

from treatise.core.boxes import tail_length, within_box
from treatise.core.hyphens import unhyphenated
from treatise.core.lazy import Lazy
from treatise.core.lists import items_after, lead_of
from treatise.core.markup import blank_quote_marks
from treatise.core.metadata import Metadata
from treatise.core.table import Row, Table, row_text, table_within


@dataclass(frozen=True, slots=True)
class Span:
    """The characters ``[start, end)`` of a document's text; ``0 <= start <= end``."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, got [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start


class ParagraphKind(StrEnum):
    """The kind of a paragraph, if the source shows it."""

    PROSE = "prose"
    HEADING = "heading"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    VERSE = "verse"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text after it, up to the next heading of any level.

    Attributes:
        title: The heading without whitespace at its ends; ``""`` for text before the first heading.
        level: 1 for the top level; 0 only for text before the first heading.
        start: Offset of the heading's first character. The section ends where the next one begins.
    """

    title: str
    level: int
    start: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, including its whitespace.

    Attributes:
        start, end: Half-open offsets. Paragraphs tile the text: each begins where the one before ends.
        kind: Prose, heading, list, table, code or verse.
        sentences: They tile the paragraph too: the first begins at ``start``, the last ends at ``end``.
    """

    start: int
    end: int
    kind: ParagraphKind
    sentences: tuple[Span, ...]


class TiledParagraphs(Lazy[Paragraph]):
    """Paragraphs that are made from the lengths of their sentences when they are first wanted.

    Args:
        kinds: Of the paragraphs.
        lengths: Of the sentences of each, at least one.

    Attributes:
        kinds: Of the paragraphs.
        starts: Of the paragraphs, and where the last one ends.
        sentence_ends: Of the sentences of each paragraph.

    Raises:
        ValueError: If a paragraph has no sentence.
    """

    def __init__(self, kinds: Sequence[ParagraphKind], lengths: Sequence[Sequence[int]]) -> None:
        if not all(lengths):
            raise ValueError("a paragraph has no sentence")
        self.kinds: Sequence[ParagraphKind] = kinds
        self.starts: list[int] = list(accumulate(map(sum, lengths), initial=0))
        self.sentence_ends: list[list[int]] = [
            list(accumulate(of_one[1:], initial=start + of_one[0]))
            for start, of_one in zip(self.starts, lengths, strict=False)
        ]
        super().__init__(len(kinds), self._paragraph)

    def _paragraph(self, at: int) -> Paragraph:
        start, ends = self.starts[at], self.sentence_ends[at]
        return Paragraph(start, ends[-1], self.kinds[at], tuple(map(Span, (start, *ends), ends)))


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its sections, paragraphs, sentences, pages and tables.

    Attributes:
        source: Its origin: an absolute path, a URL, or ``"-"`` for standard input.
        title: The title stated by the source, else the first heading or the file name.
        language: ISO 639-1 code; ``"en"`` if it could not be detected.
        text: The whole text. For a plain-text source it is exactly the file's text.
        sections: In order of ``start``; the first starts at 0.
        paragraphs: They tile ``[0, len(text))``: every character is in exactly one.
        page_starts: Offset at which each page begins, ascending, the first 0; empty if there are no pages.
        tables: In text order; their rows are in paragraphs of kind ``TABLE``.
        metadata: What the source states: ``author`` (each a value), ``date`` (``YYYY-MM-DD`` or its beginning), and the
            other keys of its front matter.
        id: Twelve hexadecimal digits, a hash of text and structure: equal content has an equal id.

    Raises:
        ValueError: If paragraphs or sentences do not tile the text, or sections or pages are out of order.
    """

    source: str
    title: str
    language: str
    text: str
    sections: tuple[Section, ...]
    paragraphs: Sequence[Paragraph]
    page_starts: tuple[int, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: Metadata = field(default_factory=dict, compare=False)
    id: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        _check_tiling(self)
        for name, starts in (("sections", [s.start for s in self.sections]), ("pages", list(self.page_starts))):
            if starts and (starts[0] != 0 or starts[-1] > len(self.text) or starts != sorted(starts)):
                raise ValueError(f"{self.source}: {name} must start at 0 and ascend within the text")
        _check_tables(self)
        object.__setattr__(self, "id", _content_id(self))  # derived from the other fields

    def sentences(self) -> Iterator[Span]:
        """Every sentence in order, including the whitespace after it."""
        for paragraph in self.paragraphs:
            yield from paragraph.sentences

    def readable_sentences(self) -> list[list[Span]]:
        """The sentences of each paragraph, stripped of whitespace; empty ones are left out.

        They are the units of a discourse tree over sentences.
        """
        trimmed = ([trim(self.text, s) for s in paragraph.sentences] for paragraph in self.paragraphs)
        return [[span for span in spans if len(span)] for spans in trimmed]

    def quote(self, start: int, end: int) -> str:
        """The exact text of ``[start, end)``."""
        return self.text[start:end]

    def one_line(self, start: int, end: int) -> str:
        """The text of ``[start, end)`` for people: on one line, without the sides of a box that its lines run over and
        the marks of quoted lines, and with words whole that are broken at a line end.
        """
        return " ".join(self._mended(blank_quote_marks(self.text[start:end])).split())

    def self_contained(self, start: int, end: int) -> str:
        """The text of ``[start, end)`` for search: a table row, or whole cells of a long one, with caption, column
        heads and labels; an item with the sentence that introduces it; else a quotation without the sides of a box.
        """
        if found := self.row_at(start, end):
            return row_text(self.text, *found)
        lead = self.lead_in(start)
        text = self._mended(self.text[start:end])
        return f"{self._mended(self.text[lead.start : lead.end])} {text}" if lead else text

    def _mended(self, text: str) -> str:
        """A text of the document, of the same length, without the sides of a box and with broken words whole."""
        return unhyphenated(within_box(text), self.text)

    def row_at(self, start: int, end: int) -> tuple[Table, Row] | None:
        """The table and the row of ``[start, end)``, of a long row the cells within it; None for other text."""
        table = table_within(self.tables, start)
        row = (table.row_within(start, end) or table.piece_within(start, end)) if table else None
        return (table, row) if table and row else None

    def lead_in(self, start: int) -> Span | None:
        """The sentence that introduces the item of a list whose first sentence begins at ``start``; None for others."""
        at = self._paragraph_number(start)
        is_first = not self.text[self.paragraphs[at].start : start].strip()
        lead = lead_of(self.text, self.paragraphs, at) if is_first else None
        return trim(self.text, lead) if lead else None

    def items_after(self, start: int) -> list[Span]:
        """The items that the paragraph at ``start`` introduces, if it ends with a colon: each item's first sentence."""
        items = items_after(self.text, self.paragraphs, self._paragraph_number(start))
        return [trim(self.text, self.paragraphs[at].sentences[0]) for at in items]

    def has_table(self, paragraph: Paragraph) -> bool:
        """Whether the rows, column heads and cells of a table in this paragraph are known."""
        table = table_within(self.tables, paragraph.start)
        return table is not None and table.start < paragraph.end

    def is_table_head(self, start: int, end: int) -> bool:
        """Whether ``[start, end)`` is a row of column heads, which is meaningless without the rows below it."""
        table = table_within(self.tables, start)
        row = table.row_within(start, end) if table else None
        return table is not None and row is not None and not table.is_continued and row in table.heads

    def paragraph_at(self, offset: int) -> Paragraph:
        """The paragraph that contains a character of the text."""
        return self.paragraphs[self._paragraph_number(offset)]

    def paragraph_edges(self) -> Iterator[tuple[ParagraphKind, int, int]]:
        """Kind, start and end of every paragraph, for which no sentences are made."""
        if isinstance(tiled := self.paragraphs, TiledParagraphs):
            return zip(tiled.kinds, tiled.starts, tiled.starts[1:], strict=False)
        return ((one.kind, one.start, one.end) for one in self.paragraphs)

    def headings(self) -> tuple[list[int], list[int]]:
        """Where the paragraphs begin and end that are headings."""
        found = [(start, end) for kind, start, end in self.paragraph_edges() if kind is ParagraphKind.HEADING]
        return [start for start, _ in found], [end for _, end in found]

    def _paragraph_number(self, offset: int) -> int:
        if isinstance(self.paragraphs, TiledParagraphs):
            return min(bisect_right(self.paragraphs.starts, offset), len(self.paragraphs)) - 1
        return bisect_right(self.paragraphs, offset, key=lambda p: p.start) - 1

    def is_sentence_end(self, offset: int) -> bool:
        """Whether a sentence ends at this offset, ignoring whitespace at its end."""
        sentences = self.paragraph_at(max(0, offset - 1)).sentences
        return any(trim(self.text, sentence).end == offset for sentence in sentences)

    def page_at(self, offset: int) -> int | None:
        """The 1-based page that contains a character, or None if the source has no pages."""
        return bisect_right(self.page_starts, offset) or None

    def section_at(self, offset: int) -> Section:
        """The innermost section that contains a character."""
        return self.sections[bisect_right(self.sections, offset, key=lambda s: s.start) - 1]

    def section_path(self, offset: int) -> tuple[str, ...]:
        """Titles of the sections that contain a character, outermost first, without empty titles."""
        at = bisect_right(self.sections, offset, key=lambda s: s.start) - 1
        path, level = [], self.sections[at].level + 1
        for section in reversed(self.sections[: at + 1]):
            if section.level < level:
                path.append(section.title)
                level = section.level
            if level <= 1:
                break
        return tuple(title for title in reversed(path) if title)


def trim(text: str, span: Span) -> Span:
    """The span without whitespace at its ends and drawn lines after it; an empty span if it is all whitespace.

    >>> trim("a  b ", Span(1, 5))
    Span(start=3, end=4)
    """
    piece = text[span.start : span.end]
    body = piece[: len(piece) - tail_length(piece)].lstrip()
    start = span.start + (len(piece) - len(piece.lstrip()) if body else 0)
    return Span(start, start + len(body))


def _content_id(document: Document) -> str:
    """Twelve hexadecimal digits of a hash over title, text, sections, paragraphs, sentences and pages."""
    digest = hashlib.sha256()
    digest.update(f"{document.title}\0{document.language}\0".encode("utf-8", "surrogatepass"))
    digest.update(document.text.encode("utf-8", "surrogatepass"))
    for section in document.sections:
        digest.update(f"\0s{section.level},{section.start}".encode())
    paragraphs = (f"\0p{kind}:{','.join(map(str, ends))}" for kind, ends in _sentence_ends(document.paragraphs))
    digest.update("".join(paragraphs).encode())
    digest.update(f"\0g{document.page_starts}".encode())
    for table in document.tables:
        digest.update(f"\0t{table.n_labels},{table.caption},{table.is_continued},{len(table.heads)}".encode())
        for row in table.own_rows:
            digest.update(f"\0r{_described(row)}".encode())
    return digest.hexdigest()[:12]


def _sentence_ends(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[ParagraphKind, Sequence[int]]]:
    if isinstance(paragraphs, TiledParagraphs):
        yield from zip(paragraphs.kinds, paragraphs.sentence_ends, strict=True)
        return
    for paragraph in paragraphs:
        yield paragraph.kind, [sentence.end for sentence in paragraph.sentences]


def _described(row: Row) -> str:
    """The row as older versions wrote it, so that stored documents keep their ids; then the cells from above."""
    above = f"{row.above}" if row.above else ""
    return f"Row(cells={row.cells}, parent={row.parent}){above}"


def _check_tables(document: Document) -> None:
    at = 0
    for table in document.tables:
        if table.start < at or table.end > len(document.text):
            raise ValueError(f"{document.source}: tables must stand in order within the text; one is at {table.start}")
        at = table.end


def _check_tiling(document: Document) -> None:
    at = 0
    of_objects: Sequence[Paragraph] = document.paragraphs
    if isinstance(document.paragraphs, TiledParagraphs):  # they tile by construction
        of_objects, at = (), document.paragraphs.starts[-1]
    for paragraph in of_objects:
        if paragraph.start != at or not paragraph.sentences:
            raise ValueError(
                f"{document.source}: paragraphs must tile the text; one starts at {paragraph.start}, not {at}"
            )
        for sentence in paragraph.sentences:
            if sentence.start != at:
                raise ValueError(f"{document.source}: sentences must tile; one starts at {sentence.start}, not {at}")
            at = sentence.end
        if at != paragraph.end:
            raise ValueError(f"{document.source}: the sentences end at {at}, their paragraph at {paragraph.end}")
    if at != len(document.text):
        raise ValueError(f"{document.source}: paragraphs cover {at} of {len(document.text)} characters")
