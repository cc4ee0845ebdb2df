"""The sentence in which a document gives a thing its name: 'as of May 31, 2019 (the "Effective Date")'."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import defined_term, given_name, introduces

_QUOTES: Final = '"“„«'
_DEFINITION: Final = lazy_pattern(
    rf"[{_QUOTES}][^\"“”„«»]{{2,60}}[\"”“»]\s+(?:shall |will )?(?:means?|has the meaning)\b"
)
_MOST: Final = 3  # sentences of a document that give the name


def with_introduction(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with the sentences that give the term of the question its name, if it lacks them."""
    term = defined_term(evidence.question) or given_name(evidence.question)
    if not term or not evidence.passages:
        return evidence
    known = {(one.document, one.span) for one in evidence.passages}
    best = max(one.score for one in evidence.passages)
    found = (passage for one in documents for passage in _introducing(term, one, best))
    added = tuple(one for one in found if (one.document, one.span) not in known)
    passages = (*evidence.passages, *added)
    return (
        replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages)) if added else evidence
    )


def _introducing(term: str, document: Document, score: float) -> list[Passage]:
    """The first sentences that introduce a term, as passages; of a run of definitions, its own."""
    found: list[Passage] = []
    for start in _quoted(term, document.text):
        sentences = document.paragraph_at(start).sentences
        span = trim(document.text, next(one for one in sentences if start < one.end))
        span = _own_part(document, span, start)
        text = document.quote(span.start, span.end)
        is_new = not found or found[-1].span != span
        if is_new and introduces(term, " ".join(text.split())):
            found.append(Passage(document.id, span, text, score))
        if len(found) == _MOST:
            break
    return found


def _own_part(document: Document, sentence: Span, start: int) -> Span:
    """The definition that begins at ``start`` within a sentence that is a run of them; else the sentence."""
    definitions = [match.start() for match in _DEFINITION.finditer(document.text, sentence.start, sentence.end)]
    if start not in definitions or len(definitions) == 1:
        return sentence
    after = next((one for one in definitions if one > start), sentence.end)
    return trim(document.text, Span(start, after))


def _quoted(term: str, text: str) -> Iterator[int]:
    """Where a term stands in quotation marks."""
    words = r"\s+".join(map(re.escape, term.split()))
    return (match.start() for match in re.finditer(rf"[{_QUOTES}]{words},?[\"”“»]", text, re.IGNORECASE))
