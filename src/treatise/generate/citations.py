"""Places in documents, in the form that people follow up."""

from treatise.core.answer import Citation
from treatise.core.document import Document, Span


def cite(document: Document, span: Span) -> Citation:
    """The citation of a span: its quote to the letter, its page and its section."""
    return Citation(
        document=document.id,
        source=document.source,
        span=span,
        quote=document.quote(span.start, span.end),
        page=document.page_at(span.start),
        section=" > ".join(document.section_path(span.start)),
    )
