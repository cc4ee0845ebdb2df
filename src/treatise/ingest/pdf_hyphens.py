"""Rejoins words hyphenated at line ends, using the document's own vocabulary."""

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
    """Joins lines and counts the removed hyphens.

    Attributes:
        words: Frequency of each word and hyphenated compound within lines; lower case.
    """

    words: Counter[str] = field(default_factory=Counter)
    n_undone: int = 0

    def learn(self, lines: Iterable[str]) -> None:
        """Counts the words of lines, except those hyphenated at the line end."""
        for line in lines:
            self.words.update(_WORD.findall(_BROKEN.sub("", line).lower()))

    def join(self, before: str, after: str) -> str:
        """Joins two lines: with a space, with the hyphen kept, or with the hyphen removed."""
        broken, first = _BROKEN.search(before), _FIRST.match(after)
        if broken is None or first is None:
            glued = before.endswith(("-", "/")) or _is_glued(before, after) or _is_url(before, after)
            return before + ("" if glued else " ") + after
        if self._is_compound(broken.group(1), first.group()):
            return before + after
        self.n_undone += 1
        return before[:-1] + after

    def _is_compound(self, left: str, right: str) -> bool:
        """Whether the hyphen belongs to the word: ``state-of-the-`` + ``art``, ``Anglo-`` + ``Saxon``."""
        if not right[0].islower() or "-" in left:
            return True
        whole, compound = (left + right).lower(), f"{left}-{right}".lower()
        if self.words[whole] or self.words[compound]:
            return self.words[compound] > self.words[whole]
        known = self.words[left.lower()] and self.words[right.lower()]
        return bool(known) and min(len(left), len(right)) >= _MIN_PART


def _is_url(before: str, after: str) -> bool:
    """Whether a URL continues across the line end."""
    return _URL_END.search(before) is not None and after[:1].islower()


def _is_glued(before: str, after: str) -> bool:
    """Whether the lines join without a space, as in Chinese and Japanese."""
    return bool(before and after and CJK.match(before[-1]) and CJK.match(after[0]))
