"""The place of a span, written for people."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treatise.core.document import Document, Span
    from treatise.core.evidence import Passage


def place(document: "Document", span: "Span") -> Iterator[str | tuple[str, str]]:
    """Source, page and section as parts of a line; sections without the document's own title."""
    yield (short_source(document.source), "bold")
    page = document.page_at(span.start)
    if page is not None:
        yield f", page {page}"
    path = document.section_path(span.start)
    if section := " > ".join(path[1:] if path[:1] == (document.title,) else path):
        yield (f", {section}", "dim")


def note_mark(passage: "Passage") -> str:
    """A mark before a passage that is a note, to tell it from a quotation; empty for quotations."""
    return f"[note on {len(passage.noted):,} sentences] " if passage.noted else ""


def short_source(source: str) -> str:
    """The path relative to the working folder if it is below it, else unchanged.

    >>> short_source("-")
    'standard input'
    """
    if source == "-":
        return "standard input"
    here = Path.cwd()
    return str(Path(source).relative_to(here)) if Path(source).is_relative_to(here) else source
