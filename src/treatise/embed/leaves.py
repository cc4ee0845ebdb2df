"""Vectors of the leaves: of their own text, of their tokens in the paragraph around them, or a mixture."""

from collections.abc import Sequence

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
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
    """Unit rows, one a unit: ``(1 - context_weight) * own + context_weight * contextual``, scaled to length 1.

    With a weight of 1 no unit is encoded on its own, which halves the cost: a paragraph is encoded once for all of its
    sentences. Shape ``(len(units), dim)``.
    """
    if context_weight == 0:
        return encoder.encode(search_texts(document, units), progress)
    contextual = encoder.encode_in_context(*contexts(document, units), progress)
    if context_weight == 1:
        return contextual
    own = encoder.encode(search_texts(document, units), progress)
    return unit_rows((1 - context_weight) * own + context_weight * contextual)


def search_texts(document: Document, units: Sequence[Span]) -> list[str]:
    """What is searched and encoded of each unit: its own text, and of a table's row what it says by itself."""
    return [document.self_contained(unit.start, unit.end) for unit in units]


def contexts(document: Document, units: Sequence[Span]) -> tuple[list[str], list[list[Span]]]:
    """What is encoded in context: the paragraphs that hold units, and the units as spans of each one's text.

    A table's row is a context of its own: it comes with its caption and its heads.
    """
    texts: list[str] = []
    spans: list[list[Span]] = []
    at = 0
    for paragraph in document.paragraphs:
        inside, at = _units_inside(units, paragraph, at)
        if inside and paragraph.kind is ParagraphKind.TABLE:
            rows = search_texts(document, inside)
            texts += rows
            spans += [[Span(0, len(row))] for row in rows]
        elif inside:
            around = trim(document.text, Span(paragraph.start, paragraph.end))
            texts.append(document.quote(around.start, around.end))
            spans.append([Span(unit.start - around.start, unit.end - around.start) for unit in inside])
    return texts, spans


def _units_inside(units: Sequence[Span], paragraph: Paragraph, at: int) -> tuple[list[Span], int]:
    """Units from number ``at`` on that begin in the paragraph, and the number of the first that does not."""
    first = at
    while at < len(units) and units[at].start < paragraph.end:
        at += 1
    return list(units[first:at]), at
