"""Reads a document from a path, a stream or bytes: the entry point of this package."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from treatise.core.document import Document, ParagraphKind
from treatise.core.errors import EmptySourceError, SourceError, SourceTooLargeError
from treatise.ingest.assemble import assemble
from treatise.ingest.authorship import metadata_of, title_of
from treatise.ingest.captions import with_captions
from treatise.ingest.clauses import with_clause_headings
from treatise.ingest.contents import with_contents
from treatise.ingest.filing_items import with_item_headings
from treatise.ingest.formats import FORMATS, checked_format, format_of
from treatise.ingest.language import detect_language
from treatise.ingest.limits import DEFAULT_LIMITS, Limits
from treatise.ingest.reading import Block, Reading
from treatise.ingest.report import Report, make_report
from treatise.ingest.streams import read_regular_file, read_stream

STDIN = "-"
_LANGUAGE_SAMPLE_CHARS = 200_000


def read_document(
    source: str | Path | BinaryIO,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002  (the established name)
    language: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """The document in a file, in standard input (``"-"``) or in a binary stream.

    Args:
        source: A path, ``"-"``, or a stream that yields bytes.
        name: What to call the source in the document and in messages; by default its absolute path, or ``"-"``.
        format: A name or suffix from `formats.FORMATS`; by default detected from content and name.
        language: ISO 639-1 code; by default detected.
        limits: Size limits.

    Raises:
        SourceError: The source cannot be read as a document; the message says why and what to do.
    """
    return read_document_with_report(source, name=name, format=format, language=language, limits=limits)[0]


def read_bytes(
    data: bytes,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002
    language: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Document:
    """The document in a file's bytes; `name` decides the format if the content does not.

    Raises:
        SourceError: As `read_document`.
    """
    return _read(data, name or STDIN, format, language, limits)[0]


def read_document_with_report(
    source: str | Path | BinaryIO,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002
    language: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[Document, Report]:
    """As `read_document`, with a report of what was recognised, left out and repaired.

    Raises:
        SourceError: As `read_document`.
    """
    if isinstance(source, str | Path) and str(source) != STDIN:
        data, _ = read_regular_file(str(source), limits)
        return _read(data, name or str(Path(source).absolute()), format, language, limits)
    if not isinstance(source, str | Path) and not hasattr(source, "read"):
        raise SourceError(
            f"a source is a path or a binary stream, not {type(source).__name__}; use read_bytes for bytes"
        )
    stream = sys.stdin.buffer if isinstance(source, str | Path) else source
    name = name or STDIN
    return _read(read_stream(stream, name, limits), name, format, language, limits)


def _read(
    data: bytes, name: str, format_name: str | None, language: str | None, limits: Limits
) -> tuple[Document, Report]:
    if len(data) > limits.max_bytes:
        raise SourceTooLargeError(f"{name}: {len(data):,} bytes, over the limit of {limits.max_bytes:,}")
    if not data.strip():
        raise EmptySourceError(f"{name}: an empty file; was it saved or downloaded completely?")
    row = checked_format(format_name) if format_name else format_of(data, name)
    reading = row.read(data, name, limits)
    _refuse_excess(len(reading.blocks), limits.max_blocks, "paragraphs", name)
    blocks = _structured(reading.blocks)
    reading = replace(reading, blocks=blocks if row is FORMATS["pdf"] else with_captions(blocks))
    if all(block.text.isspace() or not block.text for block in reading.blocks):
        raise EmptySourceError(f"{name}: read as {reading.format}, but it holds no text")
    title = title_of(reading, name, has_name=name != STDIN)
    document = assemble(
        reading,
        source=name,
        title=title,
        metadata=metadata_of(reading, title),
        language=language or detect_language(_sample(reading)) or reading.language or "en",
    )
    _refuse_excess(sum(len(one.sentences) for one in document.paragraphs), limits.max_sentences, "sentences", name)
    return document, make_report(document, reading)


def _refuse_excess(n: int, most: int, what: str, name: str) -> None:
    if n > most:
        raise SourceTooLargeError(f"{name}: {n:,} {what}, over the limit of {most:,}; split it, or raise it in Limits")


def _structured(blocks: list[Block]) -> list[Block]:
    """The blocks with headings that are detectable only in the whole document."""
    return with_clause_headings(with_item_headings(with_contents(blocks)))


def _sample(reading: Reading) -> str:
    """A sample of prose from across the document, for language detection."""
    prose = [block.text for block in reading.blocks if block.kind not in (ParagraphKind.CODE, ParagraphKind.TABLE)]
    texts = prose or [block.text for block in reading.blocks]
    step = max(1, sum(map(len, texts)) // _LANGUAGE_SAMPLE_CHARS)
    return "".join(text[:_LANGUAGE_SAMPLE_CHARS] for text in texts[::step])
