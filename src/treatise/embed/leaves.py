"""Vectors of the leaves: of their text alone, of their tokens within the paragraph, or a mixture."""

from collections.abc import Sequence

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.markup import blank_markup
from treatise.core.ports import Encoder, Progress
from treatise.core.vectors import Floats, unit_rows


def leaf_vectors(
    document: Document,
    units: Sequence[Span],
    *,
    encoder: Encoder,
    context_weight: float,
    progress: Progress | None = None,
) -> Floats:
    """``(1 - context_weight) * own + context_weight * contextual`` for each unit, L2-normalised.

    Shape ``(len(units), dim)``. A weight of 1 halves the cost: each paragraph is encoded once for all of its
    sentences, and no unit alone.
    """
    if context_weight == 0:
        return encoder.encode(search_texts(document, units), progress)
    contextual = encoder.encode_in_context(*contexts(document, units), progress)
    if context_weight == 1:
        return contextual
    own = encoder.encode(search_texts(document, units), progress)
    return unit_rows((1 - context_weight) * own + context_weight * contextual)


def search_texts(document: Document, units: Sequence[Span]) -> list[str]:
    """The text of each unit for search and encoding: its own without markup, or a table row with heads and labels.

    Code keeps its markup.
    """
    return [_text(document, unit) for unit in units]


def contexts(document: Document, units: Sequence[Span]) -> tuple[list[str], list[list[Span]]]:
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


def _text(document: Document, span: Span) -> str:
    text = document.self_contained(span.start, span.end)
    return text if document.paragraph_at(span.start).kind is ParagraphKind.CODE else blank_markup(text)


def _units_inside(units: Sequence[Span], paragraph: Paragraph, at: int) -> tuple[list[Span], int]:
    """The units from number ``at`` that begin in the paragraph, and the number of the next one."""
    first = at
    while at < len(units) and units[at].start < paragraph.end:
        at += 1
    return list(units[first:at]), at
