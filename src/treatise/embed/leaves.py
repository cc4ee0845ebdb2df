"""Vectors of the leaves: of their text alone, of their tokens within the paragraph, or a mixture."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.markup import blank_markup
from treatise.core.ports import Encoder, Progress, counted_off
from treatise.core.vectors import Floats, unit_rows
from treatise.embed.large_tables import Cells, KnowsRows, mean_of_cells, rows_by_cells

Contexts = tuple[list[str], list[list[Span]]]
"""Texts, and the spans of each that get a vector."""


def leaf_vectors(
    document: Document,
    units: Sequence[Span],
    *,
    encoder: Encoder,
    context_weight: float,
    progress: Progress | None = None,
    row_progress: Progress | None = None,
) -> Floats:
    """``(1 - context_weight) * own + context_weight * contextual`` for each unit, L2-normalised.

    Shape ``(len(units), dim)``. A weight of 1 halves the cost: each paragraph is encoded once for all of its
    sentences, and no unit alone. Rows of large tables have the means of their cells (``large_tables``);
    ``row_progress`` counts the rows whose cells have been read.
    """
    rows = rows_by_cells(document, units, row_progress)
    others = units_beside(rows, units)
    own = search_texts(document, others) if context_weight < 1 else []
    around = contexts(document, others) if context_weight else ([], [])
    vectors = _mixed(encoder, own, around, context_weight, progress)
    if not rows:
        return vectors
    found = np.empty((len(units), encoder.dim), dtype=np.float32)
    found[[number for number in range(len(units)) if number not in rows]] = vectors
    found[list(rows)] = _row_vectors(list(rows.values()), encoder, context_weight, progress)
    return found


def units_beside(rows: Mapping[int, Cells], units: Sequence[Span]) -> Sequence[Span]:
    """The units that are no rows of large tables."""
    return [unit for number, unit in enumerate(units) if number not in rows] if rows else units


def search_texts(document: Document, units: Sequence[Span], progress: Progress | None = None) -> list[str]:
    """The text of each unit for search and encoding: its own without markup, or a table row with heads and labels.

    Code keeps its markup.
    """
    return [_text(document, unit) for unit in counted_off(units, progress)]


def contexts(document: Document, units: Sequence[Span]) -> Contexts:
    """The texts to encode in context: paragraphs that contain units, without markup, and the units as spans of them.

    A row of a table whose structure is known is a context of its own, with its caption and heads; other rows have the
    table around them. An item of a list has the sentence that introduces it.
    """
    texts: list[str] = []
    spans: list[list[Span]] = []
    at = 0
    for paragraph in document.paragraphs:
        inside, at = _units_inside(units, paragraph, at)
        if inside and document.has_table(paragraph):
            rows = search_texts(document, inside)
            texts += rows
            spans += [[Span(0, len(row))] for row in rows]
        elif inside:
            around = trim(document.text, Span(paragraph.start, paragraph.end))
            text = _text(document, around)
            by = len(text) - len(around) - around.start
            texts.append(text)
            spans.append([Span(unit.start + by, unit.end + by) for unit in inside])
    return texts, spans


def _mixed(
    encoder: Encoder, own: Sequence[str], around: Contexts, context_weight: float, progress: Progress | None
) -> Floats:
    if context_weight == 0:
        return encoder.encode(own, progress)
    contextual = encoder.encode_in_context(*around, progress)
    if context_weight == 1:
        return contextual
    return unit_rows((1 - context_weight) * encoder.encode(own, progress) + context_weight * contextual)


def _row_vectors(rows: Sequence[Cells], encoder: Encoder, context_weight: float, progress: Progress | None) -> Floats:
    """The vectors of rows of large tables; rows that the encoder knows from an earlier index are not encoded."""
    known = encoder.rows if isinstance(encoder, KnowsRows) else {}
    lacking = [cells for cells in dict.fromkeys(rows) if cells not in known]
    numbers = {text: at for at, text in enumerate(dict.fromkeys(text for text, _ in chain.from_iterable(lacking)))}
    texts = [blank_markup(text) for text in numbers]
    around = (texts, [[Span(0, len(text))] for text in texts])
    made = mean_of_cells(lacking, numbers, _mixed(encoder, texts, around, context_weight, progress))
    vector_of = {**known, **dict(zip(lacking, made, strict=True))}
    return np.stack([vector_of[cells] for cells in rows])


def _text(document: Document, span: Span) -> str:
    text = document.self_contained(span.start, span.end)
    return text if document.paragraph_at(span.start).kind is ParagraphKind.CODE else blank_markup(text)


def _units_inside(units: Sequence[Span], paragraph: Paragraph, at: int) -> tuple[list[Span], int]:
    """The units from number ``at`` that begin in the paragraph, and the number of the next one."""
    first = at
    while at < len(units) and units[at].start < paragraph.end:
        at += 1
    return list(units[first:at]), at
