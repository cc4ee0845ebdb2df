"""A language model behind any URL that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, OpenAI, …"""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from treatise.core.errors import ModelReplyError, PromptRefusedError
from treatise.core.ports import Message, Reply
from treatise.core.printable import encodable
from treatise.core.recipe import DEFAULT_DECODING, Decoding
from treatise.core.words import n_tokens
from treatise.engines.openai_client import Endpoint, excerpt, in_parallel, only_model, parsed
from treatise.engines.pacing import Pacer, RateLimit
from treatise.engines.thoughts import without_thought
from treatise.llm.decoding import SettableDecoding

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_REFUSALS: Final = {
    "response_format": re.compile("response_format|schema|grammar"),
    "seed": re.compile(r"\bseed\b"),
    "temperature": re.compile(r"\btemperature\b"),
    "top_p": re.compile(r"\btop_p\b"),
    "max_tokens": re.compile(r"max_completion_tokens\W+instead"),
}
"""Words in a server's 400 or 422 response that mean an unknown option."""

_OF_THE_PROMPT: Final = {400, 413, 422}
"""Status codes caused by the request, not by the server."""

_MOST_TOKENS: Final = 1e9  # no reply has more: a larger count is ignored


class OpenAIChat(SettableDecoding):
    """A ``LanguageModel`` behind a URL.

    Options that the server refuses (a JSON schema, the seed, temperature 0) are left out from then on; a refused
    schema is put into the last message instead.

    Args:
        endpoint: The server and model; the model's name may be empty if the server has only one.
        context_tokens: The model's window, 0 if unknown.
        pace: The server's rate limit; none by default.

    Raises:
        EngineError: If no model is named and the server cannot be reached.
        SettingsError: If no model is named and the server offers several.
    """

    def __init__(self, endpoint: Endpoint, context_tokens: int = 0, pace: RateLimit | None = None) -> None:
        self._pacer = Pacer(pace or RateLimit())
        self._endpoint = endpoint if endpoint.model else replace(endpoint, model=only_model(endpoint))
        self._context_tokens = context_tokens
        self._refused: set[str] = set()

    @property
    def name(self) -> str:
        """Protocol, model and decoding. Not the URL: outcomes are reused if the same model moves."""
        return f"openai-chat {self._endpoint.model} {self._decoding.suffix}"

    @property
    def context_tokens(self) -> int:
        """The model's window, 0 if unknown."""
        return self._context_tokens

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """Replies as they come; see ``LanguageModel.chat``. Closing the iterator cancels requests in flight."""
        jobs = [partial(self._reply, list(messages), max_tokens, schema) for messages in conversations]
        return in_parallel(self._endpoint, jobs)

    async def _reply(
        self, messages: list[Message], max_tokens: int, schema: dict[str, object] | None, client: "AsyncOpenAI"
    ) -> Reply:
        import openai

        await asyncio.sleep(self._pacer.reserve(_n_tokens(messages) + max_tokens))
        while True:
            request = self._request(messages, max_tokens, schema)
            try:
                raw = await client.chat.completions.with_raw_response.create(**request)
            except openai.APIStatusError as error:
                if error.status_code not in _OF_THE_PROMPT:
                    raise
                self._refused.add(self._refused_option(error, request))
            else:
                return read_completion(parsed(self._endpoint, raw.text), str(self._endpoint))

    def _request(self, messages: list[Message], max_tokens: int, schema: dict[str, object] | None) -> dict[str, Any]:
        if schema is not None and "response_format" in self._refused:
            messages = _with_schema(messages, schema)
        options = request_options(max_tokens, schema, self._decoding)
        kept = {name: value for name, value in options.items() if name not in self._refused}
        if "max_tokens" in self._refused:
            kept["max_completion_tokens"] = options["max_tokens"]
        turns = [{"role": message.role, "content": encodable(message.content)} for message in messages]
        return {"model": self._endpoint.model, "messages": turns, **kept}

    def _refused_option(self, error: "APIStatusError", request: dict[str, Any]) -> str:
        """The option of the request unknown to the server. Raises if the server refuses the prompt itself."""
        for name, refusal in _REFUSALS.items():
            if name in request and refusal.search(str(error)):
                return name
        reason = excerpt(self._endpoint.secrets.redact(error.message))
        message = f"{self._endpoint} answered {error.status_code}: {reason}"
        error.args = (message,)
        raise PromptRefusedError(message) from error


def _n_tokens(messages: Sequence[Message]) -> int:
    return sum(n_tokens(message.content) for message in messages)


def read_completion(body: dict[str, Any], source: str) -> Reply:
    """The reply in a chat completion of OpenAI's protocol, without its reasoning.

    Raises:
        ModelReplyError: If the body is no completion, or the reply is empty; includes the tokens used.
    """
    try:
        choice = body["choices"][0]
        text = choice["message"]["content"]
        truncated = choice.get("finish_reason") == "length"
    except (LookupError, TypeError, AttributeError) as error:
        raise ModelReplyError(f"{source}: expected a chat completion, found {excerpt(body)}") from error
    prompt_tokens, completion_tokens = _count(body, "prompt_tokens"), _count(body, "completion_tokens")
    if not isinstance(text, str) or not text:
        tokens = (prompt_tokens, completion_tokens) if body.get("usage") else None
        raise ModelReplyError(f"{source} gave an empty reply: {excerpt(body)}", "empty", tokens)
    reply = without_thought(text)
    tokens = prompt_tokens, completion_tokens or (n_tokens(text) if reply != text else 0)  # reasoning is billed too
    if not reply:
        raise ModelReplyError(f"{source} gave reasoning and no reply: {excerpt(text)}", "empty", tokens)
    return Reply(encodable(reply), *tokens, truncated)


def _count(body: dict[str, Any], name: str) -> int:
    """The server's count of tokens; 0 if it reports none, or an impossible one."""
    usage = body.get("usage")
    n = usage.get(name) if isinstance(usage, dict) else None
    return int(n) if isinstance(n, int | float) and 0 < n < _MOST_TOKENS else 0


def request_options(
    max_tokens: int, schema: dict[str, object] | None, decoding: Decoding = DEFAULT_DECODING
) -> dict[str, Any]:
    """Decoding settings, and the schema in the protocol's form. A ``top_p`` of 1 is left out."""
    options: dict[str, Any] = {
        "temperature": decoding.temperature,
        "seed": decoding.seed,
        "max_tokens": decoding.limit(max_tokens),
    }
    if decoding.top_p < 1:
        options["top_p"] = decoding.top_p
    if schema is not None:
        form = {"name": "reply", "schema": schema, "strict": True}
        options["response_format"] = {"type": "json_schema", "json_schema": form}
    return options


def _with_schema(messages: list[Message], schema: dict[str, object]) -> list[Message]:
    """The conversation with the schema in words at the end of its last message."""
    content = f"{messages[-1].content}\n\nReply with JSON alone, by this schema: {json.dumps(schema)}"
    return [*messages[:-1], replace(messages[-1], content=content)]
