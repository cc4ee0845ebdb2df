"""Citations of places in documents, for readers."""

from typing import Final

from treatise.core.answer import Citation
from treatise.core.document import Document, Span

MAX_CITED: Final = 3
"""Maximum places below a note that a sentence cites, the nearest ones: enough to check it, few enough to read."""


def cite(document: Document, span: Span) -> Citation:
    """The citation of a span: its verbatim quote, page and section."""
    return Citation(
        document=document.id,
        source=document.source,
        span=span,
        quote=document.quote(span.start, span.end),
        page=document.page_at(span.start),
        section=" > ".join(document.section_path(span.start)),
    )
