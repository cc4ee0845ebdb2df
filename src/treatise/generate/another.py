"""Namesakes in form: what a sentence says of the Ilkley branch does not answer a question about the Otley branch."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from treatise.core.names import is_name, names_in
from treatise.core.patterns import lazy_pattern
from treatise.generate.fitting import ANY_MONTH

_PREPOSITIONS: Final = r"at|in|of|for|from|near"
_NAME: Final = r"[A-ZÀ-Þ][\w'’-]{2,}(?<!['’]s)"
_NATIONAL: Final = lazy_pattern(r"(?:ish|ese|an|ch|ic)$")
"""Ends of words such as "French": what is said of them is said of the country too."""
_CLAUSE: Final = lazy_pattern(r";|, (?:and|but|while|whereas) ")
_DAY: Final = lazy_pattern(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? {ANY_MONTH}|{ANY_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)\b", re.IGNORECASE
)
_MIN_NOUN: Final = 4  # letters


class _Frame(NamedTuple):
    """A name in a question and the noun that it belongs to: "branch" of "Otley branch", "warden" of "warden at Kew".

    ``noun`` is in lower case, and empty if the name stands with a preposition only.
    """

    name: str
    noun: str


def another(question: str, text: str) -> str | None:
    """What an English sentence speaks of instead of what the question names; None if it does not, or has the name.

    Both must have the same noun once, with a name right before it, or after a preposition.

    >>> another("When does the Otley branch close?", "Our Ilkley branch closes on 31 October.")
    'Ilkley branch'
    >>> another("Who is the warden at Kew?", "The warden at Leeds is Ann."), another("Who is it in Kew?", "It is Ann.")
    ('warden at Leeds', None)
    """
    for frame in _frames(question):
        if not frame.noun or _has(text, frame.name):
            continue
        others = list(_others(frame.noun, question, text))
        if len(others) == 1 and len(re.findall(rf"\b{frame.noun}", text, re.IGNORECASE)) == 1:
            return others[0]
    return None


def is_in_clause_about_another(question: str, text: str, start: int, end: int) -> bool:
    """Whether a part of an English sentence stands in a clause about another than the question names, while a further
    clause has the name, after the same preposition; or before the clause with the day that the question names.

    >>> text = "The warden at Kew is Ann Lee; at Leeds it is Bo Ek."
    >>> is_in_clause_about_another("Who is the warden at Leeds?", text, 21, 28)
    True
    >>> is_in_clause_about_another("Who is the warden at Kew?", text, 21, 28)
    False
    """
    clauses = list(_clauses(text))
    if len(clauses) == 1:
        return False
    parts = [text[a:b] for a, b in clauses]
    inside = [n for n, (a, b) in enumerate(clauses) if a < end and start < b]
    names = [frame.name for frame in _frames(question)]
    days = _DAY.findall(question)
    for at in inside:
        own = parts[at]
        known = f"{question} {text[start:end].partition(' ')[0]}"
        of_other = any(
            _is_parallel(name, own, other, known) for name in names if not _has(own, name) for other in parts
        )
        is_before_day = bool(days) and not _DAY.search(own) and any(_has(one, days[0]) for one in parts[at + 1 :])
        if of_other or (is_before_day and at == inside[-1]):
            return True
    return False


@lru_cache(maxsize=64)
def _frames(question: str) -> tuple[_Frame, ...]:
    """The names in a question with their nouns."""
    return tuple(_frame(" ".join(words), question) for words in names_in(question))


def _frame(name: str, question: str) -> _Frame:
    beside = rf"(?:\b([a-z]+) (?:{_PREPOSITIONS}) (?:the )?)?{re.escape(name)}\b(?:['’]s?)?(?: ([a-z]+)\b)?"
    found = re.search(beside, question)
    nouns = [noun for noun in found.groups() if noun and len(noun) >= _MIN_NOUN] if found else []
    return _Frame(name, nouns[0] if nouns else "")


def _others(noun: str, question: str, text: str) -> Iterator[str]:
    """Names other than the question's that stand with a noun in a text, with the noun."""
    before = re.finditer(rf"\b({_NAME}) {noun}\b", text)
    after = re.finditer(rf"\b{noun} (?:{_PREPOSITIONS}) (?:the )?({_NAME})", text)
    for found in (*before, *after):
        name = found[1]
        is_first = not text[: found.start(1)].strip()
        if is_name(name, is_first=is_first) and not _has(question, name) and not _NATIONAL.search(name):
            yield found[0]


def _is_parallel(name: str, own: str, other: str, known: str) -> bool:
    """Whether a clause has a name that is not ``known`` after the preposition that the name has in the other clause."""
    found = re.search(rf"\b({_PREPOSITIONS}) (?:the )?{re.escape(name)}\b", other)
    names = re.findall(rf"\b{found[1]} (?:the )?({_NAME})", own) if found else []
    return any(is_name(one, is_first=False) and not _has(known, one) for one in names)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _CLAUSE.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _has(text: str, name: str) -> bool:
    """Whether a text has the last word of a name."""
    return re.search(rf"\b{re.escape(name.split()[-1])}", text, re.IGNORECASE) is not None
