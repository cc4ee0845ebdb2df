"""The driver of a job: hands documents to workers, and is the only one that writes to the library."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from treatise.core.errors import EngineError, MissingExtraError, SettingsError, SourceError, TreatiseError
from treatise.core.words import n_words
from treatise.distribute.task import Indexed, Job, Result, Task, Unchanged, Unreadable, run_task
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.progress import ProgressCallback
from treatise.pipeline.reports import IndexReport, Outcome
from treatise.pipeline.sources import SourceReader, read_source
from treatise.pipeline.stored_indexes import StoredIndexes

MAX_RETRIES: Final = 2
"""Further tries of a document whose worker died. One more follows by itself: until then, a document that waited at a
worker when another one killed it counts as well.
"""

AHEAD: Final = 4
"""Documents per processor that are handed out before the oldest is stored: a long document keeps no worker waiting."""

_LOCAL: Final = "local"


class WorkerFailedError(SourceError):
    """A document whose worker died, or failed unexpectedly."""


@dataclass(slots=True)
class _Handed:
    """A document that a worker has."""

    task: Task
    document: str
    again: Callable[[], Any]
    reference: Any


def index_on_ray(
    library: Library,
    sources: Iterable[str],
    *,
    address: str = _LOCAL,
    open_engines: Callable[[], Engines],
    read: SourceReader = read_source,
    progress: ProgressCallback | None = None,
) -> Iterator[tuple[str, IndexReport | SourceError]]:
    """Each source, in order, with its report or the reason why it was not indexed; see ``Library.index_all``.

    Documents are read and indexed by the workers of a Ray cluster, and stored by this process in the order of the
    sources, so the library is the one that a single process makes. A job that was interrupted goes on where it stopped.

    Args:
        library: Gets the documents.
        sources: Absolute paths, which every machine must see, or URLs of object storage.
        address: ``"local"`` for this machine, ``"local:4"`` for 4 workers on it, or the address of a cluster.
        open_engines: Loads the models of the recipe in a worker.
        read: Makes the document from its bytes, in the worker.
        progress: Called with the number of documents done.

    Raises:
        SettingsError: If a language model writes the recipe's notes: its budget is kept by one process.
        EngineError: If the cluster cannot be reached, or a worker has other models.
        StoreError: If the library fails. Stored documents stay.
    """
    if library.recipe.indexing.asks_model and library.model is not None:
        raise SettingsError(
            f"a language model writes the notes of the recipe {library.recipe.slug}, within the budget of one process: "
            "index without --ray"
        )
    with _cluster(address) as ray:
        job = ray.put(Job(library.recipe, open_engines, library.system.index_key, read))
        work = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(run_task)
        waiting: deque[_Handed] = deque()
        wanted = list(dict.fromkeys(sources))
        n_ahead = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        is_ready = _ready(library)
        for number, source in enumerate(wanted):
            known = library.store.state(source)
            is_current = known is not None and is_ready(known[0])
            task = Task(source, known[1] if known and is_current else None)
            alone = partial(work.options(max_retries=0).remote, job, task)
            waiting.append(_Handed(task, known[0] if known else "", alone, work.remote(job, task)))
            while len(waiting) >= n_ahead or (waiting and number + 1 == len(wanted)):
                yield _stored(library, ray, waiting.popleft())
                if progress:
                    progress("index", number + 1 - len(waiting), len(wanted))
    library.prepare()


def _ready(library: Library) -> Callable[[str], bool]:
    """Whether a document has the recipe's index; the list is read once."""
    ready = {id_ for id_, n_nodes in library.store.sizes(library.system.index_key).items() if n_nodes}
    return ready.__contains__


def _stored(library: Library, ray: Any, handed: _Handed) -> tuple[str, IndexReport | SourceError]:
    source, known = handed.task.source, handed.document
    result = _result(ray, handed)
    match result:
        case SourceError():
            return source, result
        case Unreadable(error):
            return source, error
        case Unchanged():
            return source, IndexReport(source, known, Outcome.UNCHANGED, 0, 0, 0.0)
        case Indexed(indexed, state, seconds):
            library.store.put(indexed, state=state, **StoredIndexes(library.store, library.system).key)
            outcome = Outcome.UPDATED if known else Outcome.NEW
            words = n_words(indexed.document.text)
            return source, IndexReport(source, indexed.document.id, outcome, words, len(indexed.units), seconds)


def _result(ray: Any, handed: _Handed) -> Result | SourceError:
    """The result of a worker; an error if it died or failed."""
    try:
        result = _got(ray, handed)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, TreatiseError):
            raise error.cause from error
        return WorkerFailedError(
            f"{handed.task.source} failed in a worker ({type(error.cause).__name__}: {error.cause}): report it"
        )
    except ray.exceptions.OutOfMemoryError:
        return WorkerFailedError(
            f"{handed.task.source} needs more memory than its worker has: give it a larger machine, or split it"
        )
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[0]
        return WorkerFailedError(
            f"{handed.task.source}: its worker died {MAX_RETRIES + 2} times ({reason}); the others go on"
        )
    return result


def _got(ray: Any, handed: _Handed) -> Result:
    try:
        result: Result = ray.get(handed.reference)
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError):
        result = ray.get(handed.again())
    return result


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster, or to one that lives as long as the block."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtraError("indexing on a Ray cluster", "ray") from error
    if ray.is_initialized():
        yield ray
        return
    try:
        ray.init(**_options(address))
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise EngineError(f"no Ray cluster can be reached at {address} ({error}): see `ray status` there") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _options(address: str) -> dict[str, Any]:
    quiet = {"log_to_driver": False, "configure_logging": False}
    name, _, n_workers = address.partition(":")
    if name != _LOCAL:
        return {"address": address, **quiet}
    if n_workers and not (n_workers.isdigit() and int(n_workers)):
        raise SettingsError(f"{address!r} names no number of workers: write local:4, or the address of a cluster")
    os.environ.setdefault("RAY_task_oom_retries", str(MAX_RETRIES))  # else a document too large is tried for ever
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # workers import what this process imports
    return {
        "address": _LOCAL,
        "num_cpus": int(n_workers) if n_workers else os.cpu_count(),
        "include_dashboard": False,
        **quiet,
    }
