"""Words of a PDF page that nobody sees: invisible, white on white, off the page, or too small.

The text layer of a scan is invisible too, above the picture of its words: it is read. What a picture, a drawing or a
clipping path covers is not known.
"""

import ctypes
from collections.abc import Sequence
from typing import Any, Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from treatise.ingest.pdf_objects import Bounds, address_of, bounds_of, objects_of

_OFF_PAGE_PT: Final = 2.0
_TINY_PT: Final = 1.0
_WHITE: Final = 250
_PICTURES: Final = (pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_FORM)
_BACKGROUNDS: Final = (
    pdfium_c.FPDF_PAGEOBJ_PATH,
    pdfium_c.FPDF_PAGEOBJ_IMAGE,
    pdfium_c.FPDF_PAGEOBJ_SHADING,
    pdfium_c.FPDF_PAGEOBJ_FORM,
)


class PageVisibility:
    """Which words of a page can be seen.

    Args:
        page: The page.
        text_page: Its text, with the indices of characters.
    """

    def __init__(self, page: pdfium.PdfPage, text_page: pdfium.PdfTextPage) -> None:
        self._page, self._raw = page, text_page.raw
        self._on_page = page.get_bbox()
        self._colour = [ctypes.c_uint() for _ in range(4)]
        self._looks: dict[int, tuple[int, bool, bool]] = {}
        self._backgrounds: list[Bounds] | None = None
        self._pictures: list[Bounds] | None = None

    def is_hidden(self, index: int, bounds: Bounds, size: float) -> bool:
        """Whether nobody sees a word.

        Args:
            index: Of its first character.
            bounds: Of the word.
            size: Of its font, as it appears.
        """
        left, bottom, right, top = self._on_page
        if (
            bounds[2] < left - _OFF_PAGE_PT
            or bounds[0] > right + _OFF_PAGE_PT
            or bounds[3] < bottom - _OFF_PAGE_PT
            or bounds[1] > top + _OFF_PAGE_PT
        ):
            return True
        if 0 < size <= _TINY_PT and bounds[3] - bounds[1] <= 2 * _TINY_PT:
            return True
        mode, is_transparent, is_white = self._look(index)
        if mode == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE:
            return not _lies_on(bounds, self._of_pictures())
        return is_transparent or (is_white and not _lies_on(bounds, self._of_backgrounds()))

    def _look(self, index: int) -> tuple[int, bool, bool]:
        """How a character is drawn: its render mode, and whether its filling is transparent or white.

        Read once per text object, whose characters share it.
        """
        text_object = pdfium_c.FPDFText_GetTextObject(self._raw, index)
        address = address_of(text_object)
        if not address:
            return -1, False, False
        look = self._looks.get(address)
        if look is None:
            mode = int(pdfium_c.FPDFTextObj_GetTextRenderMode(text_object))
            is_filled = mode == pdfium_c.FPDF_TEXTRENDERMODE_FILL
            look = self._looks[address] = (mode, *(self._filling(index) if is_filled else (False, False)))
        return look

    def _filling(self, index: int) -> tuple[bool, bool]:
        """Whether the colour of a character is transparent, and whether it is white."""
        if not pdfium_c.FPDFText_GetFillColor(self._raw, index, *self._colour):
            return False, False
        *colour, alpha = (one.value for one in self._colour)
        return alpha == 0, min(colour) >= _WHITE

    def _of_pictures(self) -> list[Bounds]:
        if self._pictures is None:
            objects = objects_of(self._page, _PICTURES)
            self._pictures = [bounds for found, _ in objects if (bounds := bounds_of(found))]
        return self._pictures

    def _of_backgrounds(self) -> list[Bounds]:
        if self._backgrounds is None:
            shown = (
                found for found, kind in objects_of(self._page, _BACKGROUNDS) if not self._is_white_path(found, kind)
            )
            self._backgrounds = [bounds for found in shown if (bounds := bounds_of(found))]
        return self._backgrounds

    def _is_white_path(self, found: Any, kind: int) -> bool:
        """Whether a path fills with white, or only draws lines."""
        if kind != pdfium_c.FPDF_PAGEOBJ_PATH:
            return False
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        if pdfium_c.FPDFPath_GetDrawMode(found, fill, stroke) and not fill.value:
            return True
        if not pdfium_c.FPDFPageObj_GetFillColor(found, *self._colour):
            return False
        return min(one.value for one in self._colour[:3]) >= _WHITE


def _lies_on(bounds: Bounds, others: Sequence[Bounds]) -> bool:
    """Whether the middle lies within one of the others."""
    x, y = (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2
    return any(left <= x <= right and bottom <= y <= top for left, bottom, right, top in others)
