"""The words of whole documents, and whether a word occurs among them."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from treatise.core.document import Document

_WORD: Final = re.compile(r"\w+")
_MARKED: Final = re.compile(r"(?<!\w)[A-Za-z](?:[._-]+[A-Za-z]{1,2})+(?![A-Za-z])")  # P.h.D., P_h_D
_MARKS: Final = re.compile(r"[\W_]+")
_ENDING: Final = re.compile(
    r"(?<=\w{4})(?:ian|ans?|ish|ese|ais|ois|ien|ies|ics?|ion|ors?|ing|ers?|eds?|en|es|em|al|ey|um|us|os|is|as|in|ns?|[aesyio])$"
)
_SHORT: Final = 5  # longest word that is inflected by "s" only


@dataclass(frozen=True)
class Texts:
    """The text of all documents, and its words, which are found when they are first wanted.

    Attributes:
        text: Titles and texts.
    """

    text: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Distinct words without accents, in lower case, sorted."""
        return tuple(sorted(map(fold, self._distinct)))

    @cached_property
    def common(self) -> frozenset[str]:
        """Those that occur in lower case."""
        return frozenset(word for word in self._distinct if word.islower())

    @cached_property
    def _distinct(self) -> set[str]:
        return {*_WORD.findall(self.text), *(_MARKS.sub("", word) for word in _MARKED.findall(self.text))}

    def mentions(self, word: str) -> bool:
        """Whether the word occurs, up to inflection."""
        is_long = len(word) > _SHORT and word.isalpha()
        stem = _ENDING.sub("", word) if is_long else word
        return self._begins(stem) if is_long else any(self._has(one) for one in (word, f"{word}s", word.rstrip("s")))

    def _begins(self, stem: str) -> bool:
        at = bisect_left(self.words, stem)
        return at < len(self.words) and self.words[at].startswith(stem)

    def _has(self, word: str) -> bool:
        at = bisect_left(self.words, word)
        return at < len(self.words) and self.words[at] == word


def read_texts(documents: Sequence[Document]) -> Texts:
    """The texts of the documents, with their titles and sources."""
    return _read(tuple((d.title or "", d.source, d.text) for d in documents))


@lru_cache(maxsize=8)
def _read(parts: tuple[tuple[str, str, str], ...]) -> Texts:
    return Texts("\n".join(part for of_one in parts for part in of_one))


def fold(text: str) -> str:
    """The text in lower case without accents."""
    lower = text.casefold()
    if lower.isascii():  # most words; the rest takes ten times as long
        return lower
    plain = unicodedata.normalize("NFKD", lower)
    return "".join(c for c in plain if not unicodedata.combining(c))
