"""A language model without a model."""

from collections.abc import Callable, Iterator, Sequence

from treatise.core.errors import EngineError, ModelReplyError
from treatise.core.ports import Message, Reply
from treatise.core.recipe import DEFAULT_DECODING, Decoding
from treatise.llm.decoding import SettableDecoding

Script = Sequence[str | EngineError] | Callable[[Sequence[Message]], str]
"""Replies: a list consumed from the front, with errors for failures, or a function of a conversation."""


class ScriptedModel(SettableDecoding):
    """A ``LanguageModel`` with scripted replies. Words count as tokens.

    Args:
        script: The replies. A function may raise an ``EngineError`` to fail.
        context_tokens: Its declared window.

    Attributes:
        prompts: Every conversation that it received, in order.
        schemas: The JSON schema of each, or None.
        decodings: The decoding settings of each.
    """

    def __init__(self, script: Script, context_tokens: int = 0) -> None:
        self._say = script if callable(script) else _in_turn(script)
        self._context_tokens = context_tokens
        self.prompts: list[tuple[Message, ...]] = []
        self.schemas: list[dict[str, object] | None] = []
        self.decodings: list[Decoding] = []

    @property
    def name(self) -> str:
        """The same for every script."""
        return "scripted" if self._decoding == DEFAULT_DECODING else f"scripted {self._decoding.suffix}"

    @property
    def context_tokens(self) -> int:
        """The constructor's argument."""
        return self._context_tokens

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """Replies in order, each cut at ``max_tokens`` words; see ``LanguageModel.chat``."""
        max_tokens = self._decoding.limit(max_tokens)
        for index, messages in enumerate(conversations):
            self.prompts.append(tuple(messages))
            self.schemas.append(schema)
            self.decodings.append(self._decoding)
            try:
                yield index, _reply(self._say(messages), messages, max_tokens)
            except EngineError as error:
                yield index, error


def _in_turn(script: Sequence[str | EngineError]) -> Callable[[Sequence[Message]], str]:
    lines = iter(script)

    def say(_: Sequence[Message]) -> str:
        line = next(lines, None)
        if line is None:
            raise ModelReplyError(f"the script of {len(script)} replies is exhausted: add one reply per prompt")
        if isinstance(line, EngineError):
            raise line
        return line

    return say


def _reply(text: str, messages: Sequence[Message], max_tokens: int) -> Reply:
    words = text.split()
    said = text if len(words) <= max_tokens else " ".join(words[:max_tokens])
    return Reply(said, sum(len(message.content.split()) for message in messages), min(len(words), max_tokens))
