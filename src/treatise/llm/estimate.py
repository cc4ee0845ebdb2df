"""Estimates: the same requests, wave by wave, with replies of the expected length."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from treatise.core.note import CallOutcome
from treatise.core.ports import CallCache, LanguageModel, Progress
from treatise.llm.budget import Budget, Price, Spending
from treatise.llm.cache import MemoryCache
from treatise.llm.dry_run import EXPECTED_SHARE
from treatise.llm.request import Request
from treatise.llm.results import Results
from treatise.llm.runner import LlmRunner


@dataclass(frozen=True, slots=True)
class Pace:
    """Speed of a model.

    Attributes:
        latency_s: Seconds until a reply begins.
        tokens_per_s: Speed of each reply from then on.
        concurrency: Concurrent requests.
    """

    latency_s: float = 0.5
    tokens_per_s: float = 50.0
    concurrency: int = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected requests, tokens, cost and time.

    Attributes:
        n_calls: Requests to the model.
        n_reused: Requests whose outcome is in the cache.
        n_over_budget: Requests beyond the budget.
        prompt_tokens, completion_tokens: Expected tokens.
        cost: In the currency of the price; None without a price.
        seconds: Waiting for the model, all waves together.
    """

    n_calls: int
    n_reused: int
    n_over_budget: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float


class DryRunRunner(LlmRunner):
    """A runner that sends and saves nothing, and assumes the expected reply of each request.

    Args:
        model: Only its name is used, for the keys of earlier outcomes; never called.
        cache: Holds outcomes of earlier requests.
        budget: As for a real run.
        share: Words of a summary per word of its source.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        cache: CallCache | None = None,
        budget: Budget | None = None,
        share: float = EXPECTED_SHARE,
    ) -> None:
        super().__init__(model, cache=MemoryCache(cache), budget=budget)
        self._share = share

    def _run_wave(self, requests: Sequence[Request], results: Results, progress: Progress | None) -> None:
        del progress
        self.spending.waves.append(len(requests))
        for request in requests:
            results.outcomes[request.key] = self._expected(request)

    def _expected(self, request: Request) -> CallOutcome:
        expected = request.expected(self._share)
        self.spending.n_calls += 1
        self.spending.prompt_tokens += expected.prompt_tokens
        self.spending.completion_tokens += expected.completion_tokens
        self._cache.save(request.key, expected)
        return expected


def estimate(spending: Spending, price: Price | None, pace: Pace) -> Estimate:
    """The spending of a dry run, with cost and time."""
    reply_s = pace.latency_s + spending.completion_tokens / max(1, spending.n_calls) / pace.tokens_per_s
    return Estimate(
        n_calls=spending.n_calls,
        n_reused=spending.n_reused,
        n_over_budget=spending.n_over_budget,
        prompt_tokens=spending.prompt_tokens,
        completion_tokens=spending.completion_tokens,
        cost=price.of(spending.prompt_tokens, spending.completion_tokens) if price else None,
        seconds=sum(ceil(n / pace.concurrency) for n in spending.waves) * reply_s,
    )
