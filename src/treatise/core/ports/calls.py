"""The seams of calls to a language model: a call, what runs it, and what keeps its reply."""

from collections.abc import Iterable, Sequence
from typing import Protocol, Self

from treatise.core.note import Finished
from treatise.core.ports.language_model import LanguageModel, Message, Reply


class Call(Protocol):
    """One request to a language model.

    Attributes:
        key: Hash of model and request; equal keys are requested once.
        messages: The conversation.
        max_tokens: Longest reply.
        schema: JSON schema of the reply; None for plain text.
        prompt_tokens: Tokens of the conversation, by our own count.
    """

    @property
    def key(self) -> str:
        """See the attributes above."""
        ...

    @property
    def messages(self) -> tuple[Message, ...]:
        """See the attributes above."""
        ...

    @property
    def max_tokens(self) -> int:
        """See the attributes above."""
        ...

    @property
    def schema(self) -> dict[str, object] | None:
        """See the attributes above."""
        ...

    @property
    def prompt_tokens(self) -> int:
        """See the attributes above."""
        ...

    def read(self, reply: Reply) -> tuple[str, ...]:
        """The texts to keep of a reply, at least one. Raises ``ModelReplyError`` if the reply does not fit."""
        ...

    def expected(self, share: float) -> Finished:
        """The likely result, for estimates, by our own count; a summary has that share of its source."""
        ...

    def again(self, turns: Sequence[Message]) -> Self:
        """The same call with further turns of the conversation."""
        ...


class Caller(Protocol):
    """Makes calls to a language model, except those that an earlier run has finished or that exceed its budget.

    Attributes:
        model: The language model.
    """

    @property
    def model(self) -> LanguageModel:
        """See the attributes above."""
        ...

    def run(self, jobs: Iterable[Call]) -> dict[str, Finished | None]:
        """The result of each call, by its key: without texts if no reply fitted; None if the budget ended it.

        Raises:
            EngineError: If the model failed for good.
        """
        ...


class CallCache(Protocol):
    """Finished calls to language models, by the hash of model and request.

    Several processes may use one at the same time. A call is kept once ``save`` returns, even after ``kill -9``.
    """

    def finished(self, keys: Sequence[str]) -> dict[str, Finished]:
        """The finished ones of these calls; other keys are left out."""
        ...

    def save(self, key: str, finished: Finished) -> None:
        """Keeps a finished call; of two with one key the first stays.

        Raises:
            StoreError: If it cannot be kept.
        """
        ...
