"""Opens PDFs and their pages with pdfium, and closes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from treatise.core.errors import DamagedSourceError

PDFIUM: Final = RLock()
"""Held around every use of pdfium, which is not safe for threads."""

_END_MARK: Final = b"%%EOF"
_END_BYTES: Final = 4096  # some programs write a few bytes after the end marker


@contextmanager
def opened_pdf(data: bytes, name: str) -> Iterator[pdfium.PdfDocument]:
    """A PDF with at least one page.

    Raises:
        DamagedSourceError: Encrypted, truncated or malformed.
    """
    if _END_MARK not in data[-_END_BYTES:]:
        raise DamagedSourceError(f"{name}: truncated: a PDF ends with {_END_MARK.decode()}; download or save it again")
    try:
        document = pdfium.PdfDocument(data)
        n_pages = len(document)
    except pdfium.PdfiumError as error:
        if pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD or "assword" in str(error):
            raise DamagedSourceError(
                f"{name}: encrypted, and asks for a password; save it without one, "
                "for example with: qpdf --decrypt --password=... FILE NEW"
            ) from error
        raise DamagedSourceError(f"{name}: not a readable PDF ({error}); download or save it again") from error
    try:
        if not n_pages:
            raise DamagedSourceError(f"{name}: a PDF without pages; download or save it again")
        yield document
    finally:
        document.close()


@contextmanager
def opened_page(document: pdfium.PdfDocument, number: int, name: str) -> Iterator[pdfium.PdfPage]:
    """A page, 1-based.

    Raises:
        DamagedSourceError: The page is malformed.
    """
    try:
        page = document[number - 1]
        try:
            yield page
        finally:
            page.close()
    except pdfium.PdfiumError as error:
        raise DamagedSourceError(
            f"{name}: page {number:,} cannot be read ({error}); the file is damaged: download or save it again"
        ) from error
