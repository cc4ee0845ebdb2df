"""Rule: no word of a statement is replaced in the text by its opposite."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from treatise.claims.difference import Difference, contradiction
from treatise.claims.words import Text, Word, particle

_FILE: Final = "opposites.txt"  # one pair of sides per line
_NEGATIONS_TEXT: Final = """
not no never n't cannot neither nor without hardly
"""
_NEGATIONS: Final = frozenset(_NEGATIONS_TEXT.split())
_SCOPE: Final = 5


def opposite_word(claim: Text, sentence: Text) -> Difference | None:
    """A word of the statement whose opposite the text has in its place.

    >>> opposite_word(Text("Prices rose in May."), Text("In May prices fell by a third.")).reason
    'the answer says “rose”, the text “fell”'
    """
    here, there = ({word.lower for word in text.words} for text in (claim, sentence))
    for word in claim.words:
        if word.lower in there:
            continue
        for other in _opposites_in(word, sentence):
            is_in_both = other.lower in here or bool(_same_side(word.lower) & there)
            is_same_verb = particle(claim, word) == particle(sentence, other)
            if not is_in_both and is_same_verb and _is_negated(claim, word) == _is_negated(sentence, other):
                return contradiction("opposite", word.text, other.text)
    return None


def turned_around(question: str, text: str) -> bool:
    """Whether the text has the opposite of a word of the question, and neither that word nor one that means the same.

    >>> turned_around("When does the lease end?", "The lease begins on 1 March.")
    True
    >>> turned_around("When does the lease end?", "The lease ends on 30 June, and a new one begins.")
    False
    """
    same, other = _sides()
    asked, said = ({word.lower for word in Text(one).words} for one in (question, text))
    against = {word for word in asked if other.get(word, frozenset()) & said}
    return any(not ({word} | same[word]) & said and not other[word] & asked for word in against)


def _opposites_in(word: Word, sentence: Text) -> Iterator[Word]:
    found = _sides()[1].get(word.lower, frozenset())
    return (other for other in sentence.words if other.lower in found)


def _same_side(word: str) -> frozenset[str]:
    return _sides()[0].get(word, frozenset()) - {word}


def _is_negated(text: Text, word: Word) -> bool:
    at = text.words.index(word)
    return any(one.lower in _NEGATIONS or one.lower.endswith("n't") for one in text.words[max(0, at - _SCOPE) : at])


@cache
def _sides() -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
    """Words of the same side, and of the other side, by word."""
    side: dict[str, frozenset[str]] = {}
    other: dict[str, frozenset[str]] = {}
    lines = (files("treatise.claims") / _FILE).read_text("utf-8").splitlines()
    for first, second in ([frozenset(words.split()) for words in line.split("/")] for line in lines):
        for words, against in ((first, second), (second, first)):
            side |= {word: side.get(word, frozenset()) | words for word in words}
            other |= {word: other.get(word, frozenset()) | against for word in words}
    return side, other
