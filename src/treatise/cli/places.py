"""Where something stands, in the words that people follow up."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treatise.core.document import Document, Span
    from treatise.core.evidence import Passage


def place(document: "Document", span: "Span") -> Iterator[str | tuple[str, str]]:
    """Source, page and section as parts of a line; the document's own title is left out of its sections."""
    yield (short_source(document.source), "bold")
    page = document.page_at(span.start)
    if page is not None:
        yield f", page {page}"
    path = document.section_path(span.start)
    if section := " > ".join(path[1:] if path[:1] == (document.title,) else path):
        yield (f", {section}", "dim")


def note_mark(passage: "Passage") -> str:
    """What stands before a passage that is a note, so that nobody takes it for a quotation; empty for others."""
    return f"[note on {len(passage.noted):,} sentences] " if passage.noted else ""


def short_source(source: str) -> str:
    """The path as seen from here where it is below here, else as it is.

    >>> short_source("-")
    'standard input'
    """
    if source == "-":
        return "standard input"
    here = Path.cwd()
    return str(Path(source).relative_to(here)) if Path(source).is_relative_to(here) else source
