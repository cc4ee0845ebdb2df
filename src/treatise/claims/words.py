"""The words of a text with their stems, as the rules compare them."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

_FUNCTION_WORDS_TEXT: Final = """
a about also although am an and any are as at be because been being both but by can could did do does doing done
each else even every for from further had has have having he her here hers him his how however i if in into is it
its itself just may me might mine more most must my no nor not of on one onto or other our ours out over own per
shall she should since so some such than that the their theirs them themselves then there these they this those though
through thus to too under until up upon us very was we were what when where whereas whether which while who whom
whose why will with within without would yet you your yours
"""
FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS_TEXT.split())
"""Words that carry no content."""

_WORD: Final = re.compile(
    r"[$€£¥]?\d+(?:[.,:]\d+)*%?|[^\W\d_]+(?:['’][^\W\d_]+)?(?:[-–][^\W\d_]+)*|[.!?;:,()。！？；，]"
)
_STOPS: Final = frozenset(".!?;:,()。！？；，")
_PARTICLES: Final = frozenset(("up", "over", "out", "off", "back", "away", "down", "past", "through"))
_LONG: Final = 4_000
_THOUSANDS: Final = re.compile(r",(?=\d{3}(?:\D|$))")
_SHORT: Final = 3
_ENDINGS: Final = (("ing", 3), ("edly", 3), ("ed", 3), ("ly", 4), ("ment", 3), ("ion", 4))  # with the shortest stem
_VOWEL: Final = re.compile("[aeiouy]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        text: As written.
        lower: In lower case, with a straight apostrophe.
        stem: Without its ending.
    """

    text: str
    lower: str
    stem: str

    @property
    def is_stop(self) -> bool:
        """Whether it is a punctuation mark."""
        return self.text in _STOPS

    @property
    def is_content(self) -> bool:
        """Whether it is neither a function word nor punctuation."""
        return not self.is_stop and self.lower not in FUNCTION_WORDS


@dataclass(frozen=True)
class Text:
    """A text and its words.

    Attributes:
        text: The text.
    """

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Words and punctuation marks in order; of a very long text, the first ones."""
        found = [one.group() for one in _WORD.finditer(self.text)][:_LONG]
        return tuple(_word(one) for one in found)

    @cached_property
    def content(self) -> frozenset[str]:
        """Stems of the content words."""
        return frozenset(word.stem for word in self.words if word.is_content)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Stems of all words, in order."""
        return tuple(word.stem for word in self.words)

    def covers(self, other: "Text") -> float:
        """Share of the other text's content words that are in this one; 1 if it has none."""
        return len(other.content & self.content) / len(other.content) if other.content else 1.0


def particle(text: Text, word: Word) -> str:
    """The particle after a verb, which makes it another one ("gave up"); empty if there is none."""
    at = text.words.index(word) + 1
    following = text.words[at].lower if at < len(text.words) else ""
    return following if following in _PARTICLES else ""


def _word(text: str) -> Word:
    lower = text.casefold().replace("’", "'")
    bare = lower.removesuffix("'s") if not lower[-1].isdigit() else _THOUSANDS.sub("", lower)
    return Word(text, lower, stem(bare) if bare.isalpha() else bare)


def stem(word: str) -> str:
    """An English word without its inflection and its commonest endings, by rules without a dictionary.

    >>> [stem(word) for word in ("applies", "apply", "stopped", "stops", "calculation", "calculates", "keys", "bus")]
    ['appli', 'appli', 'stop', 'stop', 'calculat', 'calculat', 'key', 'bus']
    """
    if len(word) <= _SHORT:
        return word
    word = _without_s(word)
    for ending, least in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= least and _VOWEL.search(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "ls" else rest
            break
    word = word.removesuffix("e") if len(word) > _SHORT else word
    return word[:-1] + "i" if word[-1] == "y" and len(word) > _SHORT else word


def _without_s(word: str) -> str:
    if word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word.removesuffix("s")
