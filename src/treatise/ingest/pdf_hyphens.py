"""Rejoins words hyphenated at line ends, using the document's own vocabulary."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from treatise.core.scripts import CJK

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NEKORB = re.compile(r"[-\u2010]([^\W\d_]+(?:[-'’][^\W\d_]+)*)")
"""A hyphen and the word before it, backwards: from its end a word is found in one step, whatever its length."""
_FIRST = re.compile(r"[^\W\d_]+")
_URL_END = re.compile(r"(?:https?://|www\.)\S*[._=&?#%]\Z")
_MIN_PART = 3
_MAX_URL_CHARS = 2_000


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
            broken = _broken_word(line)
            whole = line[: -len(broken) - 1] if broken else line
            self.words.update(_WORD.findall(whole.lower()))

    def join(self, before: str, after: str) -> str:
        """Joins two lines: with a space, with the hyphen kept, or with the hyphen removed."""
        broken, first = _broken_word(before), _FIRST.match(after)
        if not broken or first is None:
            glued = before.endswith(("-", "/")) or _is_glued(before, after) or _is_url(before, after)
            return before + ("" if glued else " ") + after
        if self._is_compound(broken, first.group()):
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


def _broken_word(line: str) -> str:
    """The word before a hyphen at the line's end; empty if there is none.

    >>> _broken_word("a well-kept gar-"), _broken_word("pages 3-")
    ('gar', '')
    """
    found = _NEKORB.match(line[::-1])
    return found.group(1)[::-1] if found else ""


def _is_url(before: str, after: str) -> bool:
    """Whether a URL continues across the line end."""
    return _URL_END.search(before[-_MAX_URL_CHARS:]) is not None and after[:1].islower()


def _is_glued(before: str, after: str) -> bool:
    """Whether the lines join without a space, as in Chinese and Japanese."""
    return bool(before and after and CJK.match(before[-1]) and CJK.match(after[0]))
