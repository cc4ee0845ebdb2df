"""Prices, ceilings, and what has been spent on calls to a language model."""

from collections import Counter
from dataclasses import dataclass, field, replace

from treatise.core.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in whatever currency the user thinks.

    Attributes:
        per_million_prompt, per_million_completion: For a million tokens.
    """

    per_million_prompt: float
    per_million_completion: float

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """The cost of so many tokens."""
        return (prompt_tokens * self.per_million_prompt + completion_tokens * self.per_million_completion) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """A hard ceiling. A call that might pass it, its reply as long as allowed, is not made.

    Attributes:
        max_calls: Requests to the model; None for any number.
        max_cost: In the currency of the price; None for any cost.
        price: Needed with ``max_cost``.

    Raises:
        SettingsError: Where a cost is limited and no price is known.
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
        """What is left of it."""
        calls, cost = self.max_calls, self.max_cost
        if calls is not None:
            calls = max(0, calls - spent.n_calls)
        if cost is not None and self.price is not None:
            cost = max(0.0, cost - self.price.of(spent.prompt_tokens, spent.completion_tokens))
        return replace(self, max_calls=calls, max_cost=cost)


@dataclass(slots=True)
class Spending:
    """What has been asked so far.

    Attributes:
        n_calls: Requests made, second attempts after a rejected reply included. A request that the engine retries
            because the server gave no reply (429, 500, a time-out) counts once.
        n_reused: Jobs that an earlier run had finished.
        rejected: Jobs given up because no reply fitted, by the rejection reason of the last one.
        n_over_budget: Jobs not sent because of the budget.
        prompt_tokens, completion_tokens: As the engine counts them, by our count where it does not say.
        waves: Requests that went out together, wave by wave.
        n_rejected_replies: Replies that did not fit, those of a second attempt included.
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
        """What has been asked after ``before`` was copied from this."""
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
        """The state of now, for ``since``."""
        return replace(self, rejected=self.rejected.copy(), waves=list(self.waves))
