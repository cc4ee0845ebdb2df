"""Lines of texts; and of files and streams that strangers write, none of which is read without an end."""

import re
from collections.abc import Iterator
from typing import IO, Final

from treatise.core.errors import DataError

LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line with its end."""

FILLED_LINE: Final = re.compile(r"[^\n]*\S[^\n]*")
"""A line that is not blank, without its end."""

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
