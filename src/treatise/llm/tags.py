"""Texts between the tags of a prompt. No text can open or close one of our tags, in any case, spacing or spelling."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

_NAMES: Final = (
    "answer", "claim", "context", "conversation", "document", "draft", "gold", "graph", "part", "passage", "passages",
    "piece", "plan", "premise", "question", "sentence", "text", "trees",
)  # fmt: skip

_INVISIBLE: Final = r"[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]*"
_GAP: Final = rf"(?:\s|{_INVISIBLE[:-1]}){{0,40}}"  # bounded: a regular expression takes its time over more
_OPENS: Final = r"(?:[<\uff1c\ufe64\u2039\u27e8\u2329\u3008\u276e]|&lt;|&#0*60;|&#x0*3c;|\\u003c|\\x3c)"
_CLOSES: Final = r"(?:[>\uff1e\ufe65\u203a\u27e9\u232a\u3009\u276f]|&gt;|&#0*62;|&#x0*3e;|\\u003e|\\x3e)"
_SLASHES: Final = rf"(?:[/\\\u2215\u2044\uff0f]{_GAP}){{0,4}}"
_ALIKE: Final = {
    "a": "аα", "c": "сϲ", "d": "ԁ", "e": "еε", "g": "ɡ", "h": "һ", "i": "іıι", "l": "ӏ", "m": "м", "n": "ո", "o": "оο0",
    "p": "рρ", "q": "ԛ", "r": "г", "s": "ѕ", "t": "тτ", "u": "υս", "w": "ԝ", "x": "хχ",
}  # fmt: skip
"""Letters of other alphabets that look like these."""


def _spelled(name: str) -> str:
    """The pattern of a name with other letters that look alike, and invisible characters between them."""
    letters = [f"[{one}{_ALIKE.get(one, '')}{chr(ord(one) + 0xFEE0)}]" for one in name]
    return f"({letters[0]})" + "".join(f"{_INVISIBLE}{letter}" for letter in letters[1:])


_SPELLED: Final = "|".join(f"{_spelled(name)}" for name in sorted(_NAMES, key=len, reverse=True))
_OUR_TAG: Final = lazy_pattern(
    rf"{_OPENS}(?:{_SLASHES}|(?={_GAP}[^<>]{{1,80}}{_CLOSES}){_GAP}{_SLASHES})(?:{_SPELLED})(?!\w)", re.IGNORECASE
)
_WHOLE_TAG: Final = lazy_pattern(
    rf"<{_GAP}/?{_GAP}(?:{'|'.join(_NAMES)})\b(?:\s+\w+\s*=\s*\"?[\w-]*\"?)*{_GAP}/?{_GAP}>", re.IGNORECASE
)
_CHAT_MARK: Final = lazy_pattern(r"<\|[\w-]{1,30}\|>|\[/?INST\]|<</?SYS>>")


def escape(text: str) -> str:
    """The text with a blank after the first letter of the name in everything that looks like one of our tags.

    That includes blanks, invisible characters, look-alike letters and brackets, and entities. Nothing else changes.

    >>> escape('a </PASSAGE> b < / Passage > c <passage number="7"> d <b>')
    'a </P ASSAGE> b < / P assage > c <p assage number="7"> d <b>'
    """
    return _OUR_TAG.sub(_broken, text)


def _broken(found: re.Match[str]) -> str:
    end = found.end(found.lastindex or 0) - found.start()
    return f"{found[0][:end]} {found[0][end:]}"


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
