"""Questions: answers whole or as a stream, passages, summaries and graphs, as the command line prints them."""

from fastapi import APIRouter, Request

from treatise.server.asking import Asked, Asking, AskRequest, StreamListener, SummaryRequest
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.logs import request_id_of
from treatise.server.replies import RecordResponse
from treatise.server.schemas import AnswerReply, GraphReply, SearchReply, SummaryReply, replies
from treatise.server.streams import STREAM_REPLY, Emit, EventStream, event_stream, worked_events

router: APIRouter = APIRouter(tags=["questions"])


@router.post("/ask", summary="Answer a question", responses=replies(AnswerReply))
async def ask(services: ServicesOf, key: ReadKey, asked: AskRequest) -> RecordResponse:
    """The answer with citations, as ``treatise ask --json``."""
    return await services.answer(lambda: RecordResponse(Asking(services, key).answer(asked)))


@router.post(
    "/ask/stream",
    summary="Answer a question as a stream",
    response_class=EventStream,
    responses=STREAM_REPLY,
)
async def ask_stream(request: Request, services: ServicesOf, key: ReadKey, asked: AskRequest) -> EventStream:
    """The events ``evidence``, ``statement`` for each, and ``answer``; or ``problem`` in place of what is missing."""
    asking = Asking(services, key)

    def work(emit: Emit) -> None:
        emit("answer", asking.answer(asked, StreamListener(asking, emit)))

    return event_stream(await worked_events(services, work, request_id_of(request.scope)))


@router.post("/search", summary="Find passages", responses=replies(SearchReply))
async def search(services: ServicesOf, key: ReadKey, asked: Asked) -> RecordResponse:
    """The best passages without an answer, as ``treatise search --json``."""
    return await services.answer(lambda: RecordResponse(Asking(services, key).search(asked)))


@router.post("/summarize", summary="Summarize a document", responses=replies(SummaryReply))
async def summarize(services: ServicesOf, key: ReadKey, asked: SummaryRequest) -> RecordResponse:
    """A summary with citations, as ``treatise summarize --json``."""
    return await services.answer(lambda: RecordResponse(Asking(services, key).summary(asked)))


@router.post("/graph", summary="The rhetorical graph of a question", responses=replies(GraphReply))
async def graph(services: ServicesOf, key: ReadKey, asked: Asked) -> RecordResponse:
    """The passages of a question and the relations between them, as ``treatise show --graph --json``."""
    return await services.answer(lambda: RecordResponse(Asking(services, key).graph(asked)))
