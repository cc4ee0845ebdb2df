"""What stands under a heading: the items below "Present", if the question asks who was present."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.dates import dates_in, without_dates
from treatise.core.document import Document, ParagraphKind, Section, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import n_words
from treatise.generate.listed import in_few_words, pieces, plain_item
from treatise.generate.quoted import quoted_answer

_ASKS: Final = re.compile(
    r"(?:who (?:is|are|was|were)|(?:which|what)(?: \w+)? (?:are|were)|what (?:is|was) (?:on|out of)|list|name)\b",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(r"\b(?:not|never|no|nobody|without|except)\b|n['’]t\b", re.IGNORECASE)
_COUNTS: Final = re.compile(r"how many\b", re.IGNORECASE)
_WHO: Final = (
    r"(?:who|how many(?: (?:people|persons|members|participants|attendees|of them))?) "
    r"(?:(?:is|are|was|were|has|have) )?"
)
_THERE: Final = (
    r"(?: (?:in|at|to|from))?(?: (?:the|this|that|our|its|last) (?:[\w-]+ ){0,4}?"
    r"(?:meeting|call|session|conference|workshop|hearing|assembly|event|retrospective|retro|standup)\b(?P<which>.*))?\W*"
)
_CAME: Final = re.compile(
    rf"{_WHO}(?:there|present|attending|attended|participat(?:ed|ing)|took part|taken part|came|come|in attendance|at)"
    rf"{_THERE}",
    re.IGNORECASE,
)
_STAYED_AWAY: Final = re.compile(
    rf"{_WHO}(?:absent|excused|missing|sent (?:an )?apolog(?:y|ies)|apologi[sz]ed|missed|"
    r"(?:(?:did|could|was|were|has|have)(?: not|n['’]t)|not) (?:there|present|attend(?:ed)?|come|participated?))"
    rf"{_THERE}",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(
    r"(?!.*\b(?:not|non|un\w+)\b)(?:\w+ ){0,2}(?:present|in attendance|attendance|attendees|attending|"
    r"attended|participants|participating)"
    r"(?: members?)?\W*",
    re.IGNORECASE,
)
_ABSENT: Final = re.compile(
    r"(?:\w+ )?(?:absent|absentees|absences?|apologies|regrets|excused|not present|not attending)"
    r"(?: (?:for absence|members?))?\W*",
    re.IGNORECASE,
)
_ADDRESS: Final = re.compile(r"<?\b(?:https?://|www\.|mailto:)[^\s>]*>?|\S+@\S+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_WORDS: Final = re.compile(r"\w+")
_SMALL: Final = frozenset(("of", "on", "in", "at", "the", "held", "for", "that", "was", "a"))
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_NO_PERSON: Final = re.compile(r"\b(?:none|nobody|n/a|must|should|may|shall|is|are|will)\b", re.IGNORECASE)
_SEVERAL: Final = re.compile(r"[,;&]|\band\b|\d")
_ITEMS: Final = range(1, 31)
_MAX_WORDS: Final = 200
_SHARE: Final = 0.6
"""Of the question's words without those of the title and of the headings above, which the heading must have."""


def answer_under_heading(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The items of the list that is all of a section, if its heading says what the question asks for, or their number.

    All words of the heading are in the question, and most of the question's words in it, above it or in the title; or
    the heading is of those who came to a meeting, or of those who did not, and the question asks who they were, or how
    many. None if the question asks for something else, if no section of a document with evidence is such a list, or if
    sections of several documents are.
    """
    if not any(asks.match(evidence.question.strip()) for asks in (_ASKS, _CAME, _STAYED_AWAY)):
        return None
    searched = {passage.document for passage in evidence.passages}
    read = documents if len(documents) == 1 else [one for one in documents if one.id in searched]
    found = list(filter(None, (_in_document(evidence, one) for one in read)))
    return found[0] if len(found) == 1 else None


def _in_document(evidence: Evidence, document: Document) -> Answer | None:
    question = evidence.question.strip()
    asks = next((one for one in (_STAYED_AWAY, _CAME) if one.fullmatch(question)), None)
    if asks:
        found = [at for at in range(len(document.sections)) if _is_attendance(question, asks, document, at)]
        return _attendance(evidence, document, _items(document, found[0])) if len(found) == 1 else None
    asked_for = (at for at, section in enumerate(document.sections) if _is_asked_for(question, section, document))
    items = next(filter(None, (_items(document, at) for at in asked_for)), None)
    return _listed(evidence, document, items, map(in_few_words, _plain(document, items))) if items else None


def _is_attendance(question: str, asks: re.Pattern[str], document: Document, at: int) -> bool:
    """Whether a heading is of those who came to the meeting that the question names, or of those who did not."""
    section = document.sections[at]
    heading = section.title.strip()
    is_absent = bool(_ABSENT.fullmatch(heading))
    says = is_absent if asks is _STAYED_AWAY else bool(_PRESENT.fullmatch(heading)) and not is_absent
    above = " ".join((document.title, *document.section_path(section.start)[:-1])).casefold()
    named = asks.fullmatch(question)
    which = (named["which"] or "") if named else ""
    dates, known = {date for _, date in dates_in(which)}, {date for _, date in dates_in(above)}
    words = _WORDS.findall(without_dates(which).casefold())
    return says and dates <= known and all(word in above for word in words if word not in _SMALL)


def _attendance(evidence: Evidence, document: Document, items: list[Span]) -> Answer | None:
    """Who came, or how many; None if a line is not of people, or if lines of several are to be counted."""
    people = [_IN_BRACKETS.sub("", item).strip(" ,;.") for item in _plain(document, items)]
    if not items or not all(one[:1].isupper() and not _NO_PERSON.search(one) for one in people):
        return None
    if not _COUNTS.match(evidence.question):
        return _listed(evidence, document, items, people)
    starts = {document.text.rfind("\n", 0, item.start) + 1 - item.start for item in items}
    if len(starts) > 1 or any(_SEVERAL.search(one) for one in people):
        return None
    direct = DirectAnswer(str(len(items)), "computed", 1.0, tuple(range(len(items))))
    return replace(quoted_answer(evidence, document, items, 1.0), direct=direct)


def _listed(evidence: Evidence, document: Document, items: list[Span], texts: Iterable[str]) -> Answer:
    answer = quoted_answer(evidence, document, items, 1.0)
    text = ", ".join(one.rstrip(" ,;") for one in texts)
    return replace(answer, direct=DirectAnswer(text, str(SpanAnswerKind.LIST), 1.0, tuple(range(len(items)))))


def _plain(document: Document, items: list[Span]) -> list[str]:
    """The items without marks, markup and addresses."""
    return [_ADDRESS.sub("", plain_item(document.quote(one.start, one.end))) for one in items]


def _is_asked_for(question: str, section: Section, document: Document) -> bool:
    """Whether the items under a heading are what the question asks for."""
    if not _ASKS.match(question) or _NEGATED.search(question):
        return False
    above = " ".join((document.title, *document.section_path(section.start)[:-1])).casefold()
    return _says(section.title.strip().casefold(), {*pieces(question.casefold())}, above)


def _says(heading: str, wanted: set[str], above: str) -> bool:
    """Whether the question has all words of a heading, and the heading most of those that the ones above it lack."""
    of_heading = set(pieces(heading))
    left = {piece for piece in wanted if piece not in above}
    return bool(of_heading) and of_heading <= wanted and len(of_heading & left) >= _SHARE * len(left)


def _items(document: Document, at: int) -> list[Span]:
    """The items of the list that is all of a section; empty if it is not, or if the list is long."""
    items = [trim(document.text, one) for one in _paragraphs(document, at) if _is_named(document, one)]
    texts = [document.quote(one.start, one.end) for one in items]
    is_short = len(items) in _ITEMS and sum(map(n_words, texts)) <= _MAX_WORDS
    return items if is_short and not any(map(addresses_a_model, texts)) else []


def _is_named(document: Document, item: Span) -> bool:
    """Whether an item has words besides addresses."""
    return bool(_LETTERS.search(_ADDRESS.sub("", document.quote(item.start, item.end))))


def _paragraphs(document: Document, at: int) -> Iterator[Span]:
    """The paragraphs of a section without its heading; none if one of them is no item of a list."""
    ends = [one.start for one in document.sections[at + 1 : at + 2]] or [len(document.text)]
    inside = [one for one in document.paragraphs if document.sections[at].start <= one.start < ends[0]]
    if all(one.kind is ParagraphKind.LIST for one in inside[1:]):
        yield from (Span(one.start, one.end) for one in inside[1:])
