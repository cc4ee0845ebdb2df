"""The first lines of a text set in two columns: those of an RFC, which name authors and date at the right, and that of
a manual page.
"""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.dates import last_date, without_dates
from treatise.ingest.reading import Block

_SERIES: Final = re.compile(
    r"[ \t]*(?:request for comments|rfc|internet[- ]draft|bcp|std)\b", re.IGNORECASE | re.MULTILINE
)
"""What stands at the left of the head of such a text."""
_RIGHT: Final = re.compile(r"(?:^|(?<=\S))(?:[ ]{3,}|\t+)(?P<right>\S+(?: \S+)*)[ \t]*$")
_INITIAL: Final = r"[^\W\d_a-z]\."
_AUTHOR: Final = re.compile(
    rf"(?P<name>{_INITIAL}(?:[ -]?{_INITIAL}){{0,3}} (?:(?:de[rn]?|van|von|la|le|di|da) ){{0,2}}[^\W\d_a-z][\w'’-]+)"
    r"(?:, [Ee]d(?:itor)?s?\.?)?"
)
_PAGE: Final = re.compile(
    r"(?P<name>[\w.:+-]+)\(\d\w{0,3}\)[ \t]{2,}(?:\S.*\S[ \t]{2,})?(?P=name)\(\d\w{0,3}\)", re.IGNORECASE
)
_MOST: Final = 30  # lines


def memo_head(blocks: Sequence[Block]) -> tuple[tuple[str, ...], str]:
    """The authors and the date of the head of an RFC or draft; nothing if the text begins otherwise.

    An author is written with initials ("A. Lee, Ed."), above the organisation; the date is below all of them.
    """
    head = "".join(block.text for block in blocks[:_MOST]).strip("\n").partition("\n\n")[0]
    if not _SERIES.search(head):
        return (), ""
    right = [found["right"] for line in head.splitlines()[:_MOST] if (found := _RIGHT.search(line))]
    dates = [one for one in right if last_date(one) and not without_dates(one).strip(" ,.")]
    names = [found["name"] for one in right if (found := _AUTHOR.fullmatch(one))]
    return (tuple(dict.fromkeys(names)), last_date(dates[0])) if len(dates) == 1 and names else ((), "")


def page_title(blocks: Sequence[Block]) -> str:
    """The name of a manual page, from its first line: ``abc(1)``; empty for other texts."""
    first = next((block.text for block in blocks if block.text.strip()), "")
    found = _PAGE.fullmatch(first.strip().partition("\n")[0].strip())
    return found["name"] if found else ""
