"""Copies libraries between stores of any kind. Nothing is encoded again."""

import tempfile
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from treatise.core.errors import StoreDamagedError, StoreUnwritableError
from treatise.core.ports import Progress
from treatise.store.sqlite import SqliteStore
from treatise.store.stored import Copyable
from treatise.store.transfer import check_exported


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied.

    Attributes:
        n_new: Documents that the target did not have.
        n_known: Documents that it had; indexes, sources and keys that it lacked were added.
        n_calls: Finished calls of language models.
    """

    n_new: int
    n_known: int
    n_calls: int = 0


def copy_library(
    source: Copyable, target: Copyable, ids: Collection[str] | None = None, progress: Progress | None = None
) -> Copied:
    """Adds the documents, or those with these ids, to the target, one transaction per document.

    A copy that was interrupted goes on where it stopped: what the target has stays as it is. Calls of a language model
    are copied only with the whole library: they may quote other documents.

    Raises:
        StoreDamagedError: If a document of the source is damaged; those before it are copied.
        StoreError: If a store fails.
    """
    n_new = n_documents = n_calls = 0
    n_wanted = len(ids) if ids is not None else len(source.sizes(""))
    for document in source.stored(None if ids is None else frozenset(ids)):
        n_new += target.add_stored(document)
        n_documents += 1
        if progress:
            progress(n_documents, n_wanted)
    for call in source.stored_calls() if ids is None else ():
        target.add_call(call)
        n_calls += 1
    return Copied(n_new, n_documents - n_new, n_calls)


def export_to_file(source: Copyable, path: Path, ids: Collection[str] | None = None) -> int:
    """Writes a library of any kind to a new file; see ``SqliteStore.export``.

    Raises:
        StoreUnwritableError: If the file exists.
    """
    if path.exists():
        raise StoreUnwritableError(f"{path} exists already: name a new file, or move it away")
    if isinstance(source, SqliteStore):
        return source.export(path, ids)
    with (
        tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".treatise-") as folder,
        closing(SqliteStore(Path(folder) / "library.db")) as whole,
    ):
        copy_library(source, whole, ids)
        return whole.export(path)


def import_from_file(target: Copyable, path: Path) -> Copied:
    """Adds the documents of an exported library; see ``SqliteStore.import_``.

    Raises:
        StoreDamagedError: If the file is no library, or damaged; then nothing is added.
    """
    if not path.is_file():
        raise StoreDamagedError(f"{path}: there is no such file")
    if isinstance(target, SqliteStore):
        return Copied(*target.import_(path))
    with closing(SqliteStore(path, read_only=True)) as exported:
        if faults := exported.check():
            raise StoreDamagedError(f"{path} is damaged ({faults[0]}): export it again; this library is unchanged")
        check_exported(exported)
        return copy_library(exported, target)
