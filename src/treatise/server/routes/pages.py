"""Pictures of PDF pages, and where a span of the text stands on them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from treatise.core.document import Document, Span
from treatise.core.errors import SourceError
from treatise.pipeline.places import check_pages, source_bytes
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.problems import ProblemError
from treatise.server.replies import RecordResponse, public_name
from treatise.server.routes.documents import DocumentId, Offset
from treatise.server.schemas import BoxList, replies
from treatise.server.services import Services

router: APIRouter = APIRouter(tags=["pages"])

PageNumber = Annotated[int, Path(ge=1, le=10**6)]


class Marked(BaseModel):
    """What a picture shows: the highlighted characters, and its size."""

    start: int = Field(0, ge=0, le=2**40, description="First character to highlight.")
    end: int = Field(0, ge=0, le=2**40, description="End of these characters; 0 for none.")
    scale: float = Field(2.0, ge=0.1, le=6.0, description="Pixels per point; 2 is 144 per inch.")


_PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}, "description": "The picture."}}


@router.get(
    "/documents/{document_id}/pages/{page}.png",
    summary="The picture of a page",
    responses=_PICTURE,
    response_class=Response,
)
async def get_picture(
    services: ServicesOf,
    key: ReadKey,
    document_id: DocumentId,
    page: PageNumber,
    marked: Annotated[Marked, Query()],
) -> Response:
    """One page of a PDF, from 1, with the characters ``[start, end)`` highlighted; ``end`` 0 highlights nothing."""
    document = await to_thread.run_sync(services.document, key, document_id)
    span = _span(document, marked.start, marked.end) if marked.end else Span(0, 0)
    with _public(document):
        data = await to_thread.run_sync(_source, services, document)
        png = await services.drawing.picture(data, document, page, span, marked.scale)
    # An id names content, so a picture never changes; it is for the caller's key alone.
    return Response(png, media_type="image/png", headers={"cache-control": "private, max-age=86400"})


@router.get("/documents/{document_id}/boxes", summary="Where a span stands on its pages", responses=replies(BoxList))
async def get_boxes(
    services: ServicesOf, key: ReadKey, document_id: DocumentId, start: Offset = 0, end: Offset = 0
) -> RecordResponse:
    """One box per line of the characters ``[start, end)``, in points from the upper left corner of the page.

    ``pages`` has the size of each page with a box, or of the page on which the span should be: without boxes the text
    was not found there, as on a scan.
    """
    document = await to_thread.run_sync(services.document, key, document_id)
    span = _span(document, start, end)
    with _public(document):
        data = await to_thread.run_sync(_source, services, document)
        found = await services.drawing.boxes(data, document, span)
    return RecordResponse({"document": document.id, **found})


def _source(services: Services, document: Document) -> bytes:
    """The bytes of the document's PDF.

    Raises:
        SourceError: If there is none to draw.
    """
    data = source_bytes(services.libraries.store, document, services.originals.read)
    check_pages(document, data)
    return data


def _span(document: Document, start: int, end: int) -> Span:
    if not start < end <= len(document.text):
        raise ProblemError(
            422, "span", f"start and end should be offsets in ascending order, up to {len(document.text):,}"
        )
    return Span(start, end)


@contextmanager
def _public(document: Document) -> Iterator[None]:
    """Names the source in errors without its folder."""
    try:
        yield
    except SourceError as error:
        detail = str(error).replace(document.source, public_name(document.source))
        raise ProblemError(409, "no-picture", detail) from error
