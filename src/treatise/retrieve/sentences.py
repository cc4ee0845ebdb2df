"""Splitting of retrieved chunks into scored sentences, with a confidence for them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats, standardise
from treatise.retrieve.confidence import IN_CHUNKS, confidence, signals_of


def in_sentences(evidence: Evidence, indexed: Sequence[IndexedDocument], encoder: Encoder) -> Evidence:
    """The evidence with one passage per sentence, scored by the sentence's cosine with the question.

    Scores are standardised, as those of nodes. The confidence is computed from sentences: a chunk's vector is a
    mixture, so its cosine says little about a single sentence.
    """
    by_sentence, cosines = parted(evidence, indexed, encoder)
    if not by_sentence.passages:
        return evidence
    signals = signals_of(cosines, indexed, evidence.question, evidence.passages)
    return replace(by_sentence, confidence=confidence(signals, IN_CHUNKS))


def parted(evidence: Evidence, indexed: Sequence[IndexedDocument], encoder: Encoder) -> tuple[Evidence, Floats]:
    """The evidence in sentences, and the cosine of each with the question."""
    by_id = {one.document.id: one.document for one in indexed}
    passages = [part for one in evidence.passages for part in _parts(one, by_id[one.document])]
    asked = encoder.encode_questions([evidence.question])[0]
    cosines = encoder.encode([passage.text for passage in passages]) @ asked
    scores = standardise(cosines)
    scored = (replace(passage, score=float(score)) for passage, score in zip(passages, scores, strict=True))
    return replace(evidence, passages=tuple(scored)), cosines


def sentences_in(document: Document, span: Span) -> Iterator[Span]:
    """The sentences within a span, stripped of whitespace; the first and the last may be truncated."""
    at = span.start
    while at < span.end:
        paragraph = document.paragraph_at(at)
        for sentence in paragraph.sentences:
            start, end = max(sentence.start, span.start), min(sentence.end, span.end)
            if start < end and len(piece := trim(document.text, Span(start, end))):
                yield piece
        at = paragraph.end


def _parts(passage: Passage, document: Document) -> Iterator[Passage]:
    if passage.noted:
        yield passage
        return
    for span in sentences_in(document, passage.span):
        yield replace(passage, span=span, text=document.quote(span.start, span.end))
