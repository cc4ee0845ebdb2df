"""The parts of an answer, one by one, while it is being made."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import Final

from treatise.core.answer import Answer, Statement
from treatise.core.evidence import Evidence
from treatise.pipeline.query import AnswerListener

AnswerEvent = Evidence | Statement | Answer
"""The passages; then each statement; last the answer."""

_END: Final = object()


class _StoppedError(Exception):
    """The reader of the events has gone."""


class _Queued(AnswerListener):
    """Puts the parts of an answer into a queue."""

    def __init__(self) -> None:
        self.events: SimpleQueue[object] = SimpleQueue()
        self.stopped = Event()

    def evidence(self, evidence: Evidence) -> None:
        self._put(evidence)

    def statement(self, answer: Answer, index: int) -> None:
        self._put(answer.statements[index])

    def _put(self, event: AnswerEvent) -> None:
        if self.stopped.is_set():
            raise _StoppedError
        self.events.put(event)


def answer_events(ask: Callable[[AnswerListener], Answer]) -> Iterator[AnswerEvent]:
    """The events of a question that is asked in a thread.

    If the iterator is closed early, the question ends at its next part. What ``ask`` raises is raised here.
    """
    listener = _Queued()
    with ThreadPoolExecutor(1, "answer") as executor:
        asked = executor.submit(ask, listener)
        asked.add_done_callback(lambda _: listener.events.put(_END))
        try:
            while (event := listener.events.get()) is not _END:
                yield event  # type: ignore[misc]  # only events are put besides the end
            yield asked.result()
        finally:
            listener.stopped.set()
