"""Records of places: what a span means, and where it stands on its page."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treatise.records.answers import Record, page_and_section

if TYPE_CHECKING:
    from treatise.core.box import Box
    from treatise.core.document import Document, Span


def place_record(document: "Document", span: "Span", context: "Span") -> Record:
    """``show --text --json``.

    Fields:
        document, source, start, end, quote, page, section: As of a citation.
        before, after: The text around the quotation.
        self_contained: A table row with its caption and column heads; for other text, the quotation.
    """
    return {
        "document": document.id,
        "source": document.source,
        "start": span.start,
        "end": span.end,
        "quote": document.quote(span.start, span.end),
        **page_and_section(document, span.start),
        "before": document.quote(context.start, span.start),
        "after": document.quote(span.end, context.end),
        "self_contained": document.self_contained(span.start, span.end),
    }


def page_record(document: "Document", page: int, boxes: Iterable["Box"] = (), png: str | None = None) -> Record:
    """``show --page --json``.

    Fields:
        document, source: Id; path as the store knows it.
        page, pages: 1-based number, and how many there are.
        start, end, text: Offsets of the page's text, and the text.
        boxes: Highlighted lines: see :func:`box_record`.
        png: Path of the picture; null if none was drawn.
    """
    starts = (*document.page_starts, len(document.text))
    start, end = starts[page - 1], starts[page]
    return {
        "document": document.id,
        "source": document.source,
        "page": page,
        "pages": len(document.page_starts),
        "start": start,
        "end": end,
        "text": document.quote(start, end),
        "boxes": [box_record(box) for box in boxes],
        "png": png,
    }


def box_record(box: "Box") -> Record:
    """``page``, and ``x0``, ``y0``, ``x1``, ``y1`` in points from the upper left corner of the page as shown."""
    edges = {name: round(getattr(box, name), 2) for name in ("x0", "y0", "x1", "y1")}
    return {"page": box.page, **edges}
