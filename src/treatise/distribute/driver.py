"""The driver of a job: hands documents to workers, and is the only one that writes to the library."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError, EngineError, MissingExtraError, SettingsError, SourceError
from treatise.core.words import n_words
from treatise.distribute.task import EncodeOpenings, IndexDocument, Indexed, Job, Unchanged, Unreadable
from treatise.distribute.workers import Workers
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.openings import Openings, opening_texts
from treatise.pipeline.progress import ProgressCallback, stage
from treatise.pipeline.reports import IndexReport, Outcome
from treatise.pipeline.sources import SourceReader, read_source
from treatise.pipeline.stored_indexes import StoredIndexes

_TOGETHER: Final = 4
"""Openings that a worker encodes at once: about a second of work."""

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
    openings = library.system.engines.openings
    job = Job(library.recipe, open_engines, library.system.index_key, read, openings.name if openings else "")
    with _cluster(address) as ray:
        workers = Workers(ray, job)
        wanted = list(dict.fromkeys(sources))
        indexed: list[str] = []
        for done, ((source, known), result) in enumerate(workers.in_order(_tasks(library, wanted)), 1):
            stored = _stored(library, result, source, known)
            if isinstance(stored, IndexReport):
                indexed.append(stored.document)
            yield source, stored
            if progress:
                progress("index", done, len(wanted))
        if openings:
            _read_openings(library, openings, workers, indexed, progress)
    library.read_openings(progress, indexed)  # those that no worker could read
    library.prepare()


def _tasks(library: Library, sources: Iterable[str]) -> Iterator[tuple[tuple[str, str], IndexDocument]]:
    """The task of each source, under the source and the id of the document that it has, or an empty one."""
    ready = {id_ for id_, n_nodes in library.store.sizes(library.system.index_key).items() if n_nodes}
    for source in sources:
        known = library.store.state(source)
        id_, state = known or ("", None)
        yield (source, id_), IndexDocument(source, state if id_ in ready else None)


def _stored(
    library: Library, result: Indexed | Unchanged | Unreadable | SourceError, source: str, known: str
) -> IndexReport | SourceError:
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


def _read_openings(
    library: Library, openings: Openings, workers: Workers, ids: Iterable[str], progress: ProgressCallback | None
) -> None:
    """Has the workers encode the openings of stored documents that were not read, and keeps them in this order."""
    cache, report, done = library.system.cache, stage(progress, "read openings"), 0
    missing = openings.missing(dict.fromkeys(ids), cache)
    for documents, vectors in workers.in_order(_opening_tasks(library, missing)):
        if vectors is None:  # the workers have no encoder of openings
            return
        if not isinstance(vectors, SourceError):
            openings.keep(documents, vectors, cache)
        done = min(done + _TOGETHER, len(missing))
        if report:
            report(done, len(missing))


def _opening_tasks(library: Library, ids: Sequence[str]) -> Iterator[tuple[list[Document], EncodeOpenings]]:
    """Documents by their ids, without those that are gone, and the task of their openings."""
    for first in range(0, len(ids), _TOGETHER):
        some: list[Document] = []
        for id_ in ids[first : first + _TOGETHER]:
            with suppress(DocumentNotFoundError):
                some.append(library.document(id_))
        yield some, EncodeOpenings(f"the openings from document {ids[first]}", tuple(opening_texts(some)))


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
