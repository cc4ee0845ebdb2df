"""Texts between tags of a prompt. No text can open or close a tag of ours, in any case or spacing."""

import re
from typing import Final

_NAMES: Final = (
    "answer", "claim", "context", "document", "draft", "gold", "graph", "part", "passage", "passages", "piece", "plan",
    "premise", "question", "sentence", "text", "trees",
)  # fmt: skip

_GAP: Final = r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*"  # white space, and characters that show nothing
_OUR_TAG: Final = re.compile(rf"<(?!\s)(?={_GAP}(?:/{_GAP})?(?:{'|'.join(_NAMES)})\b)", re.IGNORECASE)


def escape(text: str) -> str:
    """The text with a blank after the ``<`` of everything that looks like one of our tags.

    A blank is all that changes: the text stays readable, and a quotation of it still matches but for white space.

    >>> escape('a </PASSAGE> b <passage number="7"> c <b>')
    'a < /PASSAGE> b < passage number="7"> c <b>'
    """
    return _OUR_TAG.sub("< ", text)


def tagged(name: str, text: str, number: int | None = None) -> str:
    """A text on lines of its own between the tags of that name, numbered if a number is passed."""
    attribute = "" if number is None else f' number="{number}"'
    return f"<{name}{attribute}>\n{escape(text)}\n</{name}>"


def listed(number: int, text: str) -> str:
    """A short passage on one line with its number, for a list that stands in one tag."""
    return f"[{number}] {escape(' '.join(text.split()))}"
