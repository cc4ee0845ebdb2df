"""Citations of places in documents, for readers."""

from typing import Final

from treatise.core.answer import Citation
from treatise.core.boxes import one_line
from treatise.core.document import Document, Span
from treatise.core.markup import blank_quote_marks, without_markup
from treatise.core.quotation import without_mark

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


def as_statement(quote: str, whole: str = "") -> str:
    """A quotation as a statement: on one line, without a list marker, marks of quoted lines and markup.

    ``whole`` is the document's text, whose words tell which hyphens at line ends belong to words.
    """
    return without_mark(without_markup(one_line(blank_quote_marks(quote), whole)))
