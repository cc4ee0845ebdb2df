"""The sentences of a model's answer, each with checked citations."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.ports import Encoder
from treatise.generate.check import check, shared_words
from treatise.generate.citations import MAX_CITED, cite

_MAX_READ: Final = 24  # places below a note whose vectors are compared: those with the most common words
_CITED: Final = re.compile(r"\s*((?:\[\d+(?:\s*,\s*\d+)*\]\s*)+)([.!?。！？]?)")
_NUMBER: Final = re.compile(r"\d+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])|(?<=[。！？])|\n+")

_Place = tuple[str, Span]
"""A document's id and a span in it."""


def checked_answer(written: str, evidence: Evidence, documents: Sequence[Document], encoder: Encoder) -> Answer:
    """The answer, each sentence checked against the places that it cites, never against a note on them.

    A sentence without a citation is checked against the passage with most of its words, and cites it if that supports
    the sentence.
    """
    written_sentences = cited_sentences(written, n_passages=len(evidence.passages))
    sentences = _once(written_sentences)
    by_id = {document.id: document for document in documents}
    places = [_places_of(text, numbers, evidence, by_id, encoder) for text, numbers in sentences]
    quotes = [[by_id[document].quote(span.start, span.end) for document, span in of_one] for of_one in places]
    support = check([text for text, _ in sentences], quotes, encoder)
    cited = [
        of_one if numbers or found is not Support.UNVERIFIED else []
        for (_, numbers), of_one, found in zip(sentences, places, support, strict=True)
    ]
    answer = _answer([text for text, _ in sentences], cited, support, evidence, by_id)
    return replace(answer, notes=_notes(support, n_repeated=len(written_sentences) - len(sentences)))


def _places_of(
    text: str, numbers: Sequence[int], evidence: Evidence, documents: Mapping[str, Document], encoder: Encoder
) -> list[_Place]:
    """The places that a sentence is checked against."""
    passages = [evidence.passages[i] for i in numbers] or _nearest(text, evidence.passages)
    return [place for passage in passages for place in _places(text, passage, documents, encoder)]


def _answer(
    texts: Sequence[str],
    places: Sequence[Sequence[_Place]],
    support: Sequence[Support],
    evidence: Evidence,
    documents: Mapping[str, Document],
) -> Answer:
    used = list(dict.fromkeys(place for of_one in places for place in of_one))
    statements = tuple(
        Statement(text, tuple(dict.fromkeys(map(used.index, of_one))), found)
        for text, of_one, found in zip(texts, places, support, strict=True)
    )
    return Answer(
        question=evidence.question,
        text=" ".join(texts),
        statements=statements,
        citations=tuple(cite(documents[document], span) for document, span in used),
        evidence=evidence,
        found=True,
    )


def _notes(support: Sequence[Support], *, n_repeated: int) -> tuple[str, ...]:
    n_unverified = sum(found is Support.UNVERIFIED for found in support)
    notes = [f"{n_unverified} of {len(support)} sentences could not be verified"] if n_unverified else []
    if n_repeated:
        notes.append(f"the model repeated itself: {n_repeated} sentences were left out")
    return tuple(notes)


def _nearest(statement: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passage with the most words of the statement; empty if none has any."""
    best = max(passages, key=lambda passage: shared_words(statement, passage.text), default=None)
    return [best] if best and shared_words(statement, best.text) else []


def _once(sentences: Sequence[tuple[str, list[int]]]) -> list[tuple[str, list[int]]]:
    """Each sentence once, in order of first use: weak models repeat themselves."""
    first: dict[str, list[int]] = {}
    for text, numbers in sentences:
        first.setdefault(text, numbers)
    return list(first.items())


def _places(
    statement: str, passage: Passage, documents: Mapping[str, Document], encoder: Encoder
) -> list[tuple[str, Span]]:
    """The place of a passage; for a note, the places below it nearest to the statement, in text order."""
    spans = list(passage.noted or (passage.span,))
    if len(spans) > MAX_CITED:
        document = documents[passage.document]
        texts = [document.quote(span.start, span.end) for span in spans]
        alike = sorted(range(len(spans)), key=lambda i: -shared_words(statement, texts[i]))[:_MAX_READ]
        vectors = encoder.encode([statement, *(texts[i] for i in alike)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:MAX_CITED]
        spans = [spans[i] for i in sorted(alike[k] for k in order)]
    return [(passage.document, span) for span in spans]


def cited_sentences(written: str, *, n_passages: int) -> list[tuple[str, list[int]]]:
    """The sentences and the 0-based passages that each cites; unknown numbers are dropped.

    Citations belong only to the sentence that they end; a sentence without citations at its end cites nothing.
    """
    found: list[tuple[str, list[int]]] = []
    at = 0
    for marks in _CITED.finditer(written):
        numbers = [int(n) - 1 for n in _NUMBER.findall(marks.group(1))]
        valid = [n for n in dict.fromkeys(numbers) if 0 <= n < n_passages]
        texts = _split(written[at : marks.start()].rstrip() + marks.group(2))
        found += [(text, []) for text in texts[:-1]] + [(text, valid) for text in texts[-1:]]
        at = marks.end()
    return found + [(text, []) for text in _split(written[at:])]


def _split(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
