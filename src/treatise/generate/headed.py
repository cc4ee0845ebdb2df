"""What stands under a heading: the items below "Members", if the question asks who the members are."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Section, Span
from treatise.core.evidence import Evidence
from treatise.generate.listed import in_few_words, pieces
from treatise.generate.people import people_below
from treatise.generate.section_lists import listed_answer, plain_items, section_items

_ASKS: Final = re.compile(
    r"(?:who (?:is|are|was|were)|(?:which|what)(?: \w+)? (?:are|were)|what (?:is|was) (?:on|out of)|list|name|"
    r"(?:the )?names of)\b",
    re.IGNORECASE,
)
_ASKS_PEOPLE: Final = re.compile(r"who (?:is|are|was|were)\b|(?:(?:list|name) )?(?:the )?names of\b", re.IGNORECASE)
_FULL_NAME: Final = re.compile(r"[^\W\d_a-z]\S*(?: \S+)* [^\W\d_a-z]\S*")
_REMARK: Final = re.compile(r"\s*\([^()]*\)$")
_NEGATED: Final = re.compile(r"\b(?:not|never|no|nobody|without|except)\b|n['’]t\b", re.IGNORECASE)
_SHARE: Final = 0.6
"""Of the question's words without those of the title and of the headings above, which the heading must have."""


def answer_under_heading(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The items of the list that is all of a section, or its people, if its heading says what the question asks for.

    All words of the heading are in the question, and most of the question's words in it, above it or in the title.
    None if the question asks for something else, if no section of a document with evidence is such a list, or if
    sections of several documents are.
    """
    if not _ASKS.match(evidence.question.strip()) or _NEGATED.search(evidence.question):
        return None
    found = list(filter(None, (_in_document(evidence, one) for one in with_evidence(evidence, documents))))
    return found[0] if len(found) == 1 else None


def with_evidence(evidence: Evidence, documents: Sequence[Document]) -> list[Document]:
    """The documents of the passages; the only document in any case."""
    searched = {passage.document for passage in evidence.passages}
    return [one for one in documents if len(documents) == 1 or one.id in searched]


def _in_document(evidence: Evidence, document: Document) -> Answer | None:
    question = evidence.question.strip().casefold()
    asks_people = _ASKS_PEOPLE.match(question)
    wanted = {*pieces(question[asks_people.end() :] if asks_people else question)}
    asked_for = [at for at, section in enumerate(document.sections) if _is_asked_for(wanted, section, document)]
    if items := next(filter(None, (section_items(document, at) for at in asked_for)), None):
        return listed_answer(evidence, document, items, map(in_few_words, plain_items(document, items)))
    people = next(filter(None, (_people(document, at) for at in asked_for)), None) if asks_people else None
    if not people:
        return None
    return listed_answer(
        evidence, document, [line for line, _ in people], [one for _, names in people for one in names]
    )


def _people(document: Document, at: int) -> list[tuple[Span, list[str]]]:
    """The people below a heading: full names, at least two, each in a line of its own or all in one line."""
    found = people_below(document, at, with_remarks=True)
    names = [_REMARK.sub("", name) for _, of_line in found for name in of_line]
    is_clear = len(names) > 1 and all(map(_FULL_NAME.fullmatch, names))
    return found if is_clear and len(found) in (1, len(names)) else []


def _is_asked_for(wanted: set[str], section: Section, document: Document) -> bool:
    """Whether these are all words of a heading, and the heading has most of those that the ones above it lack."""
    of_heading = {*pieces(section.title.strip().casefold())}
    if not of_heading or not of_heading <= wanted:
        return False
    above = " ".join((document.title, *document.section_path(section.start)[:-1])).casefold()
    left = {piece for piece in wanted if piece not in above}
    return len(of_heading & left) >= _SHARE * len(left)
