"""Bounded work: so many questions at the same time, so many waiting, and a quick refusal beyond that."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import ceil
from typing import Final, TypeVar

from treatise.core.plurals import counted
from treatise.server.metrics import Metrics
from treatise.server.problems import ProblemError

_Result = TypeVar("_Result")
_SMOOTHING: Final = 0.1


class QuestionPool:
    """Runs questions in threads.

    Args:
        threads: Questions that run at the same time.
        max_waiting: Questions that may wait.
        metrics: Of the server.
    """

    def __init__(self, threads: int, max_waiting: int, metrics: Metrics) -> None:
        self._threads = threads
        self._max = threads + max_waiting
        self._metrics = metrics
        self._executor = ThreadPoolExecutor(threads, "question")
        self._n_inside = 0
        self._mean_s = 0.5

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """The result of the work, made in a thread.

        Raises:
            ProblemError: 429 if too many questions are waiting.
        """
        self._enter()
        try:
            running = self._executor.submit(self._timed, work)
        except BaseException:
            self._leave()
            raise
        loop = asyncio.get_running_loop()
        running.add_done_callback(lambda _: self._leave_in(loop))
        return await asyncio.wrap_future(running)

    @property
    def n_inside(self) -> int:
        """Questions that run or wait."""
        return self._n_inside

    def close(self) -> None:
        """Refuses further work. Running work goes on; waiting work is dropped."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _enter(self) -> None:
        if self._n_inside >= self._max:
            self._metrics.refused.inc()
            wait_s = max(1, ceil(self._mean_s * self._n_inside / self._threads))
            detail = f"{counted(self._n_inside, 'question', 'is', 'are')} running or waiting: try again in {wait_s} s"
            raise ProblemError(429, "overloaded", detail, headers={"Retry-After": str(wait_s)})
        self._n_inside += 1
        self._report()

    def _leave_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Counts the question until its thread is free, even if its client has left earlier."""
        with suppress(RuntimeError):  # the loop is closed: nothing is counted any more
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self._n_inside -= 1
        self._report()

    def _report(self) -> None:
        self._metrics.questions.labels("running").set(min(self._n_inside, self._threads))
        self._metrics.questions.labels("waiting").set(max(0, self._n_inside - self._threads))

    def _timed(self, work: Callable[[], _Result]) -> _Result:
        started = time.monotonic()
        try:
            return work()
        finally:
            self._mean_s += _SMOOTHING * (time.monotonic() - started - self._mean_s)
