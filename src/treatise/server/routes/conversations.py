"""Conversations: follow-up questions are read with the turns before them."""

import time
from typing import Annotated, Any, ClassVar

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict

from treatise.pipeline.conversation import Conversation
from treatise.pipeline.query import SILENT, AnswerListener
from treatise.server.asking import Asking, AskRequest, StreamListener
from treatise.server.conversations import StoredConversation
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.keys import Key
from treatise.server.logs import request_id_of
from treatise.server.problems import not_found
from treatise.server.replies import RecordResponse
from treatise.server.schemas import AnswerReply, replies
from treatise.server.schemas_state import ConversationList, ConversationReply
from treatise.server.services import Services
from treatise.server.streams import STREAM_REPLY, Emit, EventStream, event_stream, worked_events

router: APIRouter = APIRouter(tags=["conversations"])

ConversationId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


class ConversationRequest(BaseModel):
    """A conversation to begin; every question says for itself what it searches."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@router.post(
    "/conversations", status_code=201, summary="Begin a conversation", responses=replies(ConversationReply, 201)
)
def begin(services: ServicesOf, key: ReadKey, _wanted: ConversationRequest) -> RecordResponse:
    """It belongs to the caller's key."""
    return RecordResponse(services.conversations.add(key.id).record(), 201)


@router.get("/conversations", summary="The newest conversations", responses=replies(ConversationList))
def list_conversations(
    services: ServicesOf, key: ReadKey, limit: Annotated[int, Query(ge=1, le=1000)] = 50
) -> RecordResponse:
    """Those of the caller's key, last used first, without their turns."""
    return RecordResponse({"conversations": [one.head() for one in services.conversations.newest(key.id, limit)]})


@router.get("/conversations/{conversation_id}", summary="A conversation", responses=replies(ConversationReply))
def get_conversation(services: ServicesOf, key: ReadKey, conversation_id: ConversationId) -> RecordResponse:
    """With its turns: the question, the question as it was answered, and the answer."""
    return RecordResponse(own(services, key, conversation_id).record())


@router.delete(
    "/conversations/{conversation_id}", summary="Remove a conversation", responses=replies(ConversationReply)
)
def remove_conversation(
    request: Request, services: ServicesOf, key: ReadKey, conversation_id: ConversationId
) -> RecordResponse:
    """The reply is the conversation as it was."""
    conversation = own(services, key, conversation_id)
    services.conversations.remove(conversation_id)
    services.audit.add(key.id, "remove conversation", conversation_id, request_id_of(request.scope))
    return RecordResponse(conversation.record())


@router.post("/conversations/{conversation_id}/ask", summary="Ask in a conversation", responses=replies(AnswerReply))
async def ask(services: ServicesOf, key: ReadKey, conversation_id: ConversationId, asked: AskRequest) -> RecordResponse:
    """As ``/ask``; ``resolved`` is the question as it was answered."""
    return await services.answer(lambda: RecordResponse(answered(services, key, conversation_id, asked)))


@router.post(
    "/conversations/{conversation_id}/ask/stream",
    summary="Ask in a conversation as a stream",
    response_class=EventStream,
    responses=STREAM_REPLY,
)
async def ask_stream(
    request: Request, services: ServicesOf, key: ReadKey, conversation_id: ConversationId, asked: AskRequest
) -> EventStream:
    """The events of ``/ask/stream``."""
    await to_thread.run_sync(own, services, key, conversation_id)
    asking = Asking(services, key)

    def work(emit: Emit) -> None:
        emit("answer", answered(services, key, conversation_id, asked, StreamListener(asking, emit)))

    return event_stream(await worked_events(services, work, request_id_of(request.scope)))


def answered(
    services: Services, key: Key, conversation_id: str, asked: AskRequest, listener: AnswerListener = SILENT
) -> dict[str, Any]:
    """The record of an answer in a conversation, which is kept as a turn."""
    turns = own(services, key, conversation_id).read_turns()
    asking = Asking(services, key)
    library, documents = asking.prepared(asked)
    conversation = Conversation(library, tuple(documents or ()), turns, max_words=asked.max_words)
    turn = conversation.ask(asked.question, listener=listener).turns[-1]
    record = asking.record(turn.answer)
    kept = {"question": turn.question, "resolved": turn.resolved, "at": time.time(), "answer": record}
    services.conversations.append(conversation_id, kept)
    return {**record, "question": turn.question, "resolved": turn.resolved}


def own(services: Services, key: Key, conversation_id: str) -> StoredConversation:
    """A conversation of the caller; 404 if there is none."""
    conversation = services.conversations.get(conversation_id)
    if conversation is None or conversation.key != key.id:
        raise not_found("conversation", conversation_id)
    return conversation
