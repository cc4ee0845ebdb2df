"""What notes would cost: the same plan, wave by wave, with replies of the length that is to be expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from treatise.core.note import Finished
from treatise.core.ports import Call, CallCache, LanguageModel
from treatise.llm.budget import Budget, Price, Spending
from treatise.llm.cache import MemoryCache
from treatise.llm.runner import LlmRunner

EXPECTED_SHARE: Final = 0.5
"""Words of a summary for each word that it is made from; it is asked to have fewer than that text, and models obey."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How quick a model is.

    Attributes:
        latency_s: Seconds until a reply begins.
        tokens_per_s: How fast each reply grows from then on.
        concurrency: Requests at the same time.
    """

    latency_s: float = 0.5
    tokens_per_s: float = 50.0
    concurrency: int = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is to be expected.

    Attributes:
        n_calls: Requests to the model.
        n_reused: Calls that an earlier run has finished.
        n_over_budget: Calls that the budget does not allow.
        prompt_tokens, completion_tokens: Of the requests.
        cost: In the currency of the price; None where no price is set.
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
    """A writer that asks nobody, and takes what each call expects: of a note the beginning of its source. It keeps
    nothing.

    Args:
        model: Named in the keys, so that finished calls are found; never asked.
        cache: Where finished calls are looked up.
        budget: As for the real writer.
        share: Words of a note for each word of its source.
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

    def _asked(self, jobs: Sequence[Call]) -> dict[str, Finished]:
        self.spending.waves.append(len(jobs))
        return {job.key: self._kept(job.key, self._pretended(job)) for job in jobs}

    def _pretended(self, job: Call) -> Finished:
        likely = job.expected(self._share)
        self.spending.n_calls += 1
        self.spending.prompt_tokens += likely.prompt_tokens
        self.spending.completion_tokens += likely.completion_tokens
        return likely


def estimate(spending: Spending, price: Price | None, pace: Pace) -> Estimate:
    """What a pretending writer has spent, with its cost and time."""
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
