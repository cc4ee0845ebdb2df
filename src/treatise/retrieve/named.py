"""Documents that a question names: "under the Cloud Service Agreement", "the meeting of 5 March 2025"."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.dates import dates_in, first_date, without_dates
from treatise.core.names import spelled_out
from treatise.retrieve.lexical import STOP_WORDS

_WORD: Final = re.compile(r"\w+")
_POSSESSIVE: Final = re.compile(r"['’]s?\b")
_ARTICLES: Final = frozenset(("the", "our", "your", "this"))
_INTRODUCTIONS: Final = frozenset(("under", "in", "per", "within", "from", "by", "to", "of"))
"""What introduces a name, with an article: "to the refund policy", but not "the history of open source"."""
_ALONE: Final = frozenset(("under", "per"))
"""What introduces a name without an article too, and a title that says nothing of a document."""
_RELEASED: Final = frozenset(("available", "distributed", "licensed", "published", "released"))
"""What is "released under the Apache License" is not asked of the licence."""
_ACCORDING: Final = re.compile(r"\baccording to\b", re.IGNORECASE)
_KINDS: Final = """
act addendum agreement amendment articles bylaws charter code constitution contract guide guidelines handbook law lease
manual minutes notice policies policy procedure procedures protocol regulation regulations report rules specification
statement statute terms treaty
"""
_OF_KINDS: Final = frozenset(_KINDS.split())
"""Words of titles that are names of documents; "Board of Directors" is a topic that other documents have too."""
_VERBS: Final = """
agree allow allows apply applies cover covers define defines forbid forbids mention mentions permit permits prohibit
prohibits require requires say says state states
"""
_SAYING: Final = frozenset(_VERBS.split())
"""What a document does: "what does the refund policy say"."""
_AFTER: Final = STOP_WORDS | _SAYING | {"cannot", "may", "might", "must", "shall"}
"""What may follow a name: other words may belong to a longer one, "the refund policy form"."""
_JOINED: Final = frozenset(("and", "or", "than", "versus", "vs"))
_COMPARED: Final = frozenset(
    ("both", "between", "compare", "compared", "comparison", "differ", "differs", "difference")
)
_SURE: Final = 3
"""Words that say something in a title that is a name wherever it stands."""
_LEAST: Final = 2
_PLACES: Final = 100
"""Places of a title's first word in the question that are looked at: a library has many titles."""
_ABBREVIATION: Final = re.compile(r"\b[A-Z]{3,6}\b")
_MEETINGS: Final = """
absent agenda attend attended attending attendees decide decided discuss discussed held meeting meetings minutes present
session sitting vote voted
"""
_OF_MEETINGS: Final = frozenset(_MEETINGS.split())
"""Words of questions on meetings, whose documents are titled "Minutes of …" or "… Meeting"."""
_DATE_BEFORE: Final = re.compile(r",?\s+(?:on|of|in|from|at|dated)(?:\s+the)?\s*\Z", re.IGNORECASE)
_DATE_AFTER: Final = re.compile(r"\s*(?:[?.!,]|\Z)")
_OTHER_TIME: Final = re.compile(
    r"\b(?:after|before|between|by|since|through|to|till?|until|nach|vor|seit|bis|zwischen|ab|après|avant|depuis|entre|"
    r"jusqu['’]au|desde|hasta|antes de|después de|dopo|prima del|dal)(?:\s+(?:the|dem|le|el|del|il))?\s*\Z",
    re.IGNORECASE,
)
"""Before a date that bounds a time, or to which something was moved: what is sought is in other documents."""
_NEAR: Final = 40
"""Characters before a date that are read."""
_SERIES: Final = 3
"""Documents with a date in their titles."""
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """The words of a question.

    Attributes:
        words: In lower case, without possessive endings.
        places: The numbers of each word's places.
    """

    words: list[str]
    places: Mapping[str, list[int]]

    @classmethod
    def of(cls, question: str) -> "_Asked":
        places = defaultdict(list)
        words = _words(_ACCORDING.sub("per", question))
        for at, word in enumerate(words):
            places[word].append(at)
        return cls(words, places)

    def is_introduced(self, start: int, end: int, *, is_kind: bool) -> bool:
        """Whether the words from ``start`` to ``end`` stand as the name of a document, by what is around them.

        ``is_kind`` says that the title has a word such as "agreement".
        """
        article, before, after = self.around(start, end)
        is_released = before == "under" and not _RELEASED.isdisjoint(self.words[max(start - 3, 0) : start])
        is_whole = not after or after in _AFTER
        is_after = before in (_INTRODUCTIONS if article and is_kind else _ALONE) and not is_released
        return (is_after and is_whole) or (is_kind and bool(article) and after in _SAYING)

    def around(self, start: int, end: int) -> tuple[str, str, str]:
        """The article before these words, the word before that, and the word after them; each ``""`` if absent."""
        before = ["", "", *self.words[max(start - 2, 0) : start]]
        article = before.pop() if before[-1] in _ARTICLES else ""
        return article, before[-1], next(iter(self.words[end : end + 1]), "")


_Places = dict[str, tuple[int, int]]
"""Where the question names each document."""


def named_documents(question: str, titles: Mapping[str, str]) -> Named:
    """The documents that the question names by title, initials or date; none if these are most of ``titles``.

    A title of two words or more counts after "under the" and "according to the". A title with a word such as
    "agreement" counts anywhere if it has three words or more; if it has two, and by its initials, it counts after "in
    our" and the like too, or if "say", "require" and the like follow. A title within a longer one that the
    question has as well does not count. The question names nothing if it joins or compares what it names with
    something else. A date, or a month with its year, names the documents of a series whose titles have it, if the
    question has another word of these titles, or is about a meeting as they are; not after "since" and the like.

    >>> titles = {"a": "Cloud Service Agreement", "b": "Refund policy", "c": "GitHub Terms of Service"}
    >>> titles |= {"d": "Terms of Service", "e": "Benefits", "f": "Security"}
    >>> named_documents("What does the CSA say about the refund policy?", titles).documents
    ['a']
    >>> named_documents("Which law governs GitHub's terms of service?", titles).documents
    ['c']
    >>> series = {"1": "Minutes of 2025-03-05", "2": "Minutes of 2025-03-19", "3": "Minutes of 2025-04-02"}
    >>> named_documents("Who was present on 19 March 2025?", series)
    Named(documents=['2'], question='Who was present?')
    """
    asked = _Asked.of(question)
    found = _by_title(asked, titles) | _by_initials(asked, question, titles)
    titled = set() if _is_joined(asked, [*found.values()]) else {*found}
    dated = {*_dated(asked, question, titles)}
    named = titled & dated or titled | dated
    if not named or len(named) > _MOST * len(titles):
        return Named([], question)
    rest = _without_date(question) if dated else question
    return Named([one for one in titles if one in named], rest)


def _words(text: str) -> list[str]:
    return _WORD.findall(_POSSESSIVE.sub("", text.casefold()))


def _by_title(asked: _Asked, titles: Mapping[str, str]) -> _Places:
    places = ((one, _place(asked, title)) for one, title in titles.items())
    found = {one: place for one, place in places if place}
    distinct = {*found.values()}
    return {one: place for one, place in found.items() if not any(_is_within(place, other) for other in distinct)}


def _place(asked: _Asked, title: str) -> tuple[int, int] | None:
    """Where the words of a title stand in the question as the name of a document; None if they do not."""
    first = _WORD.search(title)
    if not first or first.group().casefold() not in (*asked.places, "the"):
        return None
    words = _words(title)
    words = words[words[:1] == ["the"] :]
    if not asked.places.keys() >= {*words}:
        return None
    is_kind = not _OF_KINDS.isdisjoint(words)
    n_telling = sum(word not in STOP_WORDS for word in words)
    is_sure = is_kind and n_telling >= _SURE
    for start in asked.places.get(words[0], ())[:_PLACES] if n_telling >= _LEAST else ():
        end = start + len(words)
        if asked.words[start:end] == words and (is_sure or asked.is_introduced(start, end, is_kind=is_kind)):
            return start, end
    return None


def _is_within(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place != other and other[0] <= place[0] and place[1] <= other[1]


def _by_initials(asked: _Asked, question: str, titles: Mapping[str, str]) -> _Places:
    """The documents whose title's initials the question has, introduced as a name."""
    found: _Places = {}
    for abbreviation in dict.fromkeys(_ABBREVIATION.findall(question)):
        places = asked.places.get(abbreviation.casefold(), [])
        introduced = next((at for at in places if asked.is_introduced(at, at + 1, is_kind=True)), None)
        initials = spelled_out(abbreviation) if introduced is not None else None
        if initials and introduced is not None:
            place = (introduced, introduced + 1)
            named = (one for one, title in titles.items() if initials.fullmatch(title))
            found |= {one: place for one in named if not _OF_KINDS.isdisjoint(_words(titles[one]))}
    return found


def _is_joined(asked: _Asked, places: Sequence[tuple[int, int]]) -> bool:
    """Whether the question joins or compares a single name with something that is no name of a document."""
    distinct = {*places}
    if len(distinct) != 1:
        return False
    _, *beside = asked.around(*distinct.pop())
    return not (_JOINED.isdisjoint(beside) and _COMPARED.isdisjoint(asked.places))


def _dated(asked: _Asked, question: str, titles: Mapping[str, str]) -> Iterator[str]:
    """The documents of a series whose titles have the dates of the question, or dates within its month."""
    found = [*dates_in(question)]
    if any(_OTHER_TIME.search(question[max(0, start - _NEAR) : start]) for (start, _), _ in found):
        return
    wanted = [iso for _, iso in found]
    years = {iso[:4] for iso in wanted}
    of_years = (one for one, title in titles.items() if any(year in title for year in years))
    dates = {one: date for one in of_years if (date := first_date(titles[one]))}
    all_known = all(any(date.startswith(iso) for date in dates.values()) for iso in wanted)
    if wanted and all_known and len(dates) >= _SERIES and _is_about(asked, (titles[one] for one in dates)):
        yield from (one for one, date in dates.items() if date.startswith((*wanted,)))


def _is_about(asked: _Asked, titles: Iterable[str]) -> bool:
    """Whether the question shares a word with these titles, or is about meetings as they are."""
    words = {word for title in titles for word in _words(without_dates(title))} - STOP_WORDS
    words |= _OF_MEETINGS if words & _OF_MEETINGS else set()
    return any(word in asked.places for word in words)


def _without_date(question: str) -> str:
    """The question without its date, if there is one only and the rest is a sentence."""
    dates = [*dates_in(question)]
    (start, end), _ = dates[0]
    before = _DATE_BEFORE.search(question, max(0, start - _NEAR), start)
    if len(dates) > 1 or not before or not _DATE_AFTER.match(question[end:]):
        return question
    return question[: before.start()] + question[end:]
