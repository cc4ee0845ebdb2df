"""Builds a ``Document`` from the parts in a data set, and records the position of each part."""

import re
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span
from treatise.ingest import read_bytes
from treatise.ingest.assemble import assemble
from treatise.ingest.reading import Block, Reading

_BREAK: Final = "\n\n"
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters left by text extraction; readers would take the text for binary data."""


class Layout:
    """Builds a document. Parts are kept verbatim, with a blank line after each."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._length = 0

    def heading(self, title: str, *, level: int) -> Span:
        """Begins a section; returns the span of its heading."""
        return self._add(Block(ParagraphKind.HEADING, title + _BREAK, level)) if title.strip() else self._nothing()

    def paragraph(self, text: str) -> Span:
        """Adds a paragraph; returns its span without the blank line after it."""
        return self._add(Block(ParagraphKind.PROSE, text + _BREAK)) if text.strip() else self._nothing()

    def document(self, *, source: str, title: str, language: str = "en") -> Document:
        """The document of all parts so far."""
        return assemble(Reading(self._blocks, format="text"), source=source, title=title, language=language)

    def _add(self, block: Block) -> Span:
        start = self._length
        self._blocks.append(block)
        self._length += len(block.text)
        return Span(start, self._length - len(_BREAK))

    def _nothing(self) -> Span:
        return Span(self._length, self._length)


def text_document(text: str, *, source: str, language: str = "en") -> Document:
    """Reads a document from text, detecting paragraphs and headings; control characters become spaces."""
    plain = _CONTROL.sub(" ", text)
    if not plain.strip():
        return Layout().document(source=source, title="", language=language)
    return read_bytes(plain.encode(), name=source, format="text", language=language)
