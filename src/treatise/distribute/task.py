"""What a worker process of Ray is asked to do. Models are loaded once per worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from treatise.core.errors import EngineError, SourceError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import SourceState
from treatise.core.recipe import Recipe
from treatise.distribute.sources import is_as_before, read_source
from treatise.pipeline.engines import Engines
from treatise.pipeline.sources import SourceReader
from treatise.pipeline.system import System


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker needs.

    Attributes:
        recipe: Of the indexes.
        open_engines: Loads the models; pickled by name, so that each machine uses its own installation.
        index_key: Of the driver; a worker with other models must not answer.
        read: Makes the document from bytes.
        openings: The encoder of openings of the driver; empty without one.
    """

    recipe: Recipe
    open_engines: Callable[[], Engines]
    index_key: str
    read: SourceReader
    openings: str = ""


@dataclass(frozen=True, slots=True)
class Indexed:
    """A document that was read and indexed."""

    indexed: IndexedDocument
    state: SourceState
    seconds: float


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A document that is as it was indexed."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that could not be read."""

    error: SourceError


_Result_co = TypeVar("_Result_co", covariant=True)


class Task(Protocol[_Result_co]):
    """Work of some seconds. Its result does not depend on the worker, so it may be done again."""

    @property
    def name(self) -> str:
        """How messages name it: the address of a document, for one."""

    def run(self, job: Job) -> _Result_co:
        """Does it, in a worker.

        Raises:
            EngineError: If the models cannot be loaded, or are not those of the driver.
        """


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """Reads and indexes one document.

    Attributes:
        name: Its address.
        known: Its state at the last indexing; None if it is to be indexed anyway.
    """

    name: str
    known: SourceState | None

    def run(self, job: Job) -> Indexed | Unchanged | Unreadable:
        """See ``Task.run``."""
        system = _system(job)
        started = time.monotonic()
        try:
            if self.known is not None and is_as_before(self.name, self.known):
                return Unchanged()
            content, state = read_source(self.name)
            if self.known is not None and self.known.digest == state.digest:
                return Unchanged()
            document = job.read(content, self.name)
        except SourceError as error:
            return Unreadable(error)
        (indexed,) = system.index([document])
        return Indexed(indexed, state, time.monotonic() - started)


@dataclass(frozen=True, slots=True)
class EncodeOpenings:
    """Encodes openings of documents. The result is a vector of each, as ``Openings.encode`` gives it.

    Attributes:
        name: Which openings.
        texts: The openings.
    """

    name: str
    texts: tuple[str, ...]

    def run(self, job: Job) -> tuple[str, ...] | None:
        """See ``Task.run``; None if the workers have no encoder of openings."""
        openings = _system(job).engines.openings
        return tuple(openings.encode(self.texts)) if openings else None


_SYSTEMS: Final[dict[tuple[str, str], System]] = {}
"""The systems of the jobs that this process has worked on, by their indexes and encoders of openings."""

_Result = TypeVar("_Result")


def run_task(job: Job, task: Task[_Result]) -> _Result:
    """Does a task: the function that Ray calls."""
    return task.run(job)


def _system(job: Job) -> System:
    key = job.index_key, job.openings
    if key not in _SYSTEMS:
        system = System(job.recipe, job.open_engines())
        if system.index_key != job.index_key:
            raise EngineError(
                f"a worker would make the index {system.index_key}, the job wants {job.index_key}: install the same "
                "Treatise and the same models on every machine"
            )
        _check_openings(system, job)
        _SYSTEMS[key] = system
    return _SYSTEMS[key]


def _check_openings(system: System, job: Job) -> None:
    """Refuses another encoder of openings; a worker without one leaves them to the driver."""
    openings = system.engines.openings
    if openings and job.openings and openings.name != job.openings:
        raise EngineError(
            f"a worker would read openings by {openings.name}, the job wants {job.openings}: install the same models "
            "on every machine"
        )
