"""Prices, limits and spending of requests to a language model."""

from collections import Counter
from dataclasses import dataclass, field, replace
from math import inf

from treatise.core.errors import SettingsError
from treatise.core.usage import ModelUsage


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a model, in any currency.

    Attributes:
        per_million_prompt, per_million_completion: Price per million tokens.
    """

    per_million_prompt: float
    per_million_completion: float

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """The cost of this many tokens."""
        return (prompt_tokens * self.per_million_prompt + completion_tokens * self.per_million_completion) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """A hard limit. A request is not sent if it could pass the limit with a reply of full length.

    Attributes:
        max_calls: Requests to the model; None for no limit.
        max_cost: In the currency of the price; None for no limit.
        price: Needed with ``max_cost``.

    Raises:
        SettingsError: If a cost is limited and no price is known.
    """

    max_calls: int | None = None
    max_cost: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        if self.max_cost is not None and self.price is None:
            raise SettingsError(
                "a ceiling on the cost needs the model's price: set prompt_price and completion_price, or a line for "
                "it in [prices] of the settings file"
            )

    def after(self, spent: "Spending") -> "Budget":
        """The remaining budget."""
        calls, cost = self.max_calls, self.max_cost
        if calls is not None:
            calls = max(0, calls - spent.n_calls)
        if cost is not None and self.price is not None:
            cost = max(0.0, cost - self.price.of(spent.prompt_tokens, spent.completion_tokens))
        return replace(self, max_calls=calls, max_cost=cost)

    def calls_left(self, spent: "Spending") -> float:
        """Remaining requests."""
        return inf if self.max_calls is None else self.max_calls - spent.n_calls

    def cost_left(self, spent: "Spending") -> float:
        """Remaining cost."""
        if self.max_cost is None or self.price is None:
            return inf
        return self.max_cost - self.price.of(spent.prompt_tokens, spent.completion_tokens)


@dataclass(slots=True)
class Spending:
    """Requests and tokens so far.

    Attributes:
        n_calls: Requests made, second attempts after a rejected reply included. A request that the engine retries
            because the server gave no reply (429, 500, a time-out) counts once.
        n_reused: Requests whose outcome was in the cache.
        rejected: Requests without an accepted reply, by the rejection reason of the last one; reused ones included.
        n_over_budget: Requests not sent because of the budget.
        prompt_tokens, completion_tokens: As the engine counts them; by our own count if it reports none.
        waves: Number of requests sent together, per wave.
        n_rejected_replies: Rejected replies, those of second attempts included.
    """

    n_calls: int = 0
    n_reused: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    n_over_budget: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    waves: list[int] = field(default_factory=list)
    n_rejected_replies: int = 0

    def since(self, before: "Spending") -> "Spending":
        """The spending since the copy ``before``."""
        return Spending(
            self.n_calls - before.n_calls,
            self.n_reused - before.n_reused,
            self.rejected - before.rejected,
            self.n_over_budget - before.n_over_budget,
            self.prompt_tokens - before.prompt_tokens,
            self.completion_tokens - before.completion_tokens,
            self.waves[len(before.waves) :],
            self.n_rejected_replies - before.n_rejected_replies,
        )

    def copy(self) -> "Spending":
        """The present state, for ``since``."""
        return replace(self, rejected=self.rejected.copy(), waves=list(self.waves))

    @property
    def usage(self) -> ModelUsage:
        """This spending as usage."""
        return ModelUsage(
            n_calls=self.n_calls,
            n_reused=self.n_reused,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            n_rejected_replies=self.n_rejected_replies,
            n_given_up=self.rejected.total(),
        )
