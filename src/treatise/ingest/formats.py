"""The document formats, one row per format, and format detection.

To add a format, write a reader ``read_x(data, name, limits) -> Reading`` in a file of this folder and add a row. If
files with its suffix were read as plain text before, raise ``ingest.version.READER_VERSION``.
"""

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Final, Protocol

from treatise.core.errors import UnsupportedSourceError
from treatise.core.patterns import lazy_pattern
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Reading


class Reader(Protocol):
    """A function that reads one format."""

    def __call__(self, data: bytes, name: str, limits: Limits, /) -> Reading:
        """Reads the source in ``data``; ``name`` is for messages.

        Raises:
            SourceError: The bytes cannot be read; the message names the source and says what to do.
        """


@dataclass(frozen=True, slots=True)
class Format:
    """A document format.

    Attributes:
        name: Its name in reports and for ``format=``.
        label: Its name in help texts and messages.
        suffixes: File name suffixes, lower case, with the dot. Messages show the first one.
        reader: ``module:function`` in this package, imported on first use together with its libraries.
        magic: First bytes that identify the format, lower case; white space and case are ignored in the source.
        isolated_from: Size in bytes from which it is read in a process of its own, because its library may crash,
            hang or exhaust memory; None for never.
        signature: First bytes of every file of this format, if other programs use its suffix as well: a file in a
            folder without them is something else.
        zip_mark: Bytes in the head or the index of a ZIP archive that identify the format; ``b""`` if absent.
    """

    name: str
    label: str
    suffixes: tuple[str, ...]
    reader: str
    magic: tuple[bytes, ...] = ()
    signature: bytes = b""
    zip_mark: bytes = b""
    isolated_from: int | None = None

    def read(self, data: bytes, name: str, limits: Limits) -> Reading:
        """Reads the source with the format's reader, in a process of its own if necessary and possible.

        Raises:
            SourceError: As `Reader.__call__`.
        """
        if self._is_isolated(data, limits):
            from treatise.ingest.isolated import ReaderUnavailableError, read_isolated

            with suppress(ReaderUnavailableError):
                return read_isolated(self.name, data, name, limits)
        return self.read_here(data, name, limits)

    def _is_isolated(self, data: bytes, limits: Limits) -> bool:
        """Archives within an archive are read where it is read: they share its allowance."""
        may_be = not limits.is_isolated and (self.isolated_from == 0 or limits.allowance is None)
        return may_be and self.isolated_from is not None and len(data) >= self.isolated_from

    def read_here(self, data: bytes, name: str, limits: Limits) -> Reading:
        """Reads the source in this process.

        Raises:
            SourceError: As `Reader.__call__`.
        """
        module, _, function = self.reader.partition(":")
        reader: Reader = getattr(import_module(f"treatise.ingest.{module}"), function)
        return reader(data, name, limits)


_OLE: Final = b"\xd0\xcf\x11\xe0"
_LARGE: Final = 2**20  # a smaller file of these formats is harmless, and read sooner than a process starts
_XML: Final = re.compile(rb"<\?xml[^>]*>\s*")
_HTML: Final = (b"<!doctype html", b"<html")
_ROWS: Final = (
    Format("text", "text", (".txt", ".text"), "plain_text:read_text"),
    Format(
        "markdown",
        "Markdown",
        (".md", ".markdown", ".mdx", ".qmd", ".rmd"),
        "markdown:read_markdown_file",
        isolated_from=_LARGE,
    ),
    Format("html", "HTML", (".html", ".htm", ".xhtml"), "html:read_html_file", magic=_HTML, isolated_from=_LARGE),
    Format("docx", "DOCX", (".docx",), "docx:read_docx", zip_mark=b"word/document.xml", isolated_from=_LARGE),
    Format("epub", "EPUB", (".epub",), "epub:read_epub", zip_mark=b"META-INF/container.xml", isolated_from=_LARGE),
    Format("pdf", "PDF", (".pdf",), "pdf:read_pdf", magic=(b"%pdf-",), isolated_from=0),
    Format(
        "odt",
        "ODT",
        (".odt",),
        "odt:read_odt",
        zip_mark=b"application/vnd.oasis.opendocument.text",
        isolated_from=_LARGE,
    ),
    Format("rtf", "RTF", (".rtf",), "rtf:read_rtf", magic=(b"{\\rtf",)),
    Format("pptx", "PPTX", (".pptx",), "pptx:read_pptx", zip_mark=b"ppt/presentation.xml", isolated_from=_LARGE),
    Format("xlsx", "XLSX", (".xlsx", ".xlsm"), "xlsx:read_xlsx", zip_mark=b"xl/workbook.xml", isolated_from=_LARGE),
    Format(
        "ods",
        "ODS",
        (".ods",),
        "ods:read_ods",
        zip_mark=b"application/vnd.oasis.opendocument.spreadsheet",
        isolated_from=_LARGE,
    ),
    Format("csv", "CSV", (".csv", ".tsv"), "delimited:read_delimited"),
    Format("eml", "e-mail", (".eml",), "mail:read_eml"),
    Format("msg", "Outlook messages", (".msg",), "msg:read_msg", signature=_OLE, isolated_from=_LARGE),
    Format("mbox", "mailboxes", (".mbox",), "mail:read_mbox"),
    Format("ipynb", "notebooks", (".ipynb",), "notebook:read_notebook"),
    Format("subtitles", "subtitles", (".srt", ".vtt"), "subtitles:read_subtitles", magic=(b"webvtt",)),
    Format("rst", "reStructuredText", (".rst",), "rst:read_rst"),
    Format("asciidoc", "AsciiDoc", (".adoc", ".asciidoc"), "asciidoc:read_asciidoc"),
    Format("org", "Org", (".org",), "org:read_org"),
    Format("mediawiki", "MediaWiki", (".mediawiki", ".wiki"), "mediawiki:read_mediawiki"),
    Format("latex", "LaTeX", (".tex",), "latex:read_latex"),
    Format("json", "JSON", (".json",), "json_texts:read_json"),
    Format("jsonl", "JSON lines", (".jsonl", ".ndjson"), "json_texts:read_jsonl"),
    Format("roff", "manual pages", (".man", ".roff", ".mdoc"), "roff:read_roff"),
    Format(
        "packed",
        "packed files",
        (".gz", ".bz2", ".xz", ".tgz", ".tbz2", ".txz"),
        "packed:read_packed",
        magic=(b"\x1f\x8b", b"\xfd7zxz"),
    ),
    Format("tar", "tar archives of these", (".tar",), "tarred:read_tar"),
    Format("zip", "ZIP archives of these", (".zip",), "zipped:read_zip"),
)
FORMATS: Final[dict[str, Format]] = {row.name: row for row in _ROWS}
"""The formats by name."""

_BY_SUFFIX: Final = {suffix: row for row in _ROWS for suffix in row.suffixes}
_TEXT_NAME: Final = lazy_pattern(
    r"(?:.*[-_])?(?:README|[Rr]eadme|FAQ|NEWS|INSTALL|CHANGES|CHANGELOG|[Cc]hange[Ll]og|HISTORY|TODO|HACKING|CONTRIBUTING|"
    r"UPGRADING)(?:\.Debian)?"
)
"""Names of texts without a suffix: "README", "anacron-FAQ", "NEWS.Debian"."""
_PACKING: Final = (".gz", ".bz2", ".xz")
"""Suffixes of a packed file that follow its own: "notes.txt.gz"."""
_PAGE_NAME: Final = lazy_pattern(r"[^\W\d][\w.+:@-]*(?<!\.log)\.[1-9](?:[a-z]{1,6}|x11)?", re.IGNORECASE)
"""Names of manual pages: "ls.1", "printf.3posix"."""
_ROFF_BEGINS: Final = re.compile(rb"\s*[.']")
_ROFF_TITLE: Final = re.compile(rb"\A[.'][ \t]*so[ \t]+\S+\s*\Z|^[.'][ \t]*(?:TH|Dd)\s", re.MULTILINE)
_ASCIIDOC_TITLE: Final = lazy_pattern(r"(?:(?:[ \t]*|//.*|:!?[\w-]+!?:.*|\[.*\]|ifn?def::.*)\r?\n)*={1,2}[ \t]+\S.*\n?")
_ASCIIDOC_HEADER: Final = lazy_pattern(r"(?:[^\s:].*\n)*:!?[\w-]+!?:(?:[ \t]|\r?$)", re.M)
"""Lines below the title up to an attribute."""
_ASCIIDOC_BLOCK: Final = lazy_pattern(
    r"^(?:={2,6}[ \t]+\S(?!.*=[ \t]*\r?$)|\|={3,}[ \t]*\r?$|\[(?:source|NOTE|TIP|WARNING|cols|options|%)\b.*\])", re.M
)
"""A heading, which closes with signs in MediaWiki's markup, or the beginning of a table or block."""
_FENCED: Final = lazy_pattern(r"^(```|~~~|-{4,}\s*$|\.{4,}\s*$).*?^\1", re.M | re.DOTALL)
_MARKDOWN_HEADING: Final = lazy_pattern(r"^#{1,6}[ \t]+\S", re.M)
_ASCIIDOC_BYTES: Final = 2**16
_HEAD_BYTES: Final = 1024
_ZIP: Final = b"PK\x03\x04"
_TAR: Final = (b"ustar\0", b"ustar  \0")
_BZIP2: Final = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_TAR_AT: Final = 257
_ZIP_INDEX_BYTES: Final = 2**20
_MSG_MARK: Final = "__properties_version1.0".encode("utf-16-le")
_PACKED: Final = {
    b"7z\xbc\xaf": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_UNREAD_MAGIC: Final = {
    _OLE: "an old Microsoft Office file, or one locked with a password",
    b"GIF8": "a GIF image",
    b"\x7fELF": "a program",
    b"%!PS": "a PostScript file",
    b"SQLite format 3": "a SQLite database",
}
"""First bytes of unsupported formats that users may try."""


def suffix_list() -> str:
    """The first suffix of each format, for messages: ``.txt, .md, … and .pdf``."""
    *most, last = (row.suffixes[0] for row in _ROWS)
    return f"{', '.join(most)} and {last}"


def format_by_name(name: str) -> Format | None:
    """The format for a file name's suffix, or for a text that is known by its name, such as README; None if unknown."""
    path = PurePath(name)
    by_suffix = _BY_SUFFIX.get(path.suffix.lower())
    if by_suffix is FORMATS["packed"] and path.suffix.lower() in _PACKING:
        return by_suffix if format_by_name(path.stem) else None
    if by_suffix is None and is_page_name(name):
        return FORMATS["roff"]
    return by_suffix or (FORMATS["text"] if _TEXT_NAME.fullmatch(path.name) else None)


PICTURES: Final = Format("picture", "pictures", (), "pictures:read_pictures")
"""Read by OCR if they are named; folders and archives are not searched for them."""

_PICTURE_MAGIC: Final = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")


def format_of(data: bytes, name: str) -> Format:
    """The format of a source: by its first bytes if they identify one, then by the suffix of its name, else text.

    Raises:
        UnsupportedSourceError: The first bytes identify a format without a reader.
    """
    by_suffix = format_by_name(name) or _BY_SUFFIX.get(PurePath(name).suffix.lower())
    if data.startswith(_ZIP):
        return _zip_format(data, by_suffix)
    if data.startswith(_PICTURE_MAGIC):
        return PICTURES
    if data.startswith(_TAR, _TAR_AT):
        return FORMATS["tar"]
    if _BZIP2.match(data):
        return FORMATS["packed"]
    if data.startswith(_OLE) and _MSG_MARK in data:
        return FORMATS["msg"]
    if not (
        data.startswith(_OLE) and by_suffix and (by_suffix.zip_mark or by_suffix.name == "msg")
    ):  # that reader reports the password
        _refuse_unread(data, name)
    head = _XML.sub(b"", data[:_HEAD_BYTES].removeprefix(codecs.BOM_UTF8).lstrip().lower())
    found = next((row for row in _ROWS if row.magic and head.startswith(row.magic)), None)
    is_binary = by_suffix is not None and bool(by_suffix.magic or by_suffix.zip_mark)
    if found and (found.name != "html" or by_suffix is None or is_binary):  # a Markdown file may begin with a tag
        return found
    if by_suffix in (None, FORMATS["roff"]) and is_page(data):
        return FORMATS["roff"]
    if by_suffix is FORMATS["roff"] and is_page_name(name):
        return FORMATS["text"]  # such as a log that is kept as "messages.1"
    if by_suffix is FORMATS["markdown"] and _is_asciidoc(data):
        return FORMATS["asciidoc"]
    return by_suffix or FORMATS["text"]


def is_page_name(name: str) -> bool:
    """Whether a file is named as manual pages are by their section: "ls.1", "printf.3posix"."""
    return _PAGE_NAME.fullmatch(PurePath(name).name) is not None


def is_page(data: bytes) -> bool:
    """Whether it is a manual page in roff: it begins with a macro or comment, and has the macro of a title."""
    head = data[:_ASCIIDOC_BYTES].removeprefix(codecs.BOM_UTF8)
    return _ROFF_BEGINS.match(head) is not None and _ROFF_TITLE.search(head) is not None


def _is_asciidoc(data: bytes) -> bool:
    """Whether a text named ``.md`` is AsciiDoc: it begins with such a heading, and has another mark of it below and no
    heading of Markdown's.
    """
    head = data[:_ASCIIDOC_BYTES].removeprefix(codecs.BOM_UTF8).decode("latin-1")
    title = _ASCIIDOC_TITLE.match(head)
    if title is None:
        return False
    below = _FENCED.sub("", head[title.end() :])
    has_mark = _ASCIIDOC_HEADER.match(below) or _ASCIIDOC_BLOCK.search(below)
    return has_mark is not None and _MARKDOWN_HEADING.search(below) is None


def _refuse_unread(data: bytes, name: str) -> None:
    for magic, what in _PACKED.items():
        if data.startswith(magic):
            raise UnsupportedSourceError(f"{name}: packed by {what}; unpack it, and name the file or folder inside")
    for magic, what in _UNREAD_MAGIC.items():
        if data.startswith(magic):
            raise UnsupportedSourceError(f"{name}: {what}; Treatise reads {suffix_list()}: convert it to one of these")


def _zip_format(data: bytes, by_suffix: Format | None) -> Format:
    """The format of a ZIP archive, by the mark of each such format in its index or its head."""
    if by_suffix is FORMATS["zip"]:
        return by_suffix  # a nested document's index may be at the end
    index = data[:_HEAD_BYTES] + data[-_ZIP_INDEX_BYTES:]
    if by_suffix and by_suffix.zip_mark and by_suffix.zip_mark in index:
        return by_suffix  # other marks may belong to nested documents
    marked = (row for row in _ROWS if row.zip_mark and row.zip_mark in index)
    return next(marked, by_suffix if by_suffix and by_suffix.zip_mark else FORMATS["zip"])


def checked_format(format_name: str) -> Format:
    """The format with this name or suffix, as given by a user: ``md``, ``.txt``, ``html``.

    Raises:
        UnsupportedSourceError: No format has that name.
    """
    asked = format_name.lower().lstrip(".")
    found = FORMATS.get(asked) or _BY_SUFFIX.get(f".{asked}")
    if found is None:
        raise UnsupportedSourceError(f"unknown format {format_name!r}; choose one of: {', '.join(FORMATS)}")
    return found
