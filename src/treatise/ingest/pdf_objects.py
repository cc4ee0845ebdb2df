"""The objects of a PDF page by type, with their bounds.

They are asked of pdfium directly: an object of pypdfium2 for each of the thousands of a page takes a quarter of the
time of reading it.
"""

import ctypes
from collections.abc import Collection, Iterator
from typing import Any, Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

Bounds = tuple[float, float, float, float]
"""Left, bottom, right and top, in points; ``y`` grows upwards."""

_MAX_OBJECTS: Final = 20_000  # of the types asked for


def objects_of(page: pdfium.PdfPage, types: Collection[int]) -> Iterator[tuple[Any, int]]:
    """The objects of these types outside of forms, each with its type; at most 20,000."""
    n_left = _MAX_OBJECTS
    for at in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
        found = pdfium_c.FPDFPage_GetObject(page.raw, at)
        kind = pdfium_c.FPDFPageObj_GetType(found) if found else -1
        if kind in types:
            if not n_left:
                return
            n_left -= 1
            yield found, kind


def bounds_of(found: Any) -> Bounds | None:
    """The bounds of an object; None if it has none."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetBounds(found, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def address_of(found: Any) -> int:
    """The address of an object, which is unique within a page; 0 if there is none."""
    return ctypes.addressof(found.contents) if found else 0
