"""Runs requests on a language model: cached, within a budget, and with checked replies."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from treatise.core.errors import EngineError, ModelReplyError, PromptRefusedError
from treatise.core.note import CallOutcome
from treatise.core.ports import CallCache, LanguageModel, Progress, Reply
from treatise.core.words import n_tokens
from treatise.llm.budget import Budget, Spending
from treatise.llm.cache import MemoryCache
from treatise.llm.dry_run import DryRunModel
from treatise.llm.request import Request, Texts
from treatise.llm.results import Results

_MARGIN: Final = 1.25  # our token count is an estimate; the budget must not be exceeded


class LlmRunner:
    """Runs requests on one language model, in waves.

    A rejected request is repeated once, with the reason (:mod:`treatise.llm.retry`).

    Args:
        model: Its engine limits concurrency and rate, and retries requests without a reply.
        cache: Holds outcomes of earlier requests; each new one is saved as soon as it arrives.
        budget: Limit of all requests of this runner together.

    Attributes:
        model: The language model.
        spending: Requests and tokens so far.
    """

    def __init__(self, model: LanguageModel, *, cache: CallCache | None = None, budget: Budget | None = None) -> None:
        self.model = model
        self.spending: Spending = Spending()
        self._has_answered = False
        self._cache = cache or MemoryCache()
        self._budget = budget or Budget()

    def run(self, requests: Iterable[Request], progress: Progress | None = None) -> dict[str, CallOutcome | None]:
        """The outcome of each request, by its key; None if the budget did not allow it.

        An outcome without texts means that two replies were rejected. If the model fails, earlier replies are in the
        cache.

        Args:
            requests: Requests with equal keys are sent once.
            progress: Called with the number of replies of a wave so far, and the size of the wave.

        Raises:
            EngineUnavailableError: If a request failed for good. The next run continues after what is in the cache.
            PromptRefusedError: If the model has refused every prompt so far; a single refusal among others is a
                rejected reply.
            StoreError: If an outcome cannot be saved.
        """
        results = self._results(requests, progress)
        if results.failure is not None:
            raise results.failure
        return {key: results.outcomes.get(key) for key in results.keys}

    def attempt(self, requests: Iterable[Request]) -> dict[str, Texts | EngineError]:
        """The texts of each request, by its key, or the error in place of them. Equal to :meth:`run` otherwise."""
        results = self._results(requests, None)
        return {key: results.texts_or_error(key, self.model.name) for key in results.keys}

    def ask_all(self, requests: Sequence[Request]) -> list[Texts]:
        """The texts of each request, in order.

        Raises:
            EngineError: If the model failed for any of them.
            ModelReplyError: If both replies to any of them were rejected.
        """
        found = self.attempt(requests)
        return [self._texts(found[request.key]) for request in requests]

    def ask(self, request: Request) -> Texts:
        """The texts of one request; see :meth:`ask_all`."""
        return self.ask_all([request])[0]

    def _texts(self, found: Texts | EngineError) -> Texts:
        if isinstance(found, ModelReplyError) and not isinstance(found, PromptRefusedError):
            message = f"{self.model.name} gave no usable reply: {found}"
            raise ModelReplyError(message, found.rejection_reason) from found
        if isinstance(found, EngineError):
            raise found
        return found

    def allows(self, n_calls: int) -> bool:
        """Whether the budget allows this many more requests."""
        return n_calls <= self._budget.calls_left(self.spending)

    def _results(self, requests: Iterable[Request], progress: Progress | None) -> Results:
        by_key = {request.key: request for request in requests}
        results = Results(list(by_key), dict(self._cache.finished(list(by_key))))
        self.spending.n_reused += len(results.outcomes)
        self.spending.rejected.update(one.rejection_reason for one in results.outcomes.values() if not one.texts)
        waiting = [request for key, request in by_key.items() if key not in results.outcomes]
        while results.failure is None and (affordable := self._affordable(waiting)):
            self._run_wave(affordable, results, progress)
            waiting = waiting[len(affordable) :]
        self.spending.n_over_budget += len(waiting)
        return results

    def _affordable(self, requests: Sequence[Request]) -> list[Request]:
        """The first requests that stay within the budget even if every reply is of full length."""
        calls_left, cost_left = self._budget.calls_left(self.spending), self._budget.cost_left(self.spending)
        longest = max((request.max_tokens for request in requests), default=0)
        chosen: list[Request] = []
        for request in requests:
            calls_left -= 1
            cost_left -= self._worst_cost(request, longest)
            if calls_left < 0 or cost_left < 0:
                break
            chosen.append(request)
        return chosen

    def _worst_cost(self, request: Request, longest_reply: int) -> float:
        price = self._budget.price
        return price.of(_MARGIN * request.prompt_tokens, longest_reply) if price else 0.0

    def _run_wave(self, requests: Sequence[Request], results: Results, progress: Progress | None) -> None:
        """Sends all requests, then the rejected ones once more, within the budget."""
        if isinstance(self.model, DryRunModel):
            self._expect_wave(self.model, requests, results)
            return
        self._send_round(requests, results, progress, is_last=False)
        if results.failure is None:
            again = [results.again.pop(request.key) for request in requests if request.key in results.again]
            self._send_round(self._affordable(again), results, progress, is_last=True)
        if results.failure is None:
            outcomes = (results.outcomes[request.key] for request in requests)
            self.spending.rejected.update(one.rejection_reason for one in outcomes if not one.texts)

    def _expect_wave(self, model: DryRunModel, requests: Sequence[Request], results: Results) -> None:
        """Counts the requests, and assumes the replies that the model expects."""
        self.spending.waves.append(len(requests))
        for request in requests:
            expected = model.expect(request)
            self.spending.n_calls += 1
            self.spending.prompt_tokens += expected.prompt_tokens
            self.spending.completion_tokens += expected.completion_tokens
            results.outcomes[request.key] = expected
            self._cache.save(request.key, expected)

    def _send_round(
        self, requests: Sequence[Request], results: Results, progress: Progress | None, *, is_last: bool
    ) -> None:
        """Sends the requests, and counts, reads and saves each reply as it comes."""
        if requests:
            self.spending.waves.append(len(requests))
        longest = max((request.max_tokens for request in requests), default=0)
        for n_replies, (request, result) in enumerate(self._chat(requests), start=1):
            self.spending.n_calls += 1
            if progress:
                progress(n_replies, len(requests))
            if isinstance(result, Reply | ModelReplyError):
                self._take(request, result, longest, results, is_last=is_last)
            else:
                results.fail(request.key, result)
        if results.refusal and not (self._has_answered or self.spending.n_reused):
            results.failure = results.failure or results.refusal

    def _take(
        self,
        request: Request,
        result: Reply | ModelReplyError,
        longest: int,
        results: Results,
        *,
        is_last: bool,
    ) -> None:
        """Counts and reads a reply. A reply rejected by the engine counts as an empty one of its reported length, or of
        the maximum length.
        """
        self._has_answered |= isinstance(result, Reply)
        reply = _counted(request, result if isinstance(result, Reply) else Reply("", *(result.tokens or (0, longest))))
        self.spending.prompt_tokens += reply.prompt_tokens
        self.spending.completion_tokens += reply.completion_tokens
        read = _read(request, result)
        results.add(request, reply, read)
        if isinstance(read, ModelReplyError):
            self.spending.n_rejected_replies += 1
        if is_last or not isinstance(read, ModelReplyError):
            self._cache.save(request.key, results.outcomes[request.key])

    def _chat(self, requests: Sequence[Request]) -> Iterator[tuple[Request, Reply | Exception]]:
        """Groups requests by schema, to be sent together; a wave has at most two kinds."""
        for _, group in groupby(sorted(requests, key=_form), key=_form):
            alike = list(group)
            longest = max(request.max_tokens for request in alike)
            conversations = [request.messages for request in alike]
            for index, result in self.model.chat(conversations, max_tokens=longest, schema=alike[0].schema):
                yield alike[index], result


def _form(request: Request) -> str:
    return json.dumps(request.schema, sort_keys=True)


def _counted(request: Request, reply: Reply) -> Reply:
    return replace(
        reply,
        prompt_tokens=reply.prompt_tokens or request.prompt_tokens,
        completion_tokens=reply.completion_tokens or n_tokens(reply.text),
    )


def _read(request: Request, result: Reply | ModelReplyError) -> Texts | ModelReplyError:
    if isinstance(result, ModelReplyError):
        return result
    try:
        return request.reader(result)
    except ModelReplyError as error:
        return error
