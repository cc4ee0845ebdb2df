"""What a section says: its first sentences, if the question names it by its number ("What does section 4 say?") or its
title ("What does it say about pets?").
"""

import re
from collections.abc import Sequence
from typing import Final

from treatise.claims.words import Text
from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.words import n_words
from treatise.generate.beside import Places
from treatise.generate.identifiers import identifiers
from treatise.generate.listed import in_few_words
from treatise.generate.not_found import is_doubted
from treatise.generate.on_topic import asked_topic
from treatise.generate.quoted import quoted_answer
from treatise.generate.section_lists import listed_answer, plain_items, section_items
from treatise.generate.under import extent

_WORDS: Final = 60
_MIN_WORDS: Final = 4  # of a sentence; shorter ones are headings
_ASKS: Final = lazy_pattern(
    r"(?:what (?:does|do) .{3,40} (?:say|state|describe|cover|contain|regulate|require|provide)|what(?: is|'s) (?:in|"
    r"said in|written in) .{3,40}|what(?: is|'s) .{3,40} about|was (?:steht in|sagt|besagt|regelt) .{3,40}|"
    r"que (?:dit|contient) .{3,40}|qué dice .{3,40})",
    re.IGNORECASE,
)


_NUMBER: Final = lazy_pattern(
    r"^\W*(?:(?:article|chapter|section) [\dIVX]+|\d+(?:\.\d+)*|[IVX]+(?=[.):]))[.):]?\s+(?=\w)", re.IGNORECASE
)
_ASKS_TO_DO: Final = lazy_pattern(
    r"\W*(?:how (?:do|does (?:one|someone|somebody|an?)|can|could|may|must|should|to)|"
    r"what (?:do|can|may|must|shall|should|to))\b",
    re.IGNORECASE,
)
_LIKELY: Final = 0.8
"""Probability that a section answers whose title has the question's words."""
_ASKS_ALL: Final = lazy_pattern(
    r"\W*(?:what (?:does|do) .{2,60}? say |what is said |what (?:are the rules|about) |tell |was (?:steht|sagt) |"
    r"que dit |qué dice )",
    re.IGNORECASE,
)
"""What asks for all that is said, not for a decision or for what somebody said."""


def answer_section(evidence: Evidence, document: Document) -> Answer | None:
    """The first sentences of the section that the question asks for; None if it asks for something else."""
    plain = " ".join(evidence.question.split()).strip(" ?？!.¿")
    stretch = _numbered(plain, document) or _titled(plain, document)
    spans = _first(document, stretch) if stretch else []
    return quoted_answer(evidence, document, spans, 1.0) if spans else None


def below_heading(answer: Answer, evidence: Evidence, documents: Sequence[Document]) -> Answer:
    """The items or first sentences of the section whose title has all words of a doubted question that asks how to do
    something or what to do; the answer as it is if it is not doubted, or if not exactly one section has them.

    Words of the document's title may be in the question besides: "What do volunteers bring?" is answered below "What to
    bring" in a guide for volunteers.
    """
    is_open = is_doubted(answer) and len(documents) == 1 and _ASKS_TO_DO.match(evidence.question)
    at = _named(Text(evidence.question).content, documents[0]) if is_open else None
    if at is None:
        return answer
    if items := section_items(documents[0], at):
        return listed_answer(evidence, documents[0], items, map(in_few_words, plain_items(documents[0], items)))
    spans = _first(documents[0], extent(documents[0], at))
    return quoted_answer(evidence, documents[0], spans, _LIKELY) if spans else answer


def _named(wanted: frozenset[str], document: Document) -> int | None:
    """The place of the only section whose title has these stems, but for those of the document's title."""
    of_title = Text(document.title).content
    titles = [_stems(one.title) for one in document.sections]
    named = [at for at, title in enumerate(titles) if title and title <= wanted <= title | of_title]
    return named[0] if len(named) == 1 else None


def _numbered(question: str, document: Document) -> Span | None:
    """The section whose number the question names."""
    named = [one for one in identifiers(question) if one.is_part]
    if len(named) != 1 or not _ASKS.fullmatch(question) or question.casefold().find(str(named[0]).casefold()) <= 0:
        return None
    places = Places(document, named[0])
    return next(places.stretches(), None) if places.tells else None


def _titled(question: str, document: Document) -> Span | None:
    """The section whose title is the topic of the question, if only one has it."""
    wanted = _stems(asked_topic(question)) if _ASKS_ALL.match(question) else frozenset()
    named = [at for at, one in enumerate(document.sections) if wanted and _stems(one.title) == wanted]
    return extent(document, named[0]) if len(named) == 1 else None


def _stems(title: str) -> frozenset[str]:
    """Stems of the words of a title without its number."""
    return Text(_NUMBER.sub("", title)).content


def _first(document: Document, stretch: Span) -> list[Span]:
    """The first sentences of a stretch of text, without headings."""
    found: list[Span] = []
    left = _WORDS
    for span in (trim(document.text, one) for one in document.sentences() if stretch.start <= one.start < stretch.end):
        text = document.quote(span.start, span.end)
        is_heading = document.paragraph_at(span.start).kind is ParagraphKind.HEADING or n_words(text) < _MIN_WORDS
        if is_heading or addresses_a_model(text):
            continue
        left -= n_words(text)
        if left < 0 and found:
            break
        found.append(span)
    return found
