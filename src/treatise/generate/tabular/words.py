"""The words of a question and of a table, as they are compared."""

import re
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from treatise.claims.words import FUNCTION_WORDS, stem
from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.languages import ALL, LANGUAGES, Language

_TOKEN: Final = lazy_pattern(r"\d+(?:,\d{3})*(?:\.\d+)?|[^\W\d_]+|%")
_CAMEL: Final = lazy_pattern(r"(?<=[a-z])(?=[A-Z][a-z])")
_COMPOUND: Final = lazy_pattern(rf"(?<=[^\W\d_]{{4}})(?:s|n|en)?(?=(?:{ALL.compounded})\b)", re.IGNORECASE)
_BRACKETS: Final = lazy_pattern(r"\([^()]*\)|\[[^\[\]]*\]")
_MEANINGS: Final = {stem(word): group.split()[0] for group in ALL.same.split("|") for word in group.split()}

_LIGHT_TEXT: Final = """
s t please tell give show name list lists listed table sheet file data dataset row rows entry entries record records
recorded recording column columns value values number amount figure figures find found there people person
get gets got receive received reported report experienced experience suffered suffer include included includes
contain contains contained named shown given mentioned covered cover total totals many much happen happened occur
occurred come comes year years between during since according among amongst altogether cast drink drinks drank consume
consumes consumed win wins won earn earned score scored make made medal medals chart charts
"""
LIGHT: Final = FUNCTION_WORDS | frozenset(_LIGHT_TEXT.split())
"""Words of an English question that narrow nothing."""
_NAMES: Final = frozenset(("may", "will", "other"))
"""Light words that are names, or cells, if they have a capital letter."""
_ENDINGS: Final = ("s", "es")
_LEAST_STEM: Final = 3


@lru_cache(maxsize=1 << 10)
def languages_of(question: str) -> tuple[Language, ...]:
    """The languages besides English that the function words of a question, or verbs beside them, may be of."""
    words = {match[0].casefold() for match in _TOKEN.finditer(question)}

    def has(found: str) -> bool:
        return not words.isdisjoint(found.split("|"))

    others = (one for one in LANGUAGES if one.light)
    return tuple(one for one in others if has(one.light) or (has(one.often_light) and has(one.value_verbs)))


@lru_cache(maxsize=1 << 10)
def light_of(question: str) -> frozenset[str]:
    """Words that narrow nothing in this question, which may be in another language: "der" in "Farbe der Lampe".

    >>> sorted(light_of("Farbe der Lampe") - LIGHT)[:3], "die" in light_of("How many people die in Rome?")
    (['alle', 'allen', 'aller'], False)
    """
    return LIGHT.union(*(f"{one.light}|{one.often_light}".split("|") for one in languages_of(question)))


@dataclass(frozen=True, slots=True)
class Token:
    """A word or number of a text.

    Attributes:
        text: In lower case; numbers without separators of thousands.
        start, end: Its place in the text.
        meaning: What it is compared by.
    """

    text: str
    start: int
    end: int
    meaning: str

    @property
    def names_measure(self) -> bool:
        """Whether it has others of the same meaning, such as "longer" and "length"."""
        return self.meaning in _MEANINGS.values()

    @property
    def is_number(self) -> bool:
        """Whether it is of digits."""
        return self.text[0].isdigit()


def tokens(text: str) -> list[Token]:
    """The words and numbers of a text in order."""
    return [_token(match[0], *match.span()) for match in _TOKEN.finditer(text)]


def _token(written: str, start: int, end: int) -> Token:
    text = written.casefold().replace(",", "")
    return Token(text, start, end, _meaning(text))


@lru_cache(maxsize=1 << 14)
def _meaning(text: str) -> str:
    """Kept, since the cells of a sheet repeat their words."""
    known = stem(text) if text.isalpha() else text
    return _MEANINGS.get(known, known)


@dataclass(frozen=True)
class Head:
    """The head of a column in words.

    Attributes:
        text: As written.
    """

    text: str

    @cached_property
    def meanings(self) -> frozenset[str]:
        """Its words without brackets, function words and numbers."""
        return _content(tokens(_BRACKETS.sub(" ", self.in_words))) or self.optional

    @property
    def in_words(self) -> str:
        """With spaces in compounds: "OrderDate" is an order date, and "Rechnungsnr" the "nr" of a "Rechnung"."""
        return _COMPOUND.sub(" ", _CAMEL.sub(" ", self.text))

    @cached_property
    def optional(self) -> frozenset[str]:
        """The words in brackets: units, mostly."""
        return _content(tokens(" ".join(_BRACKETS.findall(self.text))))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its numbers: years, mostly; those of two digits may stand for a year."""
        return frozenset(one.text for one in tokens(self.text) if one.is_number)

    def means(self, token: Token) -> bool:
        """Whether a word or number of a question is one of the head's."""
        if token.is_number:
            return token.text in self.numbers or (len(token.text) == 4 and token.text[2:] in self.numbers)
        return token.meaning in self.meanings or token.meaning in self.optional


def _content(words: Iterable[Token]) -> frozenset[str]:
    return frozenset(one.meaning for one in words if not one.is_number and one.text not in FUNCTION_WORDS)


@dataclass(frozen=True)
class Wording:
    """A question in words, and which of them are understood.

    Attributes:
        text: The question.
        understood: Indices of the tokens whose part in the question is known.
    """

    text: str
    understood: frozenset[int] = frozenset()

    @cached_property
    def tokens(self) -> list[Token]:
        """Its words and numbers in order."""
        return tokens(self.text)

    @property
    def light(self) -> frozenset[str]:
        """The words that narrow nothing in it."""
        return light_of(self.text)

    def with_(self, indices: Iterable[int]) -> "Wording":
        """The same question with more words understood."""
        return Wording(self.text, self.understood | frozenset(indices))

    def within(self, spans: Iterable[tuple[int, int]]) -> "Wording":
        """The same question with the words of these places understood."""
        places = list(spans)
        inside = (any(a <= one.start and one.end <= b for a, b in places) for one in self.tokens)
        return self.with_(at for at, is_inside in enumerate(inside) if is_inside)

    def meant_by(self, head: Head) -> list[int]:
        """Indices of the tokens that the head has."""
        found = [at for at, one in enumerate(self.tokens) if head.means(one)]
        whole = (
            re.search(rf"(?<!\w){re.escape(head.text.casefold())}(?!\w)", self.text.casefold()) if head.text else None
        )
        if whole:
            inside = (whole.start() <= one.start and one.end <= whole.end() for one in self.tokens)
            found = sorted({*found, *(at for at, is_inside in enumerate(inside) if is_inside)})
        return found

    def without(self, indices: Iterable[int]) -> "Wording":
        """The question with these tokens blanked, at the same places."""
        text = self.text
        for at in indices:
            one = self.tokens[at]
            text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
        return Wording(text)

    @property
    def left(self) -> list[Token]:
        """The words and numbers that are not understood and may narrow the question."""
        return [
            one
            for at, one in enumerate(self.tokens)
            if at not in self.understood and (one.is_number or one.text not in self.light or self._is_name(at))
        ]

    def _is_name(self, at: int) -> bool:
        """Whether a light word is written like a name within the question: "US", "May"."""
        one = self.tokens[at]
        written = self.text[one.start : one.end]
        is_last = at == len(self.tokens) - 1
        is_short = written.isupper() and (len(written) > 1 or (at > 0 and written != "I") or is_last)
        return (is_short and not self.text.isupper()) or (at > 0 and one.text in _NAMES and written.istitle())


def has_whole_head(question: str, head: str) -> bool:
    """Whether the head stands in the question to the letter."""
    return bool(head) and re.search(rf"(?<!\w){re.escape(head.casefold())}(?!\w)", question.casefold()) is not None


def named_runs(wording: Wording, known: Collection[tuple[str, ...]]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Runs of tokens, ``[first, last)``, that are known, and how; of overlapping ones the longest.

    A plural or a genitive that is not known ("des Stuhls") is read without its ending if that is known.
    """
    words = {word for one in known for word in one}
    texts = [one.text if one.text in words else without_ending(one.text, words) for one in wording.tokens]
    longest = max(map(len, known), default=0)
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for size in range(min(longest, len(texts)), 0, -1):
        for first in range(len(texts) - size + 1):
            is_free = all(b <= first or first + size <= a for a, b, _ in found)
            if is_free and (run := tuple(texts[first : first + size])) in known:
                found.append((first, first + size, run))
    return sorted(found)


def without_ending(text: str, words: Container[str]) -> str:
    """A word without the s or es at its end, if that is one of the words; else unchanged."""
    shorter = (text.removesuffix(ending) for ending in _ENDINGS if text.endswith(ending))
    return next((one for one in shorter if len(one) >= _LEAST_STEM and one in words), text)
