"""Calls to a language model: none paid twice, none beyond the budget, none whose reply does not fit."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import ceil, inf
from typing import Final

from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError, PromptRefusedError, SettingsError
from treatise.core.note import Finished
from treatise.core.ports import Call, CallCache, LanguageModel, Message, Progress, Reply
from treatise.core.prompts import prompt
from treatise.core.words import clip, n_tokens, n_words
from treatise.enhance.replies import read_note, read_notes

_TOKENS_A_LISTED_NOTE: Final = 7  # braces, names and number around each note of a structured reply
_SHOWN_OF_CUT: Final = 400  # characters of a reply that was cut off: its beginning tells what went wrong
_MARGIN: Final = 1.25  # our count of a prompt's tokens is an estimate; a ceiling must hold

_Read = tuple[str, ...] | ModelReplyError
"""What is kept of a reply, or why it does not fit."""


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


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to ask of a model.

    Attributes:
        key: Hash of what is asked; equal keys are asked once.
        messages: The conversation.
        max_tokens: Longest reply.
        max_words: Longest note.
        sources: What each note is made from, to check it against.
        schema: JSON schema of the reply; None where it is the text of the only note.
    """

    key: str
    messages: tuple[Message, ...]
    max_tokens: int
    max_words: int
    sources: tuple[str, ...]
    schema: dict[str, object] | None = None

    def read(self, reply: Reply) -> tuple[str, ...]:
        """The notes of a reply. Raises ``ModelReplyError`` where it does not fit."""
        rules = self.messages[0].content
        if self.schema is None:
            return (read_note(reply, self.sources[0], self.max_words, rules),)
        return read_notes(reply, self.sources, self.max_words, rules)

    def again(self, turns: Sequence[Message]) -> "Job":
        """The same job with further turns of the conversation."""
        return replace(self, messages=(*self.messages, *turns))

    def expected(self, share: float) -> Finished:
        """What is likely to come of it, for estimates: of each source its beginning, that share of its words."""
        lengths = (min(self.max_words, ceil(share * n_words(source))) for source in self.sources)
        return self._finished(tuple(map(clip, self.sources, lengths)))

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the conversation, by our own count."""
        return sum(n_tokens(message.content) for message in self.messages)

    def _finished(self, texts: tuple[str, ...]) -> Finished:
        completion = sum(map(n_tokens, texts)) + (_TOKENS_A_LISTED_NOTE * len(texts) if self.schema else 0)
        return Finished(texts, self.prompt_tokens, completion)


@dataclass(slots=True)
class Spending:
    """What has been asked so far.

    Attributes:
        n_calls: Requests made, those for a second reply in the place of a misfit included. One that the engine sends
            again because the server gave no reply (429, 500, a time-out) is one request.
        n_reused: Jobs that an earlier run had finished.
        rejected: Jobs given up because no reply fitted, by the misfit of the last one.
        n_over_budget: Jobs not sent because of the budget.
        prompt_tokens, completion_tokens: As the engine counts them, by our count where it does not say.
        waves: Requests that went out together, wave by wave.
        n_misfits: Replies that did not fit, those of a second attempt included.
    """

    n_calls: int = 0
    n_reused: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    n_over_budget: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    waves: list[int] = field(default_factory=list)
    n_misfits: int = 0

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
            self.n_misfits - before.n_misfits,
        )

    def copy(self) -> "Spending":
        """The state of now, for ``since``."""
        return replace(self, rejected=self.rejected.copy(), waves=list(self.waves))


class MemoryCache:
    """A ``CallCache`` that ends with the process; over another one it reads that and writes nothing to it."""

    def __init__(self, below: CallCache | None = None) -> None:
        self._below = below
        self._finished: dict[str, Finished] = {}

    def finished(self, keys: Sequence[str]) -> dict[str, Finished]:
        """See ``CallCache.finished``."""
        mine = {key: self._finished[key] for key in keys if key in self._finished}
        rest = [key for key in keys if key not in mine]
        return mine | (self._below.finished(rest) if self._below and rest else {})

    def save(self, key: str, finished: Finished) -> None:
        """See ``CallCache.save``."""
        self._finished.setdefault(key, finished)


class Writer:
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

        A reply that does not fit is asked for once more, with the reason; a second misfit gives up the job. Where the
        model cannot be reached the replies that came are kept first.

        Raises:
            EngineUnavailableError: Where a call failed for good. The next run begins after what was finished.
            PromptRefusedError: Where the model takes no prompt at all; one of many is a misfit.
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
        misfits: list[tuple[Call, Finished]] = []
        for job, reply, read in self._replies(jobs):
            outcome = _outcome(Finished((), 0, 0), reply, read)
            if isinstance(read, ModelReplyError):
                misfits.append((_again(job, reply, read), outcome))
            else:
                finished[job.key] = self._kept(job.key, outcome)
        again = self._affordable([job for job, _ in misfits])
        outcomes = {job.key: outcome for job, outcome in misfits}
        for job, reply, read in self._replies(again):
            outcomes[job.key] = self._kept(job.key, _outcome(outcomes[job.key], reply, read))
        self.spending.rejected.update(outcome.misfit for outcome in outcomes.values() if not outcome.texts)
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
            self.spending.n_misfits += isinstance(read, ModelReplyError)
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
    remark = prompt("treatise.enhance", "again", 1).format(reason=reason)
    said = f"{reply.text[:_SHOWN_OF_CUT]} …" if reply.truncated else reply.text[: 4 * job.max_tokens]
    turns = (Message("assistant", said or "…"), Message("user", remark))
    return job.again(turns)


def _outcome(before: Finished, reply: Reply, read: _Read) -> Finished:
    """What came of a job by this reply and those before it, at the cost of all."""
    cost = before.prompt_tokens + reply.prompt_tokens, before.completion_tokens + reply.completion_tokens
    return Finished((), *cost, read.misfit) if isinstance(read, ModelReplyError) else Finished(read, *cost)
