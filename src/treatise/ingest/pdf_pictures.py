"""Draws pages of a PDF, with boxes highlighted."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pypdfium2 as pdfium

from treatise.core.box import Box
from treatise.core.errors import SourceError
from treatise.ingest.pdf_files import PDFIUM, opened_page, opened_pdf
from treatise.ingest.png import Pixels, png

HIGHLIGHT: Final = (255, 226, 89)
"""Red, green and blue that the pixels of a box are multiplied with: paper turns yellow, ink stays dark."""

DEFAULT_SCALE: Final = 2.0
"""Pixels per point: 144 per inch."""

_MAX_PIXELS: Final = 16_000_000
_MARGIN_PT: Final = 1.0


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as shown.

    Attributes:
        png: The picture as a PNG file.
        width, height: Of the page in points.
        scale: Pixels per point.
    """

    png: bytes
    width: float
    height: float
    scale: float


def page_picture(
    data: bytes, page: int, *, name: str, boxes: Iterable[Box] = (), scale: float = DEFAULT_SCALE
) -> PagePicture:
    """A page of a PDF, 1-based, with those ``boxes`` highlighted that are on it; large pages are drawn smaller.

    Raises:
        DamagedSourceError: The PDF or the page cannot be read.
        SourceError: There is no such page.
    """
    pixels, width, height, scale = _drawn(data, page, name, scale)
    for box in boxes:
        if box.page == page:
            _highlight(pixels, box, scale)
    return PagePicture(png(pixels), width, height, scale)


def page_pixels(data: bytes, page: int, *, name: str, scale: float) -> tuple[Pixels, float, float]:
    """A page as shown, 1-based, its height in points, and the pixels per point: fewer than asked for large pages.

    Raises:
        DamagedSourceError, SourceError: As `page_picture`.
    """
    pixels, _, height, scale = _drawn(data, page, name, scale)
    return pixels, height, scale


def _drawn(data: bytes, page: int, name: str, scale: float) -> tuple[Pixels, float, float, float]:
    """The pixels, the width and height in points, and the scale."""
    with PDFIUM, opened_pdf(data, name) as document:
        if not 0 < page <= len(document):
            raise SourceError(f"{name}: has pages 1 to {len(document):,}, and no page {page:,}")
        with opened_page(document, page, name) as found:
            width, height = found.get_size()
            scale = min(scale, (_MAX_PIXELS / max(1.0, width * height)) ** 0.5)
            return _rendered(found, scale), width, height, scale


def page_size(data: bytes, page: int, *, name: str) -> tuple[float, float]:
    """Width and height of a page in points, as shown."""
    with PDFIUM, opened_pdf(data, name) as document, opened_page(document, page, name) as found:
        width, height = found.get_size()
        return float(width), float(height)


def _rendered(page: Any, scale: float) -> Pixels:
    bitmap = page.render(scale=scale, rev_byteorder=True, force_bitmap_format=pdfium.raw.FPDFBitmap_BGR)
    try:
        return np.array(bitmap.to_numpy()[:, :, :3])
    finally:
        bitmap.close()


def _highlight(pixels: Pixels, box: Box, scale: float) -> None:
    x0, y0 = (max(0, int((edge - _MARGIN_PT) * scale)) for edge in (box.x0, box.y0))
    x1, y1 = (int((edge + _MARGIN_PT) * scale) for edge in (box.x1, box.y1))
    part = pixels[y0:y1, x0:x1]
    part[:] = part.astype(np.uint16) * HIGHLIGHT // 255
