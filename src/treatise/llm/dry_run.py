"""A language model that is never called: requests are counted, and answered as an estimate expects."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from treatise.core.errors import EngineUnavailableError, ModelReplyError
from treatise.core.note import CallOutcome
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.recipe import Decoding
from treatise.core.words import clip
from treatise.llm.budget import Spending
from treatise.llm.decoding import decoded
from treatise.llm.request import Request

EXPECTED_SHARE: Final = 0.5
"""Words of a summary per word of its source. The prompt asks for fewer words than the source has, and models comply."""

_REPLY_WORDS: Final = 40
_SENTENCE: Final = "Passage 1 answers the question."


class UncalledModel:
    """A ``LanguageModel`` that is never called: estimates need its name and window only."""

    name = "estimated"
    context_tokens = 0

    def chat(
        self, conversations: Sequence[Sequence[Message]], **_options: object
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """An error per request; see ``LanguageModel.chat``."""
        error = EngineUnavailableError("estimates make no calls to a language model")
        return ((index, error) for index in range(len(conversations)))


class DryRunModel(UncalledModel):
    """A ``LanguageModel`` for whole runs without calls: ``LlmRunner`` asks it what to expect of each request.

    A reply without an expectation of its own counts as the longest allowed.

    Args:
        model: Only its name and window are used: they decide the keys and the length of prompts.
        spending: Counts the requests.
    """

    def __init__(self, model: LanguageModel, spending: Spending) -> None:
        self._model = model
        self.name = model.name
        self.context_tokens = model.context_tokens
        self.spending = spending

    def with_decoding(self, decoding: Decoding) -> LanguageModel:
        """See ``Decodable``; the account stays the same."""
        model = decoded(self._model, decoding)
        return self if model is self._model else DryRunModel(model, self.spending)

    def expect(self, request: Request) -> CallOutcome:
        """The expected outcome of a request, which is counted."""
        expected = request.expected(EXPECTED_SHARE)
        self.spending.n_calls += 1
        self.spending.prompt_tokens += expected.prompt_tokens
        self.spending.completion_tokens += expected.completion_tokens
        texts = expected.texts or _read(request)
        return CallOutcome(texts, expected.prompt_tokens, expected.completion_tokens)


def _read(request: Request) -> tuple[str, ...]:
    """The texts of a reply of the requested form; empty if the request rejects it."""
    said = _instance(request.schema) if request.schema else clip(request.messages[-1].content, _REPLY_WORDS)
    text = said if isinstance(said, str) else json.dumps(said)
    try:
        return request.reader(Reply(text, 0, 0))
    except ModelReplyError:
        return ()


def _instance(schema: Any) -> Any:
    """A small value of a JSON schema."""
    match schema.get("type"):
        case "object":
            return {name: _instance(one) for name, one in schema.get("properties", {}).items()}
        case "array":
            return []
        case "boolean":
            return False
        case "integer" | "number":
            return 1
        case _:
            return schema["enum"][0] if "enum" in schema else _SENTENCE
