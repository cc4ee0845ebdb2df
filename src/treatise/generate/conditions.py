"""Conditions: the items below "if both of the following conditions are met:", if the question asks what they are."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, trim
from treatise.core.evidence import Evidence, Passage
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.headed import with_evidence
from treatise.generate.listed import Listing, list_below, pieces
from treatise.generate.quoted import quoted_as

_SORT: Final = r"(?:conditions?|requirements?|prerequisites?|criteri(?:a|on))"
_ASKS: Final = lazy_pattern(
    r"what (?:has to|have to|must|needs? to|should) be (?:true|met|fulfilled|satisfied|the case)\b(?P<of>.+)|"
    rf"(?:under |on )?(?:what|which) {_SORT} (?:must|have to|has to|need to|should|are|is|do|does|will|can|apply)\b"
    r"(?P<of2>.+)",
    re.IGNORECASE,
)
_INTRODUCES: Final = lazy_pattern(
    rf"\b(?:the following (?:\w+ ){{0,2}}{_SORT}|(?:both|all|each) of the following)\b[^.]*[:：]\s*$",
    re.IGNORECASE,
)
_COLON: Final = lazy_pattern(r"(?<=[:：])\s*\n")
"""Where the items of a short list, which is a part of its paragraph, begin."""
_NEGATED: Final = lazy_pattern(r"\b(?:not|never|no|without|unless)\b|n['’]t\b", re.IGNORECASE)
_CHOICE: Final = lazy_pattern(r"\b(?:one|any|either|some|at least|two|three) (?:\w+ ){0,2}of\b", re.IGNORECASE)
"""Not all of the conditions must be met."""
_ASKING_WORDS: Final = """
before after will have must need needs been that this them they when where what which with there are met apply fulfilled
"""
_ASKING: Final = frozenset(pieces(_ASKING_WORDS))
_LEAST: Final = 0.5  # share of the question's words that the introduction or the headings above it have


def answer_conditions(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The only list of conditions for what the question speaks of, with the sentence that introduces it.

    None if the question asks for something else, or if the introduction says when it does *not* happen.
    """
    found = _ASKS.fullmatch(evidence.question.strip(" ?"))
    wanted = {*pieces((found["of"] or found["of2"]).casefold())} - _ASKING if found else set()
    if not found or not wanted or _NEGATED.search(evidence.question):
        return None
    lists = [(one, of_list) for one in with_evidence(evidence, documents) for of_list in _lists(one, wanted)]
    if len(lists) != 1:
        return None
    document, of_list = lists[0]
    return quoted_as(evidence, document, [one.span for one in of_list.passages], of_list.text, SpanAnswerKind.LIST)


def _is_other(introduction: str) -> bool:
    """Whether it says when something does not happen, or that not all of the conditions must be met."""
    return bool(_NEGATED.search(introduction) or _CHOICE.search(introduction))


def _lists(document: Document, wanted: set[str]) -> Iterator[Listing]:
    """The lists of conditions whose introduction is about these words: one in itself, most with the headings above."""
    for paragraph in document.paragraphs:
        for sentence in paragraph.sentences:
            place = trim(document.text, sentence)
            text = document.quote(place.start, place.end)
            introduction = _COLON.split(text, maxsplit=1)[0]
            if not _INTRODUCES.search(introduction) or _is_other(introduction):
                continue
            around = " ".join((introduction, *document.section_path(place.start))).casefold()
            has = [piece for piece in wanted if piece in around]
            is_about = any(piece in introduction.casefold() for piece in wanted) and len(has) >= _LEAST * len(wanted)
            if is_about and (of_list := list_below(Passage(document.id, place, text, 1.0), document)):
                yield of_list
