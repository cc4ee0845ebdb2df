"""Lists of the options of a command, or of its exit codes, one per line, as manual pages and help texts have them."""

import re
from collections.abc import Iterator
from typing import Final

_MIN_OPTIONS: Final = 3
_MIN_SHARE: Final = 0.5  # of the lines with words
_OPTION: Final = re.compile(
    r"[ \t]*(?:--?[^\W\d_][\w-]*(?:[ =,/|]\S*)*(?:[ \t]{2,}|\t|[ \t]*$)|"
    r"\d{1,5}(?:[ \t]{2,}|\t|[ \t][–—-]?[ \t]*)(?=[^\W\d_]))"
)


def is_option_list(text: str) -> bool:
    """Whether a paragraph lists the options of a command, one per line: "-q, --quiet   print nothing"; or its codes.

    >>> is_option_list("-a   all\\n-q, --quiet   print\\n     nothing\\n-v   more\\n"), is_option_list("-a is all.\\n")
    (True, False)
    """
    lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
    n_options = sum(_OPTION.match(line) is not None for line in lines)
    return n_options >= max(_MIN_OPTIONS, _MIN_SHARE * len(lines)) or n_options == len(lines) > 1


def option_lines(text: str) -> Iterator[str]:
    """The options of such a list, each with the lines after it that begin with none; together they are the text."""
    held = ""
    for line in text.splitlines(keepends=True):
        if held and _OPTION.match(line):
            yield held
            held = ""
        held += line
    yield held
