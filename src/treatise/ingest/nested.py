"""Documents in documents: attachments of messages, members of archives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from treatise.core.errors import SourceError
from treatise.ingest.formats import format_by_suffix, format_of
from treatise.ingest.limits import Allowance, Limits
from treatise.ingest.reading import Block, Reading
from treatise.ingest.writer import BlockWriter

_MAX_NOTES = 8
_NESTED_SHARE = 16  # an archive in an archive may unpack to this part of what the outer one may


@dataclass(slots=True)
class NestedReader:
    """Reads documents within one source into its blocks.

    Attributes:
        name: The source, for messages.
        limits: Of the source; those of the documents in it are tighter.
        unread: What was left out, and why, a sentence each.
        n_read: Documents that were read.
        allowance: What the archives among them may unpack to together, unless the source lies in another one.
    """

    name: str
    limits: Limits
    unread: list[str] = field(default_factory=list)
    n_read: int = 0
    allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self.allowance = Allowance(self.limits.max_unpacked_bytes)

    def read_into(self, writer: BlockWriter, data: bytes, member: str, level: int) -> None:
        """A document under a heading with its name; one that cannot be read is left out and noted.

        Raises:
            SourceTooLargeError: The documents together hold more text than the limits allow.
        """
        try:
            reading = self._read(data, member)
        except SourceError as error:
            self.leave_out(error)
            return
        self.n_read += 1
        self.unread += [f"{member}: {note}" for note in reading.notes]
        writer.heading(member, level)
        writer.extend(below(reading.blocks, level))

    def leave_out(self, error: SourceError) -> None:
        """Notes why a document is left out."""
        self.unread.append(f"left out {str(error).removeprefix(f'{self.name}: ')}")

    def notes(self) -> tuple[str, ...]:
        """What was left out, and why, the first few of many."""
        n_more = len(self.unread) - _MAX_NOTES
        more = (f"left out {n_more:,} more parts",) if n_more > 0 else ()
        return (*self.unread[:_MAX_NOTES], *more)

    def _read(self, data: bytes, member: str) -> Reading:
        name = f"{self.name}: {member}"
        if not self.limits.max_depth:
            raise SourceError(f"{name}: too many documents within each other; unpack it, and name the files in it")
        limits = replace(
            self.limits,
            max_depth=self.limits.max_depth - 1,
            max_unpacked_bytes=self.limits.max_unpacked_bytes // _NESTED_SHARE,
            allowance=self.limits.allowance or self.allowance,
        )
        return format_of(data, name).read(data, name, limits)


def is_document(name: str) -> bool:
    """Whether a file of that name has a format that can be read."""
    return format_by_suffix(name) is not None


def below(blocks: Sequence[Block], level: int) -> Iterator[Block]:
    """The blocks with their headings under a heading of a level; the last one ends with a blank line."""
    for at, block in enumerate(blocks, start=1):
        text = block.text.rstrip("\r\n") + "\n\n" if at == len(blocks) else block.text
        yield Block(block.kind, text, block.level + level if block.level else 0, block.title)
