"""Which format a source is in, and the reader that understands it."""

from collections.abc import Callable
from pathlib import PurePath

from treatise.core.errors import UnsupportedSourceError
from treatise.ingest.encoding import decode
from treatise.ingest.html import declared_charset, read_html
from treatise.ingest.limits import Limits
from treatise.ingest.markdown import read_markdown
from treatise.ingest.plain_text import read_plain_text
from treatise.ingest.reading import Reading

_SUFFIXES = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "docx",
    ".epub": "epub",
    ".pdf": "pdf",
}


def read_as_text(data: bytes, name: str, limits: Limits) -> Reading:  # noqa: ARG001  (one shape for all readers)
    """Plain text."""
    decoded = decode(data, name)
    return Reading(read_plain_text(decoded.text), "text", decoded.encoding)


def read_as_markdown(data: bytes, name: str, limits: Limits) -> Reading:  # noqa: ARG001
    """Markdown."""
    decoded = decode(data, name)
    blocks, title = read_markdown(decoded.text)
    return Reading(blocks, "markdown", decoded.encoding, title)


def read_as_html(data: bytes, name: str, limits: Limits) -> Reading:  # noqa: ARG001
    """A web page."""
    decoded = decode(data, name, declared=declared_charset(data))
    page = read_html(decoded.text)
    dropped = page.n_dropped_words
    notes = (f"left out {dropped:,} words of menus, footers and asides",) if dropped else ()
    return Reading(page.blocks, "html", decoded.encoding, page.title, page.language, notes=notes)


FORMATS: dict[str, Callable[[bytes, str, Limits], Reading]] = {
    "text": read_as_text,
    "markdown": read_as_markdown,
    "html": read_as_html,
}
"""The readers by format; each takes the bytes, the name for messages, and the limits."""


def format_of(data: bytes, name: str) -> str:
    """The format of a source: by its first bytes where they tell, then by the suffix of its name, else text.

    Raises:
        UnsupportedSourceError: The first bytes are those of another known format.
    """
    suffix = PurePath(name).suffix.lower()
    return _by_content(data) or _SUFFIXES.get(suffix) or "text"


def checked_format(format_name: str) -> str:
    """The canonical name of a format that a user gave as a name or a suffix: ``md``, ``.txt``, ``html``.

    Raises:
        UnsupportedSourceError: There is no reader of that name.
    """
    asked = format_name.lower().lstrip(".")
    found = asked if asked in FORMATS else _SUFFIXES.get(f".{asked}")
    if found is None:
        raise UnsupportedSourceError(f"unknown format {format_name!r}; choose one of: {', '.join(FORMATS)}")
    return found


def _by_content(data: bytes) -> str:
    head = data[:1024].lstrip().lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "html"
    return ""
