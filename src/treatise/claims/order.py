"""Rules: events, names and numbers stand in the same order in statement and text."""

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from treatise.claims.difference import Difference, contradiction
from treatise.claims.words import Text, Word

_PATTERNS: Final = (
    r"\A(?:only )?after (?P<earlier>[^,]+), (?P<later>.+)",
    r"\A(?:shortly |long )?before (?P<later>[^,]+), (?P<earlier>.+)",
    r"\A(?:first,? )?(?P<earlier>.+?)(?:,? and|[,;])? "
    r"(?:(?<!by )(?<!since )then|followed by|before|prior to|until|and afterwards) (?P<later>.+)",
    r"\A(?P<later>.+?),? (?:after|preceded by|following|once|as soon as) (?P<earlier>.+)",
)
_SEQUENCE: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PATTERNS)
_LISTED: Final = re.compile(r"\band\b|\bor\b|,|;|\bbetween\b|&")
_VOICE: Final = ("by", "from", "than", "of", "after", "before")
_LEAST: Final = 2
_COVERED: Final = 0.8


def reversed_events(claim: Text, sentence: Text) -> Difference | None:
    """The earlier event of the statement is the later one of the text.

    >>> reversed_events(Text("Ann paid before she read it."), Text("Ann read it before she paid.")).rule
    'order'
    """
    here, there = _events(claim.text), _events(sentence.text)
    if not (here and there):
        return None
    straight = len(here[0] & there[0]) + len(here[1] & there[1])
    crossed = len(here[0] & there[1]) + len(here[1] & there[0])
    is_turned = here[1] and there[1] and here[1] <= there[0] - there[1] and there[1] <= here[0] - here[1]
    is_crossed = is_turned or (crossed > straight and here[0] & there[1] and here[1] & there[0])
    return contradiction("order", claim.text, sentence.text) if is_crossed else None


def exchanged_names(claim: Text, sentence: Text) -> Difference | None:
    """Two names or numbers of a statement that stand the other way round in the text, in the same construction.

    >>> exchanged_names(Text("Ada beat Bela."), Text("Bela beat Ada.")).reason
    'the answer says “Ada … Bela”, the text “Bela … Ada”'
    """
    if sentence.covers(claim) < _COVERED or _construction(claim) != _construction(sentence):
        return None
    common = [word for word in claim.words if _is_named(word) and _occurs_once(word, claim, sentence)]
    for first, second in pairwise(common):
        is_mixed = first.text[0].isdigit() != second.text[0].isdigit()
        if is_mixed or sentence.stems.index(first.stem) < sentence.stems.index(second.stem):
            continue
        between = _between(claim, first, second), _between(sentence, second, first)
        if all(one and not _LISTED.search(one) for one in between):
            return contradiction("order", f"{first.text} … {second.text}", f"{second.text} … {first.text}")
    return None


def exchanged_in_place(claim: Text, sentence: Text) -> Difference | None:
    """A name or number of the statement in whose place the otherwise equal text has another.

    >>> exchanged_in_place(Text("Dr. Ada Lee led the unit."), Text("Dr. Bo Lee led the unit.")).reason
    'the answer says “Ada”, the text “Bo”'
    """
    if sentence.covers(claim) < _COVERED - 0.2:
        return None
    for tag, a, b, c, d in SequenceMatcher(None, claim.stems, sentence.stems, autojunk=False).get_opcodes():
        here, there = claim.words[a:b], sentence.words[c:d]
        if tag != "replace" or len(here) > _LEAST or len(there) > _LEAST + 1 or not a:
            continue
        if all(map(_is_named, here)) and all(map(_is_named, there)) and _is_other(here, there):
            said, found = (" ".join(word.text for word in words) for words in (here, there))
            return contradiction("name" if here[0].text[0].isalpha() else "number", said, found)
    return None


def _events(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The content words of the earlier and of the later event."""
    for pattern in _SEQUENCE:
        if found := pattern.search(text):
            return Text(found["earlier"]).content, Text(found["later"]).content
    return None


def _construction(text: Text) -> tuple[int, ...]:
    """How often the words occur that decide who does what to whom."""
    lower = [word.lower for word in text.words]
    return tuple(lower.count(word) for word in _VOICE)


def _is_named(word: Word) -> bool:
    return word.is_content and (word.text[0].isupper() or word.text[0].isdigit())


def _is_other(here: tuple[Word, ...], there: tuple[Word, ...]) -> bool:
    """Whether the two runs share no word, not even in part."""
    kinds = {word.text[0].isdigit() for word in (*here, *there)}
    return len(kinds) == 1 and not any(one.stem[:4] == other.stem[:4] for one in here for other in there)


def _occurs_once(word: Word, claim: Text, sentence: Text) -> bool:
    return claim.stems.count(word.stem) == 1 == sentence.stems.count(word.stem)


def _between(text: Text, first: Word, second: Word) -> str:
    start, end = text.stems.index(first.stem), text.stems.index(second.stem)
    return " ".join(word.lower for word in text.words[start + 1 : end])
