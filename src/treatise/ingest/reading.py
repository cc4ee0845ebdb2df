"""The result of a format's reader: blocks of text and the source's metadata."""

from dataclasses import dataclass, field

from treatise.core.document import ParagraphKind
from treatise.core.metadata import Metadata
from treatise.core.table import Table


@dataclass(frozen=True, slots=True)
class Block:
    """A future paragraph. The concatenated texts of a source's blocks are the document's text.

    Attributes:
        kind: Kind of paragraph.
        text: Its text with the white space that follows.
        level: Heading level, 1 for the top; 0 for other kinds.
        table: Positions of a table's cells, relative to the start of ``text``; see ``ingest.tables``.
        title: The section title if it differs from ``text`` (Markdown's ``## Results``).
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
class Stated:
    """What a source's metadata state, as they are written there.

    Attributes:
        authors: Each may name several.
        date: When the document was published.
        made: When the file was made or last changed.
        fields: Values of other keys.
    """

    authors: tuple[str, ...] = ()
    date: str = ""
    made: str = ""
    fields: Metadata = field(default_factory=dict)


_NOTHING = Stated()


@dataclass(frozen=True, slots=True)
class Reading:
    """A source after reading, before language detection and sentence splitting.

    Attributes:
        blocks: In reading order; together they contain every character of the document.
        format: A name from ``formats.FORMATS``.
        encoding: Encoding of the bytes; ``""`` for a binary format.
        title: The stated title; ``""`` if absent.
        language: The stated ISO 639-1 code; ``""`` if absent.
        page_starts: As in `Document`.
        notes: What was left out or repaired, one sentence each.
        stated: Authors and dates of the metadata.
    """

    blocks: list[Block]
    format: str
    encoding: str = ""
    title: str = ""
    language: str = ""
    page_starts: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    stated: Stated = _NOTHING
