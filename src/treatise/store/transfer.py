"""Copies of a SQLite library: to one file, and from such a file into another library."""

import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

from treatise.core.document import Document
from treatise.core.errors import StoreDamagedError, StoreUnwritableError
from treatise.store.failures import DOCUMENT_AGAIN, translated
from treatise.store.opening import open_for_reading, open_for_writing, transaction
from treatise.store.schema import MIGRATIONS
from treatise.store.stored import Copyable

_KEPT: Final = "(SELECT value FROM json_each(?))"

_COPY: Final = (
    "INSERT INTO documents ({documents}) SELECT {documents} FROM other.documents AS o"
    " WHERE id NOT IN (SELECT id FROM main.documents) ORDER BY number",
    "CREATE TEMP TABLE same AS SELECT o.number AS theirs, d.number AS ours"
    " FROM other.documents AS o JOIN main.documents AS d ON d.id = o.id",
    "INSERT OR IGNORE INTO sources ({sources}, document) SELECT {sources}, ours"
    " FROM other.sources JOIN same ON document = theirs ORDER BY source",
    "INSERT OR IGNORE INTO metadata ({metadata}, document) SELECT {metadata}, ours"
    " FROM other.metadata JOIN same ON document = theirs",
    "CREATE TEMP TABLE missing AS SELECT i.number AS theirs, ours, index_key FROM other.indexes AS i"
    " JOIN same ON document = theirs WHERE NOT EXISTS"
    " (SELECT 1 FROM main.indexes AS m WHERE m.document = ours AND m.index_key = i.index_key)",
    "INSERT INTO indexes ({indexes}, document) SELECT {indexes}, ours FROM other.indexes AS i"
    " JOIN missing USING (index_key) WHERE i.number = theirs ORDER BY theirs",
    "INSERT INTO vectors ({vectors}, number) SELECT {vectors}, m.number FROM other.vectors AS v"
    " JOIN missing ON v.number = theirs JOIN main.indexes AS m ON m.document = ours"
    " AND m.index_key = missing.index_key ORDER BY theirs, part",
    "INSERT OR IGNORE INTO checksums ({checksums}, number) SELECT {checksums}, m.number FROM other.checksums AS c"
    " JOIN missing ON c.number = theirs JOIN main.indexes AS m ON m.document = ours"
    " AND m.index_key = missing.index_key",
    "INSERT OR IGNORE INTO calls ({calls}) SELECT {calls} FROM other.calls",
)
"""Statements that add what ``other`` has and this library lacks; columns are named, so that later ones come along."""

_MAPPED: Final = {
    "documents": {"number"},
    "sources": {"document"},
    "metadata": {"document"},
    "indexes": {"number", "document"},
    "vectors": {"number"},
    "checksums": {"number"},
    "calls": set[str](),
}
"""The columns of each table that hold numbers of this file."""


def export_library(connection: sqlite3.Connection, path: Path, ids: Collection[str] | None) -> int:
    """Writes the library, or the documents with these ids, to a new file, and returns their number.

    The file appears when it is complete. Calls of a language model are copied only with the whole library: they may
    quote other documents.

    Raises:
        StoreUnwritableError: If the file exists.
    """
    if path.exists():
        raise StoreUnwritableError(f"{path} exists already: name a new file, or move it away")
    part = path.with_name(f"{path.name}.part")
    _remove(part)
    try:
        part.touch(0o600)  # as the library: it has the text of private documents
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            connection.backup(copy)
            n_documents = _keep(copy, ids)
        part.rename(path)
    finally:
        _remove(part)
    return n_documents


def _remove(part: Path) -> None:
    """Removes an incomplete file, and the journal that SQLite leaves beside it if the disk is full."""
    for name in (part.name, f"{part.name}-journal"):
        part.with_name(name).unlink(missing_ok=True)


class Exported(Copyable, Protocol):
    """A library of which documents are copied."""

    def document(self, document_id: str) -> Document:
        """See ``Store.document``."""
        ...


def check_exported(exported: Exported) -> None:
    """Reads every document, whose id is a hash of it, and compares every index with its checksum.

    Raises:
        StoreDamagedError: If one is damaged; for users who import it.
    """
    try:
        for stored in exported.stored():
            exported.document(stored.id)
    except StoreDamagedError as error:
        found = str(error).removesuffix(DOCUMENT_AGAIN)
        raise StoreDamagedError(f"{found}: export it again; this library is unchanged") from error


def import_library(connection: sqlite3.Connection, path: Path, busy_timeout_s: float) -> tuple[int, int]:
    """Adds the documents of an exported library in one transaction; returns how many are new, and how many are not.

    Documents, indexes, sources and keys that this library has stay as they are.

    Raises:
        StoreDamagedError: If the file is no library, or damaged.
        StoreVersionError: If a newer Treatise wrote it.
    """
    if not path.is_file():
        raise StoreDamagedError(f"{path}: there is no such file")
    with _current(path, busy_timeout_s) as current:
        connection.execute("ATTACH ? AS other", (f"{current.absolute().as_uri()}?mode=ro",))
        try:
            with translated(path):  # what fails later is the library that is written to
                names = _columns_of_tables(connection, path)
            return _merged(connection, names)
        finally:
            connection.execute("DETACH other")


def _keep(copy: sqlite3.Connection, ids: Collection[str] | None) -> int:
    import json

    copy.execute("PRAGMA journal_mode = DELETE")
    copy.execute("PRAGMA foreign_keys = ON")
    if ids is not None:
        copy.execute(f"DELETE FROM documents WHERE id NOT IN {_KEPT}", (json.dumps(list(ids)),))
        copy.execute("DELETE FROM calls")
    copy.execute("VACUUM")
    n_documents: int = copy.execute("SELECT count(*) FROM documents").fetchone()[0]
    return n_documents


@contextmanager
def _current(path: Path, busy_timeout_s: float) -> Iterator[Path]:
    """The file, or a migrated copy of it if an earlier version wrote it."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as other:
        version = other.execute("PRAGMA user_version").fetchone()[0]
        if not 0 < version < len(MIGRATIONS):
            open_for_reading(path, busy_timeout_s)[0].close()  # refuses other files and newer versions
            yield path
            return
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(folder) / "library.db"
            with closing(sqlite3.connect(copied)) as copy:
                other.backup(copy)
            open_for_writing(copied, busy_timeout_s).close()
            yield copied


def _columns_of_tables(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """The columns to copy, by table, of a file that is whole."""
    (verdict,) = connection.execute("PRAGMA other.quick_check(1)").fetchone()
    if verdict != "ok":
        raise StoreDamagedError(f"{path} is damaged ({verdict}): export it again; this library is unchanged")
    return {table: ", ".join(_columns(connection, path, table)) for table in _MAPPED}


def _merged(connection: sqlite3.Connection, names: Mapping[str, str]) -> tuple[int, int]:
    with transaction(connection):
        before = _n_documents(connection, "main")
        for statement in _COPY:
            connection.execute(statement.format(**names))
        n_new = _n_documents(connection, "main") - before
        n_known = _n_documents(connection, "other") - n_new
        for table in ("same", "missing"):
            connection.execute(f"DROP TABLE temp.{table}")
    return n_new, n_known


def _columns(connection: sqlite3.Connection, path: Path, table: str) -> list[str]:
    rows = connection.execute(f"PRAGMA main.table_info({table})").fetchall()
    theirs = connection.execute(f"PRAGMA other.table_info({table})").fetchall()
    if {row[1] for row in rows} != {row[1] for row in theirs}:
        raise StoreDamagedError(f"{path}: its table {table} is not that of a library: export it again")
    return [row[1] for row in rows if row[1] not in _MAPPED[table]]


def _n_documents(connection: sqlite3.Connection, schema: str) -> int:
    n_documents: int = connection.execute(f"SELECT count(*) FROM {schema}.documents").fetchone()[0]
    return n_documents
