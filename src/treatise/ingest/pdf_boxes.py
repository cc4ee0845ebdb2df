"""Finds where a span of a document stands on the pages of its PDF.

The page is read again and aligned with the text. Boxes stored while indexing would more than double a library, and
documents indexed by an earlier version would have none; see docs/log/reading.md.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from treatise.core.box import Box
from treatise.core.document import Document, Span
from treatise.ingest.pdf_alignment import Token, align
from treatise.ingest.pdf_columns import regions
from treatise.ingest.pdf_files import PDFIUM, opened_page, opened_pdf
from treatise.ingest.pdf_layout import is_right_to_left
from treatise.ingest.pdf_words import Word, WordReader

_ASCENT: Final = 0.8  # in font sizes, if the font states none or an implausible one
_DESCENT: Final = 0.22
_MAX_HEIGHT: Final = 1.6
_MAX_GAP: Final = 1.5  # in heights; a wider gap separates columns
_MIN_OVERLAP: Final = 0.5  # of two heights, for characters of one line
_MIN_FOUND: Final = 0.7  # of the span's characters; with fewer, it stands elsewhere
_UNITS: Final = 64  # device units per point, since pdfium converts to whole ones
_NEARBY: Final = (0, -1, 1)


def boxes_of(data: bytes, document: Document, span: Span, *, name: str = "") -> list[Box]:
    """The boxes of a span's lines, in text order; empty if its text is not found on its pages.

    Args:
        data: The PDF that ``document`` was read from.
        document: The document.
        span: A sentence, a cell, or any other span.
        name: The source's name in messages.

    Raises:
        DamagedSourceError: The PDF or one of its pages cannot be read.
    """
    first, last = document.page_at(span.start), document.page_at(max(span.start, span.end - 1))
    if first is None or last is None:
        return []
    with PDFIUM, opened_pdf(data, name or document.source) as pdf:
        boxes: list[Box] = []
        for page in range(first, last + 1):
            boxes += _on_page(pdf, document, span, page, name or document.source)
    return boxes


def _on_page(pdf: pdfium.PdfDocument, document: Document, span: Span, page: int, name: str) -> list[Box]:
    """Boxes on one page, or on its neighbour: a float may precede the last lines of the page before."""
    whole = page_span(document, page)
    part = Span(max(span.start, whole.start), max(span.start, min(span.end, whole.end)))
    for number in (page + step for step in _NEARBY):
        if 0 < number <= len(pdf):
            with opened_page(pdf, number, name) as found:
                if boxes := _boxes(found, document.text, whole, part, number):
                    return boxes
    return []


def page_span(document: Document, page: int) -> Span:
    """The text of a page, 1-based."""
    starts = (*document.page_starts, len(document.text))
    return Span(starts[page - 1], starts[page])


def _boxes(page: pdfium.PdfPage, text: str, whole: Span, part: Span, number: int) -> list[Box]:
    places = align(text[whole.start : whole.end], _tokens(page, is_first=number == 1))
    wanted = [places[at] for at in range(part.start - whole.start, part.end - whole.start) if at in places]
    n_visible = sum(not character.isspace() for character in text[part.start : part.end])
    if len(wanted) < _MIN_FOUND * n_visible:
        return []
    text_page = page.get_textpage()
    try:
        device = _device(page, number)
        return [device(line) for line in _lines(_rects(text_page.raw, wanted))]
    finally:
        text_page.close()


def _tokens(page: pdfium.PdfPage, *, is_first: bool) -> list[Token]:
    """The page's words in reading order, with the index of each character."""
    found = WordReader().indexed_words(page)
    pieces = {id(word): token for word, token in found}
    upright = [word for word, _ in found if word.is_upright]
    turned = [word for word, _ in found if not word.is_upright]
    rows: list[Sequence[Word]] = [row for part in regions(upright, has_authors=is_first) for row in part]
    ordered = [row[::-1] if is_right_to_left(row) else row for row in [*rows, turned]]
    return [pieces[id(word)] for row in ordered for word in row]


@dataclass(frozen=True, slots=True)
class _Rect:
    """A character's rectangle in the page's own coordinates."""

    left: float
    bottom: float
    right: float
    top: float


def _rects(raw: object, indices: Sequence[int]) -> Iterator[_Rect]:
    box, x, y = pdfium_c.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    matrix = pdfium_c.FS_MATRIX()
    for index in indices:
        if not pdfium_c.FPDFText_GetLooseCharBox(raw, index, box):
            continue
        pdfium_c.FPDFText_GetMatrix(raw, index, matrix)
        pdfium_c.FPDFText_GetCharOrigin(raw, index, x, y)
        rect = _Rect(box.left, box.bottom, box.right, box.top)
        size = abs(matrix.d) * pdfium_c.FPDFText_GetFontSize(raw, index)
        is_upright = abs(matrix.b) < abs(matrix.a)
        if is_upright and not 0.5 * size < rect.top - rect.bottom < _MAX_HEIGHT * size:
            rect = replace(rect, bottom=y.value - _DESCENT * size, top=y.value + _ASCENT * size)
        yield rect


def _device(page: pdfium.PdfPage, number: int) -> Callable[[_Rect], Box]:
    """Converts to points of the page as shown: rotated, cropped, and from its upper left corner."""
    width, height = (round(edge * _UNITS) for edge in page.get_size())
    x, y = ctypes.c_int(), ctypes.c_int()

    def corner(left: float, top: float) -> tuple[float, float]:
        pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, left, top, x, y)
        return x.value / _UNITS, y.value / _UNITS

    def convert(rect: _Rect) -> Box:
        (ax, ay), (bx, by) = corner(rect.left, rect.top), corner(rect.right, rect.bottom)
        return Box(number, min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    return convert


def _lines(rects: Iterable[_Rect]) -> Iterator[_Rect]:
    """One rectangle per line; a wide gap, as between columns, begins another."""
    line: _Rect | None = None
    for rect in rects:
        if line and _is_next(line, rect):
            line = _Rect(
                min(line.left, rect.left),
                min(line.bottom, rect.bottom),
                max(line.right, rect.right),
                max(line.top, rect.top),
            )
            continue
        if line:
            yield line
        line = rect
    if line:
        yield line


def _is_next(line: _Rect, rect: _Rect) -> bool:
    heights = line.top - line.bottom, rect.top - rect.bottom
    overlap = min(line.top, rect.top) - max(line.bottom, rect.bottom)
    gap = max(rect.left - line.right, line.left - rect.right)
    return overlap >= _MIN_OVERLAP * min(heights) and gap <= _MAX_GAP * max(heights)
