"""Documents that a question names: "under the Cloud Service Agreement", "the meeting of 5 March 2025"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from treatise.core.dates import first_date, without_dates
from treatise.core.names import spelled_out
from treatise.retrieve.lexical import STOP_WORDS

_WORD: Final = re.compile(r"\w+")
_POSSESSIVE: Final = re.compile(r"['’]s?\b")
_ARTICLES: Final = frozenset(("the", "our", "your", "this"))
_VERBS: Final = """
agree allow allows apply applies cover covers define defines end ends forbid forbids mention permit permits prohibit
prohibits require requires say says start state
"""
_FOLLOWING: Final = STOP_WORDS | frozenset(_VERBS.split())
_SURE: Final = 3
"""Words that say something in a title that is a name without an article before it."""
_LEAST: Final = 2
_ABBREVIATION: Final = re.compile(r"\b[A-Z]{3,6}\b")
_LEFT: Final = re.compile(r",?\s+(?:on|of|in|from|at|dated)(?:\s+the)?\s*(?=[?.!,]|$)", re.IGNORECASE)
"""What introduces a date, once the date is gone."""
_YEAR: Final = len("2025")
_MONTH: Final = len("2025-03")
_SERIES: Final = 3
"""Documents with a date of that year in their titles."""
_MOST: Final = 0.5
"""Share of the library from which a title tells no document from others."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names.

    Attributes:
        documents: Ids of the documents, in the order of the library; empty if it names none.
        question: What is asked of them: the question without a date that names them.
    """

    documents: list[str]
    question: str


def named_documents(question: str, titles: Mapping[str, str]) -> Named:
    """The documents whose title is in the question; none if these are most of ``titles``.

    A title of two words counts after an article, and if no other noun may follow it ("the refund policy form"); one of
    three or more anywhere. An abbreviation in capitals names titles with these initials. A title within a longer one
    that the question has as well does not count. A date, or a month with its year, names the documents of a series
    whose titles have it.

    >>> titles = {"a": "Cloud Service Agreement", "b": "Refund policy", "c": "GitHub Terms of Service"}
    >>> titles |= {"d": "Terms of Service", "e": "Benefits", "f": "Security"}
    >>> named_documents("What does the CSA say about the refund policy?", titles).documents
    ['a', 'b']
    >>> named_documents("Which law governs GitHub's terms of service?", titles).documents
    ['c']
    >>> series = {"1": "Minutes of 2025-03-05", "2": "Minutes of 2025-03-19", "3": "Minutes of 2025-04-02"}
    >>> named_documents("Who was present on 19 March 2025?", series)
    Named(documents=['2'], question='Who was present?')
    """
    asked = _words(question)
    begins = re.compile(rf"\W*(?:the\W+)?(?:{'|'.join(asked) or '(?!)'})\b", re.IGNORECASE)  # a library has many titles
    said = ((one, _words(title)) for one, title in titles.items() if begins.match(title))
    places = ((one, _place(asked, words[words[:1] == ["the"] :])) for one, words in said)
    found = {one: place for one, place in places if place}
    named = {one for one, place in found.items() if not any(_is_within(place, other) for other in found.values())}
    named |= {*_abbreviated(question, titles)}
    dated = {*_dated(question, titles)}
    named = named & dated or named | dated
    if not named or len(named) > _MOST * len(titles):
        return Named([], question)
    rest = _LEFT.sub("", without_dates(question)) if dated else question
    return Named([one for one in titles if one in named], rest)


def _words(text: str) -> list[str]:
    return _WORD.findall(_POSSESSIVE.sub("", text.casefold()))


def _place(asked: list[str], title: list[str]) -> tuple[int, int] | None:
    """Where the words of a title stand in the question as the name of a document; None if they need not name it."""
    n_telling = sum(word not in STOP_WORDS for word in title)
    for start in range(len(asked) - len(title) + 1):
        end = start + len(title)
        is_called = asked[start - 1 : start] and asked[start - 1] in _ARTICLES
        is_whole = end == len(asked) or asked[end] in _FOLLOWING
        if asked[start:end] == title and (n_telling >= _SURE or (n_telling >= _LEAST and is_called and is_whole)):
            return start, end
    return None


def _is_within(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place != other and other[0] <= place[0] and place[1] <= other[1]


def _abbreviated(question: str, titles: Mapping[str, str]) -> Iterator[str]:
    for abbreviation in _ABBREVIATION.findall(question):
        initials = spelled_out(abbreviation)
        yield from (one for one, title in titles.items() if initials and initials.fullmatch(title))


def _dated(question: str, titles: Mapping[str, str]) -> list[str]:
    """The documents of a series whose titles have the date of the question, or a date within its month."""
    wanted = first_date(question)
    if len(wanted) < _MONTH:
        return []
    of_year = {one: title for one, title in titles.items() if wanted[:_YEAR] in title}
    dates = {one: date for one, title in of_year.items() if (date := first_date(title))}
    return [one for one, date in dates.items() if date.startswith(wanted)] if len(dates) >= _SERIES else []
