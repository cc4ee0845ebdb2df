"""Nested documents: message attachments and archive members."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from treatise.core.errors import SourceError
from treatise.ingest.formats import format_by_name, format_of
from treatise.ingest.limits import Allowance, Limits
from treatise.ingest.reading import Block, Reading
from treatise.ingest.writer import BlockWriter

_MAX_NOTES = 8
_NESTED_SHARE = 16  # share of the outer archive's unpacking limit that a nested archive gets


@dataclass(slots=True)
class NestedReader:
    """Reads the documents nested in a source into its blocks.

    Attributes:
        name: The source, for messages.
        limits: Limits of the source; nested documents have tighter ones.
        unread: What was left out and why, one sentence each.
        n_read: Number of documents read.
        allowance: Unpacking budget shared by nested archives, unless the source is nested itself.
    """

    name: str
    limits: Limits
    unread: list[str] = field(default_factory=list)
    n_read: int = 0
    allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        self.allowance = Allowance(self.limits.max_unpacked_bytes)

    def read_into(self, writer: BlockWriter, data: bytes, member: str, level: int) -> None:
        """Adds a document under a heading with its name; an unreadable one is left out and noted.

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
        """Records why a document is left out."""
        self.unread.append(f"left out {str(error).removeprefix(f'{self.name}: ')}")

    def notes(self) -> tuple[str, ...]:
        """What was left out and why; only the first few of many."""
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
    """Whether the file name's format can be read."""
    return format_by_name(name) is not None


def below(blocks: Sequence[Block], level: int) -> Iterator[Block]:
    """The blocks, with headings moved below ``level``; the last one ends with a blank line."""
    for at, block in enumerate(blocks, start=1):
        text = block.text.rstrip("\r\n") + "\n\n" if at == len(blocks) else block.text
        yield replace(block, text=text, level=block.level + level if block.level else 0)
