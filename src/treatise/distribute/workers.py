"""The workers of a Ray cluster: tasks are handed to them, again if a worker or its machine is lost."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

from treatise.core.errors import SourceError, TreatiseError
from treatise.distribute.task import Job, Task, run_task

AHEAD: Final = 4
"""Tasks per processor that are handed out before the result of the oldest is used: a long document keeps no worker
waiting.
"""

MAX_TRIES: Final = 4
"""Tries of a document whose worker dies. The last one has a machine to itself: until then, a document that was beside
another one when that killed the worker, or used up the memory, counts as well.
"""

MAX_LOST: Final = 20
"""Machines that may be lost with a document: it is hardly ever at fault, so this does not count as a try."""


_Result = TypeVar("_Result")
_Key = TypeVar("_Key")


class WorkerFailedError(SourceError):
    """A document whose worker died, or failed unexpectedly."""


@dataclass(slots=True)
class _Handed(Generic[_Result]):
    """A task that was handed to the workers.

    Attributes:
        task: What they do.
        n_died: Workers that died with it.
        n_lost: Machines that were lost with it, or with its result.
        is_done: Whether it has its result.
        result: Its result; None while it is worked on.
    """

    task: Task[_Result]
    n_died: int = 0
    n_lost: int = 0
    is_done: bool = False
    result: _Result | SourceError | None = None

    def settle(self, result: _Result | SourceError) -> None:
        """Gives it its result."""
        self.result, self.is_done = result, True


class Workers:
    """The workers of a cluster.

    Tries are counted here and not by Ray, which cannot tell a worker that died from a machine that was lost. Results
    are fetched as they appear, so that they do not get lost with the machine that made them.

    Args:
        ray: The package, connected to a cluster.
        job: What every worker needs.
    """

    def __init__(self, ray: Any, job: Job) -> None:
        self._ray = ray
        self._job = ray.put(job)
        self._work = ray.remote(num_cpus=1, max_retries=0)(run_task)
        self._at_work: dict[Any, _Handed[Any]] = {}

    @property
    def n_cpus(self) -> int:
        """Processors of the cluster at present, at least 1."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def in_order(self, tasks: Iterable[tuple[_Key, Task[_Result]]]) -> Iterator[tuple[_Key, _Result | SourceError]]:
        """The key of each task with its result, in the order of the tasks.

        Results are errors if tasks kill workers or make them fail. Tasks are made as they are handed out, ``AHEAD`` per
        processor at most.

        Raises:
            TreatiseError: If a worker cannot do the job at all.
        """
        waiting: deque[tuple[_Key, _Handed[_Result]]] = deque()
        for key, task in tasks:
            waiting.append((key, self._hand(task)))
            yield from self._oldest(waiting, but=AHEAD * self.n_cpus)
        yield from self._oldest(waiting, but=0)

    def _hand(self, task: Task[_Result]) -> _Handed[_Result]:
        handed = _Handed(task)
        self._start(handed)
        return handed

    def _oldest(
        self, waiting: deque[tuple[_Key, _Handed[_Result]]], *, but: int
    ) -> Iterator[tuple[_Key, _Result | SourceError]]:
        """Takes the tasks that were handed out first, but so many, and waits for their results."""
        while len(waiting) > but:
            key, handed = waiting.popleft()
            while not handed.is_done:
                (reference, *_), _ = self._ray.wait([*self._at_work], num_returns=1)
                self._settle(reference, self._at_work.pop(reference))
            yield key, cast("_Result | SourceError", handed.result)

    def _start(self, handed: _Handed[Any]) -> None:
        is_last = handed.n_died == MAX_TRIES - 1
        n_cpus = self._cpus_of_a_machine() if is_last else 1
        self._at_work[self._work.options(num_cpus=n_cpus).remote(self._job, handed.task)] = handed

    def _cpus_of_a_machine(self) -> float:
        """Processors of the smallest machine that has any."""
        found = [node["Resources"].get("CPU", 0.0) for node in self._ray.nodes() if node["Alive"]]
        return min(filter(None, found), default=1)

    def _settle(self, reference: Any, handed: _Handed[Any]) -> None:
        """Keeps the result of a task, or hands the task out again."""
        errors, name = self._ray.exceptions, handed.task.name
        try:
            handed.settle(self._ray.get(reference))
        except errors.RayTaskError as error:
            if isinstance(error.cause, TreatiseError):
                raise error.cause from error
            reason = f"{type(error.cause).__name__}: {error.cause}"
            handed.settle(WorkerFailedError(f"{name} failed in a worker ({reason}): report it"))
        except errors.OutOfMemoryError:
            handed.n_died += 1
            message = f"{name} needs more memory than a machine has: give it a larger one, or split it"
            self._again(handed, handed.n_died < MAX_TRIES, message)
        except errors.WorkerCrashedError as error:
            handed.n_died += 1
            message = f"{name}: its worker died {MAX_TRIES} times ({_first_line(error)}); the others go on"
            self._again(handed, handed.n_died < MAX_TRIES, message)
        except (errors.NodeDiedError, errors.ObjectLostError) as error:
            handed.n_lost += 1
            message = f"{name}: {MAX_LOST} machines were lost with it ({_first_line(error)}); the others go on"
            self._again(handed, handed.n_lost < MAX_LOST, message)
        except errors.RayError as error:
            handed.settle(WorkerFailedError(f"{name}: its worker could not answer ({_first_line(error)})"))

    def _again(self, handed: _Handed[Any], may_try: bool, message: str) -> None:
        if may_try:
            self._start(handed)
        else:
            handed.settle(WorkerFailedError(message))


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
