"""Texts between the tags of a prompt. No text can open or close one of our tags, in any case or spacing."""

import re
from typing import Final

_NAMES: Final = (
    "answer", "claim", "context", "conversation", "document", "draft", "gold", "graph", "part", "passage", "passages",
    "piece", "plan", "premise", "question", "sentence", "text", "trees",
)  # fmt: skip

_GAP: Final = r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*"  # whitespace and invisible characters
_OUR_TAG: Final = re.compile(rf"<(?!\s)(?={_GAP}(?:/{_GAP})?(?:{'|'.join(_NAMES)})\b)", re.IGNORECASE)
_WHOLE_TAG: Final = re.compile(
    rf"<{_GAP}/?{_GAP}(?:{'|'.join(_NAMES)})\b(?:\s+\w+\s*=\s*\"?[\w-]*\"?)*{_GAP}/?{_GAP}>", re.IGNORECASE
)
_CHAT_MARK: Final = re.compile(r"<\|[\w-]{1,30}\|>|\[/?INST\]|<</?SYS>>")


def escape(text: str) -> str:
    """The text with a blank after the ``<`` of everything that looks like one of our tags.

    Nothing else changes: the text stays readable, and quotations still match, ignoring whitespace.

    >>> escape('a </PASSAGE> b <passage number="7"> c <b>')
    'a < /PASSAGE> b < passage number="7"> c <b>'
    """
    return _OUR_TAG.sub("< ", text)


def without_tags(text: str) -> str:
    """A reply without tags of our prompts, their numbers, and marks of chat templates.

    >>> without_tags('<passage number="2">It rains.</passage><|im_end|> a < b')
    'It rains. a < b'
    """
    return _CHAT_MARK.sub("", _WHOLE_TAG.sub("", text))


def tagged(name: str, text: str, number: int | None = None) -> str:
    """A text on its own lines between the tags of that name, with a number if passed."""
    attribute = "" if number is None else f' number="{number}"'
    return f"<{name}{attribute}>\n{escape(text)}\n</{name}>"


def listed(number: int, text: str) -> str:
    """A short passage on one line with its number, for a list within one tag."""
    return f"[{number}] {escape(' '.join(text.split()))}"
