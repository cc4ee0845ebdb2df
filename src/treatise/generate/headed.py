"""What stands under a heading: the items below "Present", if the question asks who was present."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, ParagraphKind, Section, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import n_words
from treatise.generate.listed import in_few_words, pieces
from treatise.generate.quoted import quoted_answer

_ASKS: Final = re.compile(
    r"(?:who (?:is|are|was|were)|(?:which|what)(?: \w+)? (?:are|were)|what (?:is|was) on|list|name)\b", re.IGNORECASE
)
_NEGATED: Final = re.compile(r"\b(?:not|never|no|nobody|without|except)\b|n['’]t\b", re.IGNORECASE)
_ITEMS: Final = range(2, 31)
_MAX_WORDS: Final = 200
_SHARE: Final = 0.6
"""Of the question's words without those of the title, which the heading must have."""


def answer_under_heading(evidence: Evidence, document: Document) -> Answer | None:
    """The items of the list that is all of a section, if its heading says what the question asks for.

    All words of the heading are in the question, and most of the question's words in the heading or the title. None if
    the question does not ask for several things, asks who is not there, or if no section is such a list.
    """
    question = evidence.question.strip()
    if not _ASKS.match(question) or _NEGATED.search(question):
        return None
    title = document.title.casefold()
    wanted = {piece for piece in pieces(question.casefold()) if piece not in title}
    asked_for = (at for at, section in enumerate(document.sections) if _says(section, wanted))
    lists = filter(None, (_items(document, at) for at in asked_for))
    items = next(lists, None)
    if not items:
        return None
    texts = [in_few_words(document.quote(one.start, one.end)) for one in items]
    answer = quoted_answer(evidence, document, items, 1.0)
    places = tuple(range(len(items)))
    return replace(answer, direct=DirectAnswer(", ".join(texts), str(SpanAnswerKind.LIST), 1.0, places))


def _says(section: Section, wanted: set[str]) -> bool:
    heading = section.title.casefold()
    of_heading = set(pieces(heading))
    return bool(of_heading) and of_heading <= wanted and len(of_heading) >= _SHARE * len(wanted)


def _items(document: Document, at: int) -> list[Span]:
    """The items of the list that is all of a section; empty if it is not, or if the list is long."""
    items = [trim(document.text, one) for one in _paragraphs(document, at)]
    texts = [document.quote(one.start, one.end) for one in items]
    is_short = len(items) in _ITEMS and sum(map(n_words, texts)) <= _MAX_WORDS
    return items if is_short and not any(map(addresses_a_model, texts)) else []


def _paragraphs(document: Document, at: int) -> Iterator[Span]:
    """The paragraphs of a section without its heading; none if one of them is no item of a list."""
    ends = [one.start for one in document.sections[at + 1 : at + 2]] or [len(document.text)]
    inside = [one for one in document.paragraphs if document.sections[at].start <= one.start < ends[0]]
    if all(one.kind is ParagraphKind.LIST for one in inside[1:]):
        yield from (Span(one.start, one.end) for one in inside[1:])
