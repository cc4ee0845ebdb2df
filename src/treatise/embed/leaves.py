"""Vectors of the leaves: of their own text, of their tokens in the paragraph around them, or a mixture."""

from collections.abc import Sequence

from treatise.core.document import Document, Paragraph, Span, trim
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
        return encoder.encode([document.quote(unit.start, unit.end) for unit in units], progress)
    contextual = encoder.encode_in_context(*contexts(document, units), progress)
    if context_weight == 1:
        return contextual
    own = encoder.encode([document.quote(unit.start, unit.end) for unit in units], progress)
    return unit_rows((1 - context_weight) * own + context_weight * contextual)


def contexts(document: Document, units: Sequence[Span]) -> tuple[list[str], list[list[Span]]]:
    """What is encoded in context: the paragraphs that hold units, and the units as spans of each one's text."""
    texts: list[str] = []
    spans: list[list[Span]] = []
    at = 0
    for paragraph in document.paragraphs:
        inside, at = _units_inside(units, paragraph, at)
        if inside:
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
