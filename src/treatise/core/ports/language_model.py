"""The protocol of language models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from treatise.core.recipe import Decoding


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat: ``role`` is ``"system"``, ``"user"`` or ``"assistant"``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A language model's reply.

    Attributes:
        text: The whole reply.
        prompt_tokens, completion_tokens: As the engine counts them; 0 if it does not report them.
        truncated: Whether it ended at ``max_tokens``, not because the model stopped.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    truncated: bool = False


class LanguageModel(Protocol):
    """A chat model.

    Attributes:
        name: Identifies engine, model and settings, for caches and records.
        context_tokens: The window, prompt and reply together; 0 if unknown.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    @property
    def context_tokens(self) -> int:
        """See the attributes above."""
        ...

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """Replies to independent conversations as ``(index, reply or error)``, each index once, in any order.

        Temperature 0 and a fixed seed, unless ``Decodable`` set others. A JSON ``schema`` is passed to the engine; the
        caller must check that the reply conforms. A failed conversation does not stop the others: its ``EngineError``
        replaces the reply.
        """
        ...


@runtime_checkable
class Decodable(Protocol):
    """A ``LanguageModel`` whose decoding can be set."""

    def with_decoding(self, decoding: Decoding) -> LanguageModel:
        """The same model with these settings, and with a name that tells them; itself if it has them already.

        An engine that lacks a setting leaves it out.
        """
        ...
