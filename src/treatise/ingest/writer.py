"""Collects blocks for formats whose text is composed by the reader, within a size limit."""

from collections.abc import Iterable

from treatise.core.document import ParagraphKind
from treatise.core.errors import SourceTooLargeError
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block


class BlockWriter:
    """Collects blocks in reading order; each ends with a blank line.

    Args:
        name: Name of the source in messages.
        limits: Bounds on the composed text: a small file can repeat a large part many times.

    Attributes:
        blocks: The blocks so far.
        n_chars: Number of characters so far: the offset of the next block.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self.blocks: list[Block] = []
        self.n_chars: int = 0
        self._name = name
        self._limits = limits

    def add(self, kind: ParagraphKind, text: str) -> None:
        """Adds a block other than a heading; blank text is skipped.

        Raises:
            SourceTooLargeError: The text is longer than the limits allow.
        """
        if text.strip():
            self.extend([Block(kind, text.strip("\r\n") + "\n\n")])

    def heading(self, text: str, level: int) -> None:
        """Adds a heading on one line; blank text is skipped.

        Raises:
            SourceTooLargeError: As `add`.
        """
        if words := " ".join(text.split()):
            self.extend([Block(ParagraphKind.HEADING, words + "\n\n", level)])

    def extend(self, blocks: Iterable[Block]) -> None:
        """Adds blocks from another reader unchanged.

        Raises:
            SourceTooLargeError: As `add`.
        """
        for block in blocks:
            self.n_chars += len(block.text)
            if self.n_chars > self._limits.max_text_chars:
                raise SourceTooLargeError(
                    f"{self._name}: more than {self._limits.max_text_chars:,} characters of text; a small file that "
                    "holds so much may be built to do harm; if you trust it, split it, or raise Limits.max_text_chars"
                )
            self.blocks.append(block)
