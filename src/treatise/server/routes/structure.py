"""The discourse structure of a part of a document."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from treatise.core.document import Document, Span
from treatise.core.errors import TreeError
from treatise.pipeline.part_tree import part_tree
from treatise.records import part_tree_record
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.problems import ProblemError
from treatise.server.replies import RecordResponse
from treatise.server.routes.documents import DocumentId, Offset
from treatise.server.schemas import StructureReply, replies

RECIPE: Final = "summary"
"""The recipe whose parser and units are used: discourse trees over sentences, without notes."""

MAX_PART: Final = 30_000
"""Characters in one request; a parser reads about a page per second."""

router: APIRouter = APIRouter(tags=["documents"])


@router.get("/documents/{document_id}/structure", summary="The structure of a part", responses=replies(StructureReply))
async def get_structure(
    services: ServicesOf,
    key: ReadKey,
    document_id: DocumentId,
    start: Offset = 0,
    end: Annotated[int, Query(ge=0, le=2**40, description="End of the part; 0 for as much as one reply has.")] = 0,
) -> RecordResponse:
    """The discourse tree over the paragraphs that begin within ``[start, end)``, at most 30,000 characters.

    It is parsed now, whatever recipes have indexed the document. ``.../tree`` has the tree of an index.
    """

    def work() -> RecordResponse:
        document = services.document(key, document_id)
        span = _part(document, start, end)
        try:
            part = part_tree(services.library(RECIPE).system, document, span)
        except TreeError as error:
            raise ProblemError(422, "span", str(error)) from error
        return RecordResponse(part_tree_record(document, part))

    return await services.answer(work)


def _part(document: Document, start: int, end: int) -> Span:
    last = min(end or len(document.text), len(document.text), start + MAX_PART)
    if start >= last:
        raise ProblemError(422, "span", f"start should be below end, and below {len(document.text):,}")
    return Span(start, last)
