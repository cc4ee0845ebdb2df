"""OpenAI-compatible endpoints: ``/v1/models``, ``/v1/chat/completions``. Any chat client can be pointed at them."""

import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.responses import Response, StreamingResponse

from treatise.core.errors import TreatiseError
from treatise.pipeline.conversation import Conversation
from treatise.server.asking import Asking, AskRequest
from treatise.server.chat import WHOLE_LIBRARY, ChatRequest, annotations, pieces, question_of, turns_of
from treatise.server.dependencies import ReadKey, ServicesOf
from treatise.server.keys import Key
from treatise.server.logs import request_id_of
from treatise.server.problems import ProblemError, problem_logged
from treatise.server.replies import RecordResponse
from treatise.server.services import Services

Record = dict[str, Any]


class _OpenAIRoute(APIRoute):
    """A route whose errors have OpenAI's shape: ``{"error": {"message", "type", "param", "code"}}``."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """See ``APIRoute``."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except (ProblemError, TreatiseError, RequestValidationError) as error:
                return _failed(error, request)

        return handle


router: APIRouter = APIRouter(tags=["openai"], route_class=_OpenAIRoute)


@router.get("/v1/models", summary="List the models")
async def models(services: ServicesOf, key: ReadKey) -> Record:
    """The whole library as the model ``treatise``, and each collection under its name."""
    return {"object": "list", "data": [_model(name) for name in await services.answer(lambda: _names(services, key))]}


@router.get("/v1/models/{model:path}", summary="One model")
async def model(services: ServicesOf, key: ReadKey, model: str) -> Record:
    """A model by its name."""
    await services.answer(lambda: _check_model(services, key, model))
    return _model(model)


@router.post("/v1/chat/completions", summary="Answer the last question of a chat", response_model=None)
async def chat_completions(services: ServicesOf, key: ReadKey, asked: ChatRequest, request: Request) -> Response:
    """The answer as a message with numbered citations; ``annotations`` has their places, ``treatise`` all of it."""
    record = await services.answer(lambda: _answered(services, key, asked))
    reply = _Reply(asked, record, str(request.base_url))
    if asked.stream:
        return StreamingResponse(_lines(reply.chunks()), media_type="text/event-stream")
    return RecordResponse(reply.whole())


class _Reply:
    """The answer to one request, whole or in chunks."""

    def __init__(self, asked: ChatRequest, record: Record, base_url: str) -> None:
        self._asked = asked
        self._record = record
        self._annotations = annotations(record, base_url)
        self._head = {
            "id": f"chatcmpl-{secrets.token_hex(12)}",
            "created": int(time.time()),
            "model": asked.model,
        }

    def whole(self) -> Record:
        """The object ``chat.completion``."""
        text = "".join(pieces(self._record))
        message = {"role": "assistant", "content": text, "refusal": None, "annotations": self._annotations}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        head = {**self._head, "object": "chat.completion"}
        return {**head, "choices": [choice], "usage": self._usage(), "treatise": self._record}

    def chunks(self) -> Iterator[Record]:
        """The objects ``chat.completion.chunk`` of a stream."""
        yield self._chunk({"role": "assistant", "content": ""})
        for piece in pieces(self._record):
            yield self._chunk({"content": piece})
        yield self._chunk({"annotations": self._annotations}, "stop")
        options = self._asked.stream_options
        if options and options.include_usage:
            yield {**self._chunk({}), "choices": [], "usage": self._usage()}

    def _chunk(self, delta: Record, finish_reason: str | None = None) -> Record:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        return {**self._head, "object": "chat.completion.chunk", "choices": [choice]}

    def _usage(self) -> Record:
        """Tokens of the language model; 0 if the answer was quoted."""
        usage = self._record["usage"]
        prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


async def _lines(chunks: Iterator[Record]) -> AsyncIterator[str]:
    """Server-sent events."""
    for chunk in chunks:
        yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
    yield "data: [DONE]\n\n"


def _answered(services: Services, key: Key, asked: ChatRequest) -> Record:
    """The record of the answer to the chat's last question."""
    _check_model(services, key, asked.model)
    question = question_of(asked.messages)
    collection = "" if asked.model == WHOLE_LIBRARY else asked.model
    asking = Asking(services, key)
    library, documents = asking.prepared(
        AskRequest.model_construct(
            question=question, documents=[], collection=collection, where="", recipe="", max_words=0, llm=True
        )
    )
    conversation = Conversation(library, tuple(documents or ()), turns_of(asked.messages))
    return asking.record(conversation.ask(question).turns[-1].answer)


def _names(services: Services, key: Key) -> list[str]:
    return [WHOLE_LIBRARY, *(name for name in services.collections(key) if name != WHOLE_LIBRARY)]


def _check_model(services: Services, key: Key, name: str) -> None:
    names = _names(services, key)
    if name not in names:
        raise ProblemError(404, "model_not_found", f"there is no model {name!r}: /v1/models lists {_shown(names)}")


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:10])


def _model(name: str) -> Record:
    return {"id": name, "object": "model", "created": 0, "owned_by": "treatise"}


_TYPES: Final = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}


def _failed(error: ProblemError | TreatiseError | RequestValidationError, request: Request) -> Response:
    """An error in OpenAI's shape."""
    problem, param = _problem(error, request)
    kind = _TYPES.get(problem.status, "invalid_request_error" if problem.status < 500 else "server_error")
    message = request.app.state.services.redactor.text(problem.detail)
    body = {"error": {"message": message, "type": kind, "param": param, "code": problem.kind}}
    return RecordResponse(body, problem.status, headers=problem.headers)


def _problem(
    error: ProblemError | TreatiseError | RequestValidationError, request: Request
) -> tuple[ProblemError, str | None]:
    """The error as a problem, and the field that was wrong."""
    if isinstance(error, ProblemError):
        return error, None
    if isinstance(error, TreatiseError):
        return problem_logged(error, request_id_of(request.scope)), None
    first = error.errors()[0]
    param = ".".join(map(str, first["loc"][1:]))
    return ProblemError(400, "invalid_request", f"{param or 'body'}: {first['msg']}"), param
