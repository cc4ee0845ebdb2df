"""Where a span of a stored document stands in its source, and how its page looks."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from treatise.core.box import Box
from treatise.core.document import Document, Span
from treatise.core.errors import SourceError
from treatise.core.ports import Store
from treatise.ingest.files import is_content_of, read_file

if TYPE_CHECKING:
    from treatise.ingest.pdf_pictures import PagePicture

_PDF_MARK: Final = b"%PDF-"
_HEAD_BYTES: Final = 1024  # a PDF may begin with other bytes


class SourcePages:
    """The pages of a stored PDF, drawn from its source.

    Args:
        document: The stored document.
        data: The bytes that it was read from.

    Raises:
        SourceError: The source is no PDF, so that it has no pages to draw.
    """

    def __init__(self, document: Document, data: bytes) -> None:
        check_pages(document, data)
        self._document = document
        self._data = data

    def boxes(self, span: Span) -> list[Box]:
        """The boxes of a span's lines; empty if the span is not found on its pages, such as on a scan."""
        from treatise.ingest.pdf_boxes import boxes_of

        return boxes_of(self._data, self._document, span)

    def size(self, page: int) -> tuple[float, float]:
        """Width and height of a page in points, as shown."""
        from treatise.ingest.pdf_pictures import page_size

        return page_size(self._data, page, name=self._document.source)

    def picture(self, page: int, *, boxes: tuple[Box, ...] = (), scale: float = 2.0) -> "PagePicture":
        """A page, 1-based, with its boxes highlighted."""
        from treatise.ingest.pdf_pictures import page_picture

        return page_picture(self._data, page, name=self._document.source, boxes=boxes, scale=scale)


def check_pages(document: Document, data: bytes) -> None:
    """Raises ``SourceError`` if the source of a document is no PDF."""
    if _PDF_MARK not in data[:_HEAD_BYTES] or not document.page_starts:
        raise SourceError(
            f"{document.source}: no PDF, so it has no pages to draw; print its text with: "
            f"treatise show {document.id} --text START-END"
        )


def source_pages(store: Store, document: Document) -> SourcePages:
    """The pages of a stored document.

    Raises:
        SourceError: The source is gone, has changed since it was indexed, or is no PDF.
    """
    return SourcePages(document, source_bytes(store, document))


def source_bytes(store: Store, document: Document, read: Callable[[str], bytes] | None = None) -> bytes:
    """The bytes that a stored document was read from.

    ``read`` returns the bytes of a source by name; by default they are read from the file.

    Raises:
        SourceError: The source is gone, or has changed since it was indexed.
    """
    name = document.source
    content = read(name) if read else read_file(name)[0]
    known = store.state(name)
    if known is None or known[0] != document.id or not is_content_of(content, known[1]):
        raise SourceError(
            f"{name}: has changed since it was indexed as {document.id}; read it again with: treatise update {name}"
        )
    return content
