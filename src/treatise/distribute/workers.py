"""The workers of a Ray cluster: documents are handed to them, again if a worker or its machine is lost."""

from dataclasses import dataclass
from typing import Any, Final

from treatise.core.errors import SourceError, TreatiseError
from treatise.distribute.task import Job, Result, Task, run_task

MAX_TRIES: Final = 4
"""Tries of a document whose worker dies. The last one has a machine to itself: until then, a document that was beside
another one when that killed the worker, or used up the memory, counts as well.
"""

MAX_LOST: Final = 20
"""Machines that may be lost with a document: it is hardly ever at fault, so this does not count as a try."""


class WorkerFailedError(SourceError):
    """A document whose worker died, or failed unexpectedly."""


@dataclass(slots=True)
class Handed:
    """A document that was handed to the workers.

    Attributes:
        task: What they do.
        n_died: Workers that died with it.
        n_lost: Machines that were lost with it, or with its result.
        result: Its result; None while it is worked on.
    """

    task: Task
    n_died: int = 0
    n_lost: int = 0
    result: Result | SourceError | None = None


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
        self._at_work: dict[Any, Handed] = {}

    @property
    def n_cpus(self) -> int:
        """Processors of the cluster at present, at least 1."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def hand(self, task: Task) -> Handed:
        """Hands out a document; does not wait for it."""
        handed = Handed(task)
        self._start(handed)
        return handed

    def wait_for(self, handed: Handed) -> Result | SourceError:
        """The result of a document; an error if it kills workers or makes them fail.

        Raises:
            TreatiseError: If a worker cannot do the job at all.
        """
        while handed.result is None:
            (reference, *_), _ = self._ray.wait([*self._at_work], num_returns=1)
            self._settle(reference, self._at_work.pop(reference))
        return handed.result

    def _start(self, handed: Handed) -> None:
        is_last = handed.n_died == MAX_TRIES - 1
        n_cpus = self._cpus_of_a_machine() if is_last else 1
        self._at_work[self._work.options(num_cpus=n_cpus).remote(self._job, handed.task)] = handed

    def _cpus_of_a_machine(self) -> float:
        """Processors of the smallest machine that has any."""
        found = [node["Resources"].get("CPU", 0.0) for node in self._ray.nodes() if node["Alive"]]
        return min(filter(None, found), default=1)

    def _settle(self, reference: Any, handed: Handed) -> None:
        """Keeps the result of a document, or hands the document out again."""
        errors, name = self._ray.exceptions, handed.task.source
        try:
            handed.result = self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, TreatiseError):
                raise error.cause from error
            reason = f"{type(error.cause).__name__}: {error.cause}"
            handed.result = WorkerFailedError(f"{name} failed in a worker ({reason}): report it")
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
            handed.result = WorkerFailedError(f"{name}: its worker could not answer ({_first_line(error)})")

    def _again(self, handed: Handed, may_try: bool, message: str) -> None:
        if may_try:
            self._start(handed)
        else:
            handed.result = WorkerFailedError(message)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
