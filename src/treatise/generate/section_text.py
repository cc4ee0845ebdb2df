"""What a section says: its first sentences, if the question names it by its number ("What does section 4 say?")."""

import re
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.words import n_words
from treatise.generate.beside import Places
from treatise.generate.identifiers import identifiers
from treatise.generate.quoted import quoted_answer

_WORDS: Final = 60
_MIN_WORDS: Final = 4  # of a sentence; shorter ones are headings
_ASKS: Final = lazy_pattern(
    r"(?:what (?:does|do) .{3,40} (?:say|state|describe|cover|contain|regulate|require|provide)|what(?: is|'s) (?:in|"
    r"said in|written in) .{3,40}|what(?: is|'s) .{3,40} about|was (?:steht in|sagt|besagt|regelt) .{3,40}|"
    r"que (?:dit|contient) .{3,40}|qué dice .{3,40})",
    re.IGNORECASE,
)


def answer_section(evidence: Evidence, document: Document) -> Answer | None:
    """The first sentences of the section that the question asks for; None if it asks for something else."""
    plain = " ".join(evidence.question.split()).strip(" ?？!.¿")
    named = [one for one in identifiers(plain) if one.is_part]
    if len(named) != 1 or not _ASKS.fullmatch(plain) or not plain.casefold().find(str(named[0]).casefold()) > 0:
        return None
    places = Places(document, named[0])
    stretch = next(places.stretches(), None) if places.tells else None
    spans = _first(document, stretch) if stretch else []
    if not spans:
        return None
    return quoted_answer(evidence, document, spans, 1.0)


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
