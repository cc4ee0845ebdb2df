"""What a reader of one format hands over: blocks of text, and what the source says of itself."""

from dataclasses import dataclass

from treatise.core.document import ParagraphKind
from treatise.core.table import Table


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph-to-be. The texts of a source's blocks, one after the other, are the document's text.

    Attributes:
        kind: What the block is.
        text: Its characters with the white space that follows them.
        level: Depth of a heading, 1 for the top; 0 for every other kind.
        table: Where the cells of a table stand, counted from the first character of ``text``; see ``ingest.tables``.
        title: What a heading calls its section where that is not ``text`` (Markdown's ``## Results``).
    """

    kind: ParagraphKind
    text: str
    level: int = 0
    title: str | None = None
    table: Table | None = None

    def __post_init__(self) -> None:
        if (self.kind is ParagraphKind.HEADING) != (self.level > 0):
            raise ValueError(f"a heading has a level of 1 or more and nothing else has: {self.kind}, {self.level}")


@dataclass(frozen=True, slots=True)
class Reading:
    """A source as its reader understood it, before its language and its sentences are known.

    Attributes:
        blocks: In reading order; together they hold every character of the document.
        format: A name out of ``formats.FORMATS``.
        encoding: How the bytes were decoded; ``""`` for a binary format.
        title: The title that the source states; ``""`` if it states none.
        language: The ISO 639-1 code that the source states; ``""`` if it states none.
        page_starts: As in `Document`.
        notes: What was left out or mended, a sentence each.
    """

    blocks: list[Block]
    format: str
    encoding: str = ""
    title: str = ""
    language: str = ""
    page_starts: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
