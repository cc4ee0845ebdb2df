"""The place of a span, written for people."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from treatise.core.plurals import counted
from treatise.core.printable import one_line

if TYPE_CHECKING:
    from treatise.core.document import Document, Span
    from treatise.core.evidence import Passage


def place(document: "Document", span: "Span", *, with_source: bool = True) -> Iterator[str | tuple[str, str]]:
    """Source, page and section as parts of a line; sections without the document's own title.

    Without ``with_source`` the source is named only if there is neither page nor section.
    """
    page = document.page_at(span.start)
    path = document.section_path(span.start)
    section = " > ".join(path[1:] if path[:1] == (document.title,) else path)
    where = [*([f"page {page}"] if page is not None else []), *([section] if section else [])]
    if with_source or not where:
        yield (short_source(document.source), "bold")
        where.insert(0, "")
    yield (" · ".join(where), "dim")


def note_mark(passage: "Passage") -> str:
    """A mark before a passage that is a note, to tell it from a quotation; empty for quotations."""
    return f"[note on {counted(len(passage.noted), 'sentence')}] " if passage.noted else ""


def passage_text(document: "Document", passage: "Passage") -> str:
    """A passage on one line: the note, or the quotation with its broken words whole."""
    if passage.noted:
        return " ".join(passage.text.split())
    return document.one_line(passage.span.start, passage.span.end)


def short_source(source: str) -> str:
    """The path relative to the working folder if it is below it, else unchanged.

    >>> short_source("-")
    'standard input'
    """
    if source == "-":
        return "standard input"
    with suppress(OSError, ValueError):  # the working folder is deleted, or elsewhere
        source = str(Path(source).relative_to(Path.cwd()))
    return one_line(source)
