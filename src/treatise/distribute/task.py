"""The work on one document, in a worker process of Ray. Models are loaded once per worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import SourceError
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
    """

    recipe: Recipe
    open_engines: Callable[[], Engines]
    index_key: str
    read: SourceReader


@dataclass(frozen=True, slots=True)
class Task:
    """One document: its address, and its state at the last indexing if that is of use."""

    source: str
    known: SourceState | None


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


Result = Indexed | Unchanged | Unreadable

_SYSTEMS: Final[dict[str, System]] = {}
"""The system of each job that this process has worked on."""


def run_task(job: Job, task: Task) -> Result:
    """Reads and indexes one document.

    Raises:
        EngineError: If the models cannot be loaded, or are not those of the driver.
    """
    system = _system(job)
    started = time.monotonic()
    try:
        if task.known is not None and is_as_before(task.source, task.known):
            return Unchanged()
        content, state = read_source(task.source)
        if task.known is not None and task.known.digest == state.digest:
            return Unchanged()
        document = job.read(content, task.source)
    except SourceError as error:
        return Unreadable(error)
    (indexed,) = system.index([document])
    return Indexed(indexed, state, time.monotonic() - started)


def _system(job: Job) -> System:
    if job.index_key not in _SYSTEMS:
        from treatise.core.errors import EngineError

        system = System(job.recipe, job.open_engines())
        if system.index_key != job.index_key:
            raise EngineError(
                f"a worker would make the index {system.index_key}, the job wants {job.index_key}: install the same "
                "Treatise and the same models on every machine"
            )
        _SYSTEMS[job.index_key] = system
    return _SYSTEMS[job.index_key]
