"""Calls of a language model for one answer: counted, and no more than allowed."""

from collections.abc import Sequence

from treatise.core.errors import EngineError, ModelReplyError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.usage import ModelUsage


class Calls:
    """Asks a model, one conversation at a time.

    Args:
        model: Asked.
        max_calls: Requests at most; None for any number.

    Attributes:
        n_calls: Requests made.
        prompt_tokens, completion_tokens: As the engine counts them.
    """

    def __init__(self, model: LanguageModel, max_calls: int | None = None) -> None:
        self._model = model
        self._max_calls = max_calls
        self.n_calls = self.prompt_tokens = self.completion_tokens = 0

    def allow(self, n: int) -> bool:
        """Whether so many more requests may be made."""
        return self._max_calls is None or self.n_calls + n <= self._max_calls

    def ask(self, messages: Sequence[Message], *, max_tokens: int, schema: dict[str, object] | None = None) -> Reply:
        """The reply.

        Raises:
            EngineError: Where the model failed, or said nothing.
        """
        self.n_calls += 1
        ((_, reply),) = self._model.chat([messages], max_tokens=max_tokens, schema=schema)
        if isinstance(reply, Exception):
            raise reply if isinstance(reply, EngineError) else EngineError(str(reply)) from reply
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens
        if not reply.text.strip():
            raise ModelReplyError(f"{self._model.name} replied with nothing: try another model", "empty")
        return reply

    @property
    def usage(self) -> ModelUsage:
        """What the calls so far cost."""
        return ModelUsage(self.n_calls, prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens)
