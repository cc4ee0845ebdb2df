"""Calls to a language model: none paid twice, none beyond the budget, none whose reply does not fit."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf
from typing import Final

from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError, PromptRefusedError
from treatise.core.note import Finished
from treatise.core.ports import Call, CallCache, LanguageModel, Message, Progress, Reply
from treatise.core.words import n_tokens
from treatise.llm.budget import Budget, Spending
from treatise.llm.cache import MemoryCache
from treatise.llm.prompts import prompt

_SHOWN_OF_CUT: Final = 400  # characters of a reply that was cut off: its beginning tells what went wrong
_MARGIN: Final = 1.25  # our count of a prompt's tokens is an estimate; a ceiling must hold

_Read = tuple[str, ...] | ModelReplyError
"""What is kept of a reply, or why it does not fit."""


class LlmRunner:
    """Has jobs done by a language model, wave by wave.

    Args:
        model: Asked; its engine bounds concurrency and rate, and retries what failed on the way.
        cache: Where finished jobs are looked up, and kept as soon as their reply is there.
        budget: For all calls of this object together.

    Attributes:
        model: As given.
        spending: What has been asked so far.
        progress: Called with the replies of a wave so far and the wave's size; None for nobody.
    """

    def __init__(self, model: LanguageModel, *, cache: CallCache | None = None, budget: Budget | None = None) -> None:
        self.model = model
        self.progress: Progress | None = None
        self.spending = Spending()
        self._has_answered = False
        self._cache = cache or MemoryCache()
        self._budget = budget or Budget()

    def run(self, jobs: Iterable[Call]) -> dict[str, Finished | None]:
        """What came of each job, by its key; None where the budget did not allow it.

        A rejected reply is asked for once more, with the reason; a second rejection gives up the job. Replies that
        arrived before the model became unreachable are kept.

        Raises:
            EngineUnavailableError: Where a call failed for good. The next run begins after what was finished.
            PromptRefusedError: Where the model takes no prompt at all; one of many is a rejected reply.
            StoreError: Where a finished call cannot be kept.
        """
        by_key = {job.key: job for job in jobs}
        outcomes: dict[str, Finished | None] = dict(self._cache.finished(list(by_key)))
        self.spending.n_reused += len(outcomes)
        waiting = [job for key, job in by_key.items() if key not in outcomes]
        while affordable := self._affordable(waiting):
            outcomes |= self._asked(affordable)
            waiting = waiting[len(affordable) :]
        self.spending.n_over_budget += len(waiting)
        return outcomes | {job.key: None for job in waiting}

    def _affordable(self, jobs: Sequence[Call]) -> list[Call]:
        """The first jobs that stay within the budget even if every reply is of full length."""
        budget, spent = self._budget, self.spending
        calls_left = inf if budget.max_calls is None else budget.max_calls - spent.n_calls
        cost_left = inf
        if budget.max_cost is not None and budget.price is not None:
            cost_left = budget.max_cost - budget.price.of(spent.prompt_tokens, spent.completion_tokens)
        chosen: list[Call] = []
        longest = max((job.max_tokens for job in jobs), default=0)
        for job in jobs:
            calls_left -= 1
            cost_left -= self._worst_cost(job, longest)
            if calls_left < 0 or cost_left < 0:
                break
            chosen.append(job)
        return chosen

    def _worst_cost(self, job: Call, longest_reply: int) -> float:
        price = self._budget.price
        return price.of(_MARGIN * job.prompt_tokens, longest_reply) if price else 0.0

    def _asked(self, jobs: Sequence[Call]) -> dict[str, Finished]:
        """Two rounds: all jobs, then those whose reply did not fit, as far as the budget goes."""
        finished: dict[str, Finished] = {}
        rejections: list[tuple[Call, Finished]] = []
        for job, reply, read in self._replies(jobs):
            outcome = _outcome(Finished((), 0, 0), reply, read)
            if isinstance(read, ModelReplyError):
                rejections.append((_again(job, reply, read), outcome))
            else:
                finished[job.key] = self._kept(job.key, outcome)
        again = self._affordable([job for job, _ in rejections])
        outcomes = {job.key: outcome for job, outcome in rejections}
        for job, reply, read in self._replies(again):
            outcomes[job.key] = self._kept(job.key, _outcome(outcomes[job.key], reply, read))
        self.spending.rejected.update(outcome.rejection_reason for outcome in outcomes.values() if not outcome.texts)
        return outcomes | finished

    def _replies(self, jobs: Sequence[Call]) -> Iterator[tuple[Call, Reply, _Read]]:
        """Every job with its reply as it comes, counted and read; an error of the engine at the end, after all replies.

        A reply that the engine itself found unusable comes as an empty one, as long as it may be where nobody says.
        """
        failure: Exception | None = None
        refused: PromptRefusedError | None = None
        longest = max((job.max_tokens for job in jobs), default=0)
        if jobs:
            self.spending.waves.append(len(jobs))
        for n_replies, (job, result) in enumerate(self._results(jobs), start=1):
            self.spending.n_calls += 1
            if self.progress:
                self.progress(n_replies, len(jobs))
            if isinstance(result, Exception) and not isinstance(result, ModelReplyError):
                failure = failure or result
                continue
            self._has_answered |= isinstance(result, Reply)
            reply = _counted(job, result if isinstance(result, Reply) else Reply("", *(result.tokens or (0, longest))))
            self.spending.prompt_tokens += reply.prompt_tokens
            self.spending.completion_tokens += reply.completion_tokens
            read = _read(job, result)
            self.spending.n_rejected_replies += isinstance(read, ModelReplyError)
            refused = read if isinstance(read, PromptRefusedError) else refused
            yield job, reply, read
        if not (self._has_answered or self.spending.n_reused):
            failure = failure or refused
        if failure is not None:
            raise failure if isinstance(failure, EngineError) else EngineUnavailableError(str(failure)) from failure

    def _results(self, jobs: Sequence[Call]) -> Iterator[tuple[Call, Reply | Exception]]:
        """Jobs that share a schema go out together; a wave has two kinds at most."""
        for _, alike in groupby(sorted(jobs, key=_form), key=_form):
            group = list(alike)
            longest = max(job.max_tokens for job in group)
            conversations = [job.messages for job in group]
            for index, result in self.model.chat(conversations, max_tokens=longest, schema=group[0].schema):
                yield group[index], result

    def _kept(self, key: str, finished: Finished) -> Finished:
        self._cache.save(key, finished)
        return finished


def _form(job: Call) -> str:
    return json.dumps(job.schema, sort_keys=True)


def _counted(job: Call, reply: Reply) -> Reply:
    return replace(
        reply,
        prompt_tokens=reply.prompt_tokens or job.prompt_tokens,
        completion_tokens=reply.completion_tokens or n_tokens(reply.text),
    )


def _read(job: Call, result: Reply | ModelReplyError) -> _Read:
    if isinstance(result, ModelReplyError):
        return result
    try:
        return job.read(result)
    except ModelReplyError as error:
        return error


def _again(job: Call, reply: Reply, error: ModelReplyError) -> Call:
    """The job with the misfitting reply and what was wrong with it; temperature 0 would only repeat the first one."""
    reason = error if reply.text else "it is empty"  # what an engine says of a reply is for people
    remark = prompt("treatise.llm", "again", 1).format(reason=reason)
    said = f"{reply.text[:_SHOWN_OF_CUT]} …" if reply.truncated else reply.text[: 4 * job.max_tokens]
    turns = (Message("assistant", said or "…"), Message("user", remark))
    return job.again(turns)


def _outcome(before: Finished, reply: Reply, read: _Read) -> Finished:
    """What came of a job by this reply and those before it, at the cost of all."""
    cost = before.prompt_tokens + reply.prompt_tokens, before.completion_tokens + reply.completion_tokens
    return Finished((), *cost, read.rejection_reason) if isinstance(read, ModelReplyError) else Finished(read, *cost)
