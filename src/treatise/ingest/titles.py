"""Checks stated titles: programs often write file names and numbers there."""

import re
from typing import Final

_SENSELESS: Final = re.compile(
    r"(?:untitled|unbenannt|sans titre|document|dokument|presentation|präsentation|slide|folie|sheet|tabelle|feuil|"
    r"book|workbook|mappe|new document|title|powerpoint[ -]pr[eä]sentation)[\s_-]*\d*"
    r"|microsoft (?:word|powerpoint|excel)\b.*"
    r"|\S+\.(?:docx?|odt|rtf|pptx?|xlsx?|ods|tex|dvi|indd|pdf|html?|txt|md|qxd|fm)"
    r"|[\W\d_]+"  # an accession number, a date, a row of dashes
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}",
    re.IGNORECASE,
)
_MIN_CHARS: Final = 2
_MARKS: Final = re.compile(r"^[\s∗*†‡]+|[\s∗*†‡§¶¹²³]+$")


def is_sensible_title(title: str) -> bool:
    """Whether the text is plausible as a title, and not a file name, number or placeholder.

    >>> is_sensible_title("0000796343-15-000022"), is_sensible_title("On Tea")
    (False, True)
    """
    return len(title) >= _MIN_CHARS and _SENSELESS.fullmatch(title) is None


def without_marks(title: str) -> str:
    """The title without the marks of footnotes at its ends."""
    return _MARKS.sub("", title)
