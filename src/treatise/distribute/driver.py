"""The driver of a job: hands documents to workers, and is the only one that writes to the library."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from treatise.core.errors import EngineError, MissingExtraError, SettingsError, SourceError
from treatise.core.words import n_words
from treatise.distribute.task import Indexed, Job, Result, Task, Unchanged, Unreadable
from treatise.distribute.workers import Handed, Workers
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.progress import ProgressCallback
from treatise.pipeline.reports import IndexReport, Outcome
from treatise.pipeline.sources import SourceReader, read_source
from treatise.pipeline.stored_indexes import StoredIndexes

AHEAD: Final = 4
"""Documents per processor that are handed out before the oldest is stored: a long document keeps no worker waiting."""

_LOCAL: Final = "local"


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
        workers = Workers(ray, Job(library.recipe, open_engines, library.system.index_key, read))
        wanted = list(dict.fromkeys(sources))
        waiting: deque[tuple[Handed, str]] = deque()
        indexed: list[str] = []
        is_ready = _ready(library)
        for number, source in enumerate(wanted):
            known = library.store.state(source)
            is_current = known is not None and is_ready(known[0])
            task = Task(source, known[1] if known and is_current else None)
            waiting.append((workers.hand(task), known[0] if known else ""))
            n_ahead = 0 if number + 1 == len(wanted) else AHEAD * workers.n_cpus
            while len(waiting) > n_ahead:
                handed, document = waiting.popleft()
                stored = _stored(library, workers.wait_for(handed), handed.task.source, document)
                if isinstance(stored, IndexReport):
                    indexed.append(stored.document)
                yield handed.task.source, stored
                if progress:
                    progress("index", number + 1 - len(waiting), len(wanted))
    library.read_openings(progress, indexed)
    library.prepare()


def _ready(library: Library) -> Callable[[str], bool]:
    """Whether a document has the recipe's index; the list is read once."""
    ready = {id_ for id_, n_nodes in library.store.sizes(library.system.index_key).items() if n_nodes}
    return ready.__contains__


def _stored(library: Library, result: Result | SourceError, source: str, known: str) -> IndexReport | SourceError:
    """Stores what a worker made; ``known`` is the document that the source had, or empty."""
    match result:
        case SourceError():
            return result
        case Unreadable(error):
            return error
        case Unchanged():
            return IndexReport(source, known, Outcome.UNCHANGED, 0, 0, 0.0)
        case Indexed(indexed, state, seconds):
            library.store.put(indexed, state=state, **StoredIndexes(library.store, library.system).key)
            outcome = Outcome.UPDATED if known else Outcome.NEW
            words = n_words(indexed.document.text)
            return IndexReport(source, indexed.document.id, outcome, words, len(indexed.units), seconds)


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
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # workers import what this process imports
    return {
        "address": _LOCAL,
        "num_cpus": int(n_workers) if n_workers else os.cpu_count(),
        "include_dashboard": False,
        **quiet,
    }
