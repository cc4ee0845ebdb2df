"""Blocks of formats whose text a reader composes, bounded in size."""

from collections.abc import Iterable

from treatise.core.document import ParagraphKind
from treatise.core.errors import SourceTooLargeError
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block


class BlockWriter:
    """Collects blocks in reading order; each ends with a blank line.

    Args:
        name: What messages call the source.
        limits: How much text may be composed: a small file may repeat a large part many times.

    Attributes:
        blocks: The blocks so far.
        n_chars: Characters of the blocks so far: where the next one begins.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self.blocks: list[Block] = []
        self.n_chars = 0
        self._name = name
        self._limits = limits

    def add(self, kind: ParagraphKind, text: str) -> None:
        """A block that is no heading; nothing if the text is blank.

        Raises:
            SourceTooLargeError: The text is longer than the limits allow.
        """
        if text.strip():
            self.extend([Block(kind, text.strip("\r\n") + "\n\n")])

    def heading(self, text: str, level: int) -> None:
        """A heading on one line; nothing if the text is blank.

        Raises:
            SourceTooLargeError: As `add`.
        """
        if words := " ".join(text.split()):
            self.extend([Block(ParagraphKind.HEADING, words + "\n\n", level)])

    def extend(self, blocks: Iterable[Block]) -> None:
        """Blocks as another reader left them.

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
