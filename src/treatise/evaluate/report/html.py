"""An interactive HTML report: from scores to questions, and from questions to evidence in documents."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from treatise.core.document import Document, ParagraphKind, Span
from treatise.evaluate.data.dataset import LabelledDocument, Question, Reference, Retrieved
from treatise.evaluate.report.collect import Results
from treatise.evaluate.report.page import page, utf16_offsets
from treatise.evaluate.report.summary import Cell, Measured, Row, compare, measure
from treatise.evaluate.report.tables import as_markdown


def report_html(results: Results, *, baseline: str | None = None, n_documents: int | None = None) -> str:
    """The whole report as one HTML page.

    Args:
        results: The measured results.
        baseline: The recipe to compare with; if None, the baseline of the results.
        n_documents: Maximum number of documents with full text, those with the lowest-scoring questions; all if None.
            All questions are listed either way.

    Raises:
        DataError: If no cell is the baseline's, or a cell has no result for a question.
    """
    baseline = baseline or results.baseline
    measured = measure(results.dataset, results.documents, results.cells)
    rows = compare(measured, results.documents, baseline=baseline, seed=results.records[0].seed)
    kept = _kept(results.documents, measured, n_documents)
    index = {
        "dataset": results.dataset.name,
        "metrics": list(rows[0].scores),
        "baseline": baseline,
        "records": [asdict(record) for record in results.records],
        "cells": [
            _cell(row, one, cell, results.documents, kept)
            for row, one, cell in zip(rows, measured, results.cells, strict=True)
        ],
        "questions": [
            _question(question, number, labelled.document)
            for number, labelled in enumerate(results.documents)
            for question in labelled.questions
        ],
        "documents": [labelled.document.title or labelled.document.id for labelled in results.documents],
    }
    texts = {str(number): _text(results.documents[number].document) for number in sorted(kept)}
    return page(
        "report",
        title=f"{results.dataset.name}: {', '.join(dict.fromkeys(row.recipe for row in rows))}",
        data={"index": index, "texts": texts},
        fallback=as_markdown(rows),
    )


def _kept(documents: Sequence[LabelledDocument], measured: Sequence[Measured], n: int | None) -> set[int]:
    """Indices of the documents to include with text: those with the lowest scores of the first metric in any cell."""
    if n is None or n >= len(documents) or not measured[0].values:
        return set(range(len(documents)))
    first = next(iter(measured[0].values))
    lowest = np.fmin.reduce([one.values[first] for one in measured])
    clusters = [number for number, labelled in enumerate(documents) for _ in labelled.questions]
    by_score = sorted(zip(lowest, clusters, strict=True), key=lambda pair: (math.isnan(pair[0]), *pair))
    return set(list(dict.fromkeys(number for _, number in by_score))[:n])


def _cell(
    row: Row, measured: Measured, cell: Cell, documents: Sequence[LabelledDocument], kept: set[int]
) -> dict[str, Any]:
    asked = [(number, labelled, one) for number, labelled in enumerate(documents) for one in labelled.questions]
    found = [
        _retrieved(labelled.document, cell[2][question.id]) if number in kept else None
        for number, labelled, question in asked
    ]
    return {
        "recipe": row.recipe,
        "budget": row.budget,
        "words": round(row.n_words, 1),
        "scores": {name: asdict(mean) for name, mean in row.scores.items()},
        "differences": {name: asdict(difference) for name, difference in row.differences.items()},
        "values": {name: [_rounded(value) for value in values] for name, values in measured.values.items()},
        "retrieved": found,
    }


def _retrieved(document: Document, retrieved: Retrieved) -> dict[str, Any]:
    """The spans in the first document; also the context, if it differs from their texts."""
    numbers = retrieved.documents or (0,) * len(retrieved.spans)
    shown = [span for number, span in zip(numbers, retrieved.spans, strict=True) if not number]
    quoted = "\n\n".join(document.text[span.start : span.end] for span in shown)
    spans = {"spans": _pairs(document, shown)}
    return spans if quoted == retrieved.context else spans | {"context": retrieved.context}


def _question(question: Question, document: int, text: Document) -> dict[str, Any]:
    return {
        "id": question.id,
        "text": question.text,
        "document": document,
        "options": list(question.options),
        "references": [_reference(reference, text) for reference in question.references],
    }


def _reference(reference: Reference, document: Document) -> dict[str, Any]:
    """Spans of the gold evidence, and its texts that do not occur in the document."""
    lost = [piece for piece in reference.evidence if piece not in document.text]
    return {
        "answer": reference.answer,
        "kind": reference.kind.value,
        "spans": _pairs(document, reference.spans),
        "lost": lost,
    }


def _text(document: Document) -> dict[str, Any]:
    headings = [
        Span(paragraph.start, paragraph.end)
        for paragraph in document.paragraphs
        if paragraph.kind is ParagraphKind.HEADING
    ]
    return {"text": document.text, "headings": _pairs(document, headings)}


def _pairs(document: Document, spans: Iterable[Span]) -> list[list[int]]:
    """Start and end of each span in UTF-16 units, as in JavaScript."""
    flat = utf16_offsets(document.text, [edge for span in spans for edge in (span.start, span.end)])
    return [flat[i : i + 2] for i in range(0, len(flat), 2)]


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(float(value), 2)
