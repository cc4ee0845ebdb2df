"""Chunks taken apart, for whoever quotes sentences: each with a score, and how likely one of them answers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats, standardise
from treatise.retrieve.confidence import IN_CHUNKS, confidence, signals_of


def in_sentences(evidence: Evidence, indexed: Sequence[IndexedDocument], encoder: Encoder) -> Evidence:
    """The evidence with a passage for every sentence of each passage, scored by its own cosine with the question.

    Scores are scaled by their mean and deviation, as those of nodes are. The confidence is that of the sentences: a
    chunk's vector is a mixture, so its cosine says little of whether one sentence of it answers.
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
    """The sentences of a part of a document, without whitespace at their ends; its edges may cut the outer ones."""
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
