"""Words that a line's end has broken are made whole, by the words that the document itself uses."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from treatise.core.scripts import CJK

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_BROKEN = re.compile(r"((?:[^\W\d_]+[-'’])*[^\W\d_]+)[-\u2010]\Z")
_FIRST = re.compile(r"[^\W\d_]+")
_URL_END = re.compile(r"(?:https?://|www\.)\S*[._=&?#%]\Z")
_MIN_PART = 3


@dataclass(slots=True)
class Hyphens:
    """Joins lines; counts the hyphens that it undoes.

    Attributes:
        words: How often the document has each word, and each hyphenated compound, within a line; in lower case.
    """

    words: Counter[str] = field(default_factory=Counter)
    n_undone: int = 0

    def learn(self, lines: Iterable[str]) -> None:
        """Count the words of lines, except one that a hyphen breaks at a line's end."""
        for line in lines:
            self.words.update(_WORD.findall(_BROKEN.sub("", line).lower()))

    def join(self, before: str, after: str) -> str:
        """Two lines as one text: with a space, with the hyphen, or with the broken word whole."""
        broken, first = _BROKEN.search(before), _FIRST.match(after)
        if broken is None or first is None:
            glued = before.endswith(("-", "/")) or _is_glued(before, after) or _is_url(before, after)
            return before + ("" if glued else " ") + after
        if self._is_compound(broken.group(1), first.group()):
            return before + after
        self.n_undone += 1
        return before[:-1] + after

    def _is_compound(self, left: str, right: str) -> bool:
        """The hyphen is the word's own: ``state-of-the-`` + ``art``, ``Anglo-`` + ``Saxon``."""
        if not right[0].islower() or "-" in left:
            return True
        whole, compound = (left + right).lower(), f"{left}-{right}".lower()
        if self.words[whole] or self.words[compound]:
            return self.words[compound] > self.words[whole]
        known = self.words[left.lower()] and self.words[right.lower()]
        return bool(known) and min(len(left), len(right)) >= _MIN_PART


def _is_url(before: str, after: str) -> bool:
    """An address goes on over the line's end."""
    return _URL_END.search(before) is not None and after[:1].islower()


def _is_glued(before: str, after: str) -> bool:
    """Chinese and Japanese put no space where a line ends."""
    return bool(before and after and CJK.match(before[-1]) and CJK.match(after[0]))
