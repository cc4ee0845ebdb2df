"""Which format a source is in, and the reader that understands it."""

from collections.abc import Callable
from pathlib import PurePath

from treatise.core.errors import UnsupportedSourceError
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
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
_HEAD_BYTES = 1024
_ZIP = b"PK\x03\x04"
_ZIP_INDEX_BYTES = 2**20
_UNREAD_MAGIC = {
    b"\xd0\xcf\x11\xe0": "an old Microsoft Office file, or one locked with a password",
    b"{\\rtf": "an RTF file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\x7fELF": "a program",
    b"%!PS": "a PostScript file",
    b"SQLite format 3": "a SQLite database",
}
"""First bytes of formats that people try."""


def _read_text(data: bytes, name: str, limits: Limits) -> Reading:  # noqa: ARG001  (one shape for all readers)
    from treatise.ingest.plain_text import read_plain_text

    decoded = decode(data, name)
    return Reading(read_plain_text(decoded.text), "text", decoded.encoding)


def _read_markdown(data: bytes, name: str, limits: Limits) -> Reading:  # noqa: ARG001
    from treatise.ingest.markdown import read_markdown

    decoded = decode(data, name)
    blocks, title = read_markdown(decoded.text)
    return Reading(blocks, "markdown", decoded.encoding, title)


def _read_html(data: bytes, name: str, limits: Limits) -> Reading:  # noqa: ARG001
    from treatise.ingest.html import declared_charset, read_html

    decoded = decode(data, name, declared=declared_charset(data))
    page = read_html(decoded.text)
    dropped = page.n_dropped_chars
    notes = (f"left out {dropped:,} characters of menus, footers and asides",) if dropped else ()
    return Reading(page.blocks, "html", decoded.encoding, page.title, page.language, notes=notes)


def _read_docx(data: bytes, name: str, limits: Limits) -> Reading:
    from treatise.ingest.docx import read_docx

    return read_docx(data, name, limits)


def _read_epub(data: bytes, name: str, limits: Limits) -> Reading:
    from treatise.ingest.epub import read_epub

    return read_epub(data, name, limits)


def _read_pdf(data: bytes, name: str, limits: Limits) -> Reading:
    from treatise.ingest.pdf import read_pdf

    return read_pdf(data, name, limits)


FORMATS: dict[str, Callable[[bytes, str, Limits], Reading]] = {
    "text": _read_text,
    "markdown": _read_markdown,
    "html": _read_html,
    "docx": _read_docx,
    "epub": _read_epub,
    "pdf": _read_pdf,
}
"""The readers by format; each takes the bytes, the name for messages, and the limits.

A reader's libraries are imported when it is first needed: asking an indexed document needs none of them.
"""


def format_of(data: bytes, name: str) -> str:
    """The format of a source: by its first bytes where they tell, then by the suffix of its name, else text.

    Raises:
        UnsupportedSourceError: The first bytes are those of a format that we do not read.
    """
    suffix = _SUFFIXES.get(PurePath(name).suffix.lower(), "")
    for magic, what in _UNREAD_MAGIC.items():
        if data.startswith(magic) and suffix != "docx":
            raise UnsupportedSourceError(
                f"{name}: {what}; Treatise reads .txt, .md, .html, .docx, .epub and .pdf: convert it to one of these"
            )
    if data.startswith(_ZIP):
        return _zip_format(data, name, suffix)
    head = data[:_HEAD_BYTES].lstrip().lower()
    if head.startswith(b"%pdf-"):
        return "pdf"
    if suffix:
        return suffix
    return "html" if head.startswith((b"<!doctype html", b"<html")) else "text"


def _zip_format(data: bytes, name: str, suffix: str) -> str:
    """DOCX or EPUB: by the path of a member that each must have, near the end of the archive or the beginning."""
    index = data[-_ZIP_INDEX_BYTES:]
    if b"META-INF/container.xml" in index or b"application/epub+zip" in data[:_HEAD_BYTES]:
        return "epub"
    if b"word/document.xml" in index or suffix in ("docx", "epub"):
        return suffix if suffix == "epub" else "docx"
    raise UnsupportedSourceError(
        f"{name}: a zip archive that is neither a Word document nor an EPUB; unpack it and name the files in it"
    )


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
