"""The limits of keys: requests, uploaded bytes, tokens and money, counted in the server's database for all workers."""

import math
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from treatise.core.usage import ModelUsage
from treatise.llm.budget import Price
from treatise.server.keys import Key, Keys
from treatise.server.metrics import Metrics
from treatise.server.problems import ProblemError
from treatise.server.state import Row, State

_COUNT = """
    INSERT INTO usage (key, period, {column}) VALUES (?, ?, ?)
    ON CONFLICT (key, period) DO UPDATE SET {column} = {column} + excluded.{column}
"""

_NO_PRICES: Final = (
    "this key has a limit of cost, and the server knows no prices of its language model: whoever runs it should set"
    " prices in its settings"
)

_FORGET_MINUTES: Final = "DELETE FROM usage WHERE key = ? AND period LIKE 'minute %' AND period < ?"
"""Minutes have as many digits until the year 2160: their order is that of their texts."""


class LimitCounter:
    """Counts what keys use, and refuses what exceeds their limits.

    Args:
        state: The server's database.
        metrics: Of the server.
        price: Of the language model's tokens; None if unknown.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        state: State,
        metrics: Metrics,
        price: Price | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._state = state
        self._keys = Keys(state)
        self._metrics = metrics
        self._price = price
        self._clock = clock

    def request(self, key: Key) -> None:
        """Counts a request.

        Raises:
            ProblemError: 429 if the key has made too many in this minute.
        """
        allowed = key.limits.requests_per_minute
        if not allowed:
            return
        now = self._clock()
        minute = f"minute {int(now // 60)}"
        self._count("requests", key.id, minute, 1)
        self._state.change(_FORGET_MINUTES, (key.id, minute))
        if self._used(key, minute)["requests"] > allowed:
            raise _over(f"this key allows {allowed:,} requests per minute", math.ceil(60 - now % 60))

    def upload(self, key: Key, n_bytes: int) -> None:
        """Counts uploaded bytes.

        Raises:
            ProblemError: 429 if they exceed the key's allowance for the day; they are then not counted.
        """
        allowed = key.limits.upload_mb_per_day * 2**20
        used = self._used(key, self._day)["upload_bytes"] if allowed else 0
        if allowed and used + n_bytes > allowed:
            raise _over(f"this key allows {key.limits.upload_mb_per_day:,} MB of uploads per day", self._until_midnight)
        self._count("upload_bytes", key.id, self._day, n_bytes)

    def check_model(self, key: Key) -> None:
        """Refuses a question that needs the language model beyond what the key may use.

        Raises:
            ProblemError: 429 if the key has used its tokens or money of the day, 403 if its money cannot be counted.
        """
        limits = key.limits
        if not (limits.tokens_per_day or limits.cost_per_day):
            return
        if limits.cost_per_day and self._price is None:
            raise ProblemError(403, "no-prices", _NO_PRICES)
        used = self._used(key, self._day)
        if limits.tokens_per_day and used["tokens"] >= limits.tokens_per_day:
            raise _over(f"this key allows {limits.tokens_per_day:,} tokens per day", self._until_midnight)
        if limits.cost_per_day and used["cost"] >= limits.cost_per_day:
            raise _over(f"this key allows a cost of {limits.cost_per_day:g} per day", self._until_midnight)

    def check_model_of(self, key_id: str) -> None:
        """As ``check_model``; a key that was removed meanwhile has no limits left to check."""
        if (key := self._keys.get(key_id)) is not None:
            self.check_model(key)

    def model(self, key_id: str, spent: ModelUsage) -> None:
        """Counts the tokens and the cost of calls of the language model."""
        tokens = spent.prompt_tokens + spent.completion_tokens
        if not tokens:
            return
        self._metrics.tokens.labels("prompt").inc(spent.prompt_tokens)
        self._metrics.tokens.labels("completion").inc(spent.completion_tokens)
        self._count("tokens", key_id, self._day, tokens)
        if self._price:
            self._count("cost", key_id, self._day, self._price.of(spent.prompt_tokens, spent.completion_tokens))

    def used(self, key: Key) -> Row:
        """What the key has used today: ``upload_bytes``, ``tokens``, ``cost``."""
        row = self._used(key, self._day)
        return {name: row[name] for name in ("upload_bytes", "tokens", "cost")}

    @property
    def _day(self) -> str:
        return f"day {datetime.fromtimestamp(self._clock(), UTC):%Y-%m-%d}"

    @property
    def _until_midnight(self) -> int:
        return math.ceil(86_400 - self._clock() % 86_400)

    def _used(self, key: Key, period: str) -> Row:
        row = self._state.row("SELECT * FROM usage WHERE key = ? AND period = ?", (key.id, period))
        return row or {"requests": 0, "upload_bytes": 0, "tokens": 0, "cost": 0.0}

    def _count(self, column: str, key_id: str, period: str, n: float) -> None:
        self._state.change(_COUNT.format(column=column), (key_id, period, n))


def _over(what: str, retry_after_s: int) -> ProblemError:
    return ProblemError(
        429, "limit", f"{what}: try again in {retry_after_s:,} s", headers={"Retry-After": str(retry_after_s)}
    )
