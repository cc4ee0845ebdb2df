"""Places in documents, in the form that people follow up."""

import re
from typing import Final

from treatise.core.answer import Citation
from treatise.core.document import Document, Span

MAX_CITED: Final = 3
"""Places that a sentence cites below a note at most, the nearest ones: enough to check it by, few enough to read."""

_BULLET: Final = re.compile(r"^[-*+•‣◦▪]\s+")


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


def as_statement(quote: str) -> str:
    """A quotation as a statement says it: on one line, without the mark of a list's item."""
    return _BULLET.sub("", " ".join(quote.split()))
