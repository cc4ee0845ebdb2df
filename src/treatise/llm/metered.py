"""A language model with an account and a ceiling for everything that is sent to it."""

from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.errors import EngineUnavailableError
from treatise.core.plurals import counted
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.recipe import Decoding
from treatise.core.words import n_tokens
from treatise.llm.budget import Budget, Spending
from treatise.llm.decoding import decoded

_MARGIN: Final = 1.25  # our token count is an estimate; the ceiling must not be exceeded


class MeteredModel:
    """A ``LanguageModel`` that counts the calls of another one, and refuses those beyond a budget.

    Args:
        model: The model that is called.
        budget: A call that could exceed it with a reply of full length is not sent.
        spending: The account; several models may share it.
    """

    def __init__(self, model: LanguageModel, budget: Budget, spending: Spending) -> None:
        self._model, self._budget = model, budget
        self.spending = spending

    @property
    def name(self) -> str:
        """The model's: finished calls are found by it."""
        return self._model.name

    @property
    def context_tokens(self) -> int:
        """The model's."""
        return self._model.context_tokens

    def with_decoding(self, decoding: Decoding) -> LanguageModel:
        """See ``Decodable``; the account stays the same."""
        model = decoded(self._model, decoding)
        return self if model is self._model else MeteredModel(model, self._budget, self.spending)

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """See ``LanguageModel.chat``; a call beyond the budget yields ``EngineUnavailableError``."""
        n_sent = self._n_affordable(conversations, max_tokens)
        for index, reply in self._model.chat(conversations[:n_sent], max_tokens=max_tokens, schema=schema):
            self._count(conversations[index], reply)
            yield index, reply
        for index in range(n_sent, len(conversations)):
            yield index, EngineUnavailableError(self._refusal())

    def _n_affordable(self, conversations: Sequence[Sequence[Message]], max_tokens: int) -> int:
        calls, cost = self._budget.calls_left(self.spending), self._budget.cost_left(self.spending)
        for n_before, messages in enumerate(conversations):
            calls -= 1
            cost -= self._cost(_MARGIN * _tokens(messages), max_tokens)
            if calls < 0 or cost < 0:
                return n_before
        return len(conversations)

    def _cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        price = self._budget.price
        return price.of(prompt_tokens, completion_tokens) if price else 0.0

    def _count(self, messages: Sequence[Message], reply: Reply | Exception) -> None:
        self.spending.n_calls += 1
        if isinstance(reply, Reply):
            self.spending.prompt_tokens += reply.prompt_tokens or _tokens(messages)
            self.spending.completion_tokens += reply.completion_tokens or n_tokens(reply.text)

    def _refusal(self) -> str:
        spent = f"{counted(self.spending.n_calls, 'call', 'was', 'were')} made"
        return f"the ceiling of this run is reached ({spent}): raise --max-calls or --max-cost, and run it again"


def _tokens(messages: Sequence[Message]) -> int:
    return sum(n_tokens(message.content) for message in messages)
