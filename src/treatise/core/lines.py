"""Lines of files and streams that strangers write: none is read without an end."""

from collections.abc import Iterator
from typing import IO, Final

from treatise.core.errors import DataError

MAX_LINE_CHARS: Final = 64 * 2**20
"""Characters of a line; a text of ten million words has as many."""


def bounded_lines(stream: IO[str], name: str, max_chars: int = MAX_LINE_CHARS) -> Iterator[str]:
    """The lines of a text stream.

    Raises:
        DataError: If a line is longer than the limit; it is not read further.
    """
    number = 0
    while line := stream.readline(max_chars + 1):
        number += 1
        if len(line) > max_chars:
            raise DataError(f"{name}: line {number} has more than {max_chars:,} characters: is it a file of lines?")
        yield line
