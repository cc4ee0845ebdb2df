"""What the SQLite store adds to the contract: files, versions, damage, locks."""

import gc
import random
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from treatise.core.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreUnwritableError,
    StoreVersionError,
)
from treatise.core.indexed import IndexedDocument
from treatise.core.note import CallOutcome
from treatise.core.ports import SourceState
from treatise.core.tree import DiscourseTree
from treatise.store import SqliteStore, codec, default_path, schema, sqlite_writing
from treatise.store import rows as store_rows
from treatise.testing import sample_indexed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a folder?#%" / "treatise.db"


def filled(path: Path, n_documents: int = 3) -> Path:
    with SqliteStore(path) as store:
        for seed in range(n_documents):
            store.put(sample_indexed(seed), index_key="k", state=None)
    return path


def read_all(path: Path) -> None:
    with SqliteStore(path) as store:
        for entry in store.entries():
            store.get(entry.id, "k")


def raw(path: Path, statement: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    with connection:
        found = connection.execute(statement).fetchall()
    connection.close()
    return found


def test_a_store_is_read_again_after_closing(path: Path) -> None:
    with SqliteStore(filled(path)) as store:
        assert [entry.id for entry in store.entries()] == [sample_indexed(seed).document.id for seed in range(3)]


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.db", "b.db"):
        with SqliteStore(tmp_path / name, clock=lambda: 0.0) as store:
            store.put(sample_indexed(1), index_key="k", state=None, provenance='{"tree": "balanced"}')
    assert (tmp_path / "a.db").read_bytes() == (tmp_path / "b.db").read_bytes()


def test_vectors_over_the_limit_of_a_blob_are_kept_in_parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_PART_BYTES", 40)
    indexed = sample_indexed(1)
    with SqliteStore(path) as store:
        store.put(indexed, index_key="k", state=None)
        found = store.get(indexed.document.id, "k")
    assert found is not None
    assert np.array_equal(found.vectors, indexed.vectors)


def test_an_index_without_nodes_comes_back(path: Path) -> None:
    indexed = sample_indexed(1)
    bare = replace(indexed, units=(), tree=DiscourseTree(0, ()), vectors=indexed.vectors[:0], notes=(), clusters=())
    with SqliteStore(path) as store:
        store.put(bare, index_key="k", state=None)
        found = store.get(bare.document.id, "k")
    assert found is not None
    assert found.vectors.shape == bare.vectors.shape


def test_a_missing_store_opened_for_reading_is_empty_and_stays_missing(path: Path) -> None:
    with SqliteStore(path, read_only=True) as store:
        assert store.entries() == []
        with pytest.raises(StoreUnwritableError, match=r"treatise\.db"):
            store.put(sample_indexed(), index_key="k", state=None)
    assert not path.parent.exists()


def test_a_store_opened_for_reading_leaves_no_files_behind(path: Path) -> None:
    filled(path)
    with SqliteStore(path, read_only=True) as store:
        assert len(store.entries()) == 3
        with pytest.raises(StoreUnwritableError, match="not writable"):
            store.remove(store.entries()[0].id)
    assert [file.name for file in path.parent.iterdir()] == ["treatise.db"]


def test_an_empty_file_is_an_empty_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with SqliteStore(path, read_only=True) as store:
        assert store.entries() == []
    with SqliteStore(filled(path)) as store:
        assert len(store.entries()) == 3


def test_a_reader_sees_what_another_process_commits(path: Path) -> None:
    with SqliteStore(path) as writer, SqliteStore(path, read_only=True) as reader:
        writer.put(sample_indexed(), index_key="k", state=None)
        assert len(reader.entries()) == 1


def test_a_newer_store_is_refused_by_name(path: Path) -> None:
    raw(filled(path), f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    for read_only in (False, True):
        newest = len(schema.MIGRATIONS)
        with pytest.raises(StoreVersionError, match=f"has schema {newest + 1}, .* reads up to {newest}: upgrade"):
            SqliteStore(path, read_only=read_only)


def test_an_older_store_is_brought_up_by_the_migrations_that_it_lacks(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def _migrate_next(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE documents ADD COLUMN colour TEXT DEFAULT 'blue'")

    newest = len(schema.MIGRATIONS)
    filled(path)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, _migrate_next))
    before = path.read_bytes()
    with SqliteStore(path, read_only=True) as store:
        assert len(store.entries()) == 3
    assert path.read_bytes() == before
    assert raw(path, "PRAGMA user_version") == [(newest,)]
    with SqliteStore(path) as store:
        assert len(store.entries()) == 3
    assert raw(path, "PRAGMA user_version") == [(newest + 1,)]


def test_a_migration_that_fails_leaves_the_store_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def _migrate_next(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE vectors")
        connection.execute("no such statement")

    filled(path)
    with monkeypatch.context() as patched:
        patched.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, _migrate_next))
        with pytest.raises(StoreError, match="syntax error"):
            SqliteStore(path)
    with SqliteStore(path) as store:
        assert store.get(sample_indexed(0).document.id, "k") is not None


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "content", [b"x", *(b"t" * size for size in (511, 512, 513, 1024, 4095, 4096)), b"no base " * 999]
)
def test_a_file_that_is_no_database_is_refused_by_name(path: Path, content: bytes, read_only: bool) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreDamagedError, match=r"treatise\.db is not a Treatise store"):
        SqliteStore(path, read_only=read_only)
    assert path.read_bytes() == content


@pytest.mark.parametrize("read_only", [False, True])
def test_a_database_of_another_program_is_refused_and_not_touched(path: Path, read_only: bool) -> None:
    path.parent.mkdir()
    raw(path, "CREATE TABLE bookmarks (url)")
    before = path.read_bytes()
    with pytest.raises(StoreDamagedError, match="another program"):
        SqliteStore(path, read_only=read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_folder_is_refused_by_name(tmp_path: Path, read_only: bool) -> None:
    with pytest.raises(StoreDamagedError, match="is a folder or device, expected a file"):
        SqliteStore(tmp_path, read_only=read_only)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnwritableError, match=r"treatise\.db cannot be opened"):
        SqliteStore(tmp_path / "file" / "treatise.db")


def test_a_store_cut_short_is_damaged(path: Path) -> None:
    content = filled(path, 30).read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreDamagedError, match=r"damaged.*index your sources again"):
        read_all(path)


@pytest.mark.parametrize(
    "column",
    ["documents.text", "documents.structure", "indexes.tree", "indexes.units", "indexes.lexicon_terms", "vectors.rows"],
)
def test_a_damaged_blob_names_its_document(path: Path, column: str) -> None:
    table, _, name = column.partition(".")
    raw(filled(path, 1), f"UPDATE {table} SET {name} = x'00'")
    id_ = sample_indexed(0).document.id
    with SqliteStore(path) as store, pytest.raises(StoreDamagedError, match=id_):
        store.get(id_, "k")


COLUMNS = ("units", "tree", "relations", "notes", "clusters", "n_units", "n_nodes", "dim")
LEXICON = ("terms", "starts", "units", "counts", "lengths")


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(("indexes", column) for column in (*COLUMNS, *(f"lexicon_{name}" for name in LEXICON))),
        *(("documents", column) for column in ("title", "language", "structure", "text")),
        ("vectors", "rows"),
    ],
)
def test_no_flipped_bit_reaches_an_answer(path: Path, table: str, column: str) -> None:
    id_ = sample_indexed(0).document.id
    connection = sqlite3.connect(filled(path, 1), isolation_level=None)
    ((sound,),) = connection.execute(f"SELECT {column} FROM {table}").fetchall()
    for at in random.Random(0).sample(range(_n_bits(sound)), k=min(20, _n_bits(sound))):
        connection.execute(f"UPDATE {table} SET {column} = ?", (_flipped(sound, at),))
        with SqliteStore(path) as store, pytest.raises(StoreDamagedError, match=r"damaged"):
            store.get(id_, "k")
    with SqliteStore(path) as store:
        store.put(sample_indexed(0), index_key="k", state=None)
        assert store.get(id_, "k") is not None
    connection.close()


def _n_bits(value: object) -> int:
    return 20 if isinstance(value, int) else 8 * len(_raw(value))


def _flipped(value: object, at: int) -> object:
    if isinstance(value, int):
        return value ^ 1 << at
    damaged = bytearray(_raw(value))
    damaged[at // 8] ^= 1 << at % 8
    return bytes(damaged) if isinstance(value, bytes) else damaged.decode("latin-1")


def _raw(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("latin-1")


def test_an_index_of_an_earlier_version_has_no_checksum_and_is_read(path: Path) -> None:
    raw(filled(path, 1), "DELETE FROM checksums")
    with SqliteStore(path) as store:
        assert store.get(sample_indexed(0).document.id, "k") is not None


def test_a_damaged_title_is_named(path: Path) -> None:
    raw(filled(path, 1), "UPDATE documents SET title = CAST(x'ff' AS TEXT)")
    with SqliteStore(path) as store, pytest.raises(StoreDamagedError, match=r"treatise\.db is damaged"):
        store.entries()


def test_a_damaged_document_can_be_removed(path: Path) -> None:
    raw(filled(path, 1), "UPDATE documents SET text = x'00'")
    with SqliteStore(path) as store:
        store.remove(store.entries()[0].id)
        assert store.entries() == []


def test_a_store_that_another_process_writes_is_busy_but_readable(path: Path) -> None:
    other = sqlite3.connect(filled(path), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with SqliteStore(path, busy_timeout_s=0.05) as store:
        assert len(store.entries()) == 3
        with pytest.raises(StoreBusyError, match="being written by another process"):
            store.put(sample_indexed(9), index_key="k", state=None)
        other.execute("ROLLBACK")
        store.put(sample_indexed(9), index_key="k", state=None)
    other.close()


def test_a_full_disk_leaves_the_store_as_it_was(path: Path) -> None:
    with SqliteStore(filled(path)) as store:
        (n_pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {n_pages + 2}")
        with pytest.raises(StoreUnwritableError, match=r"no room to grow.*MB free"):
            store.put(sample_indexed(9, n_paragraphs=99), index_key="k", state=None)
        assert len(store.entries()) == 3


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteStore(path)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.entries()


def test_the_default_place_is_the_platforms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path().name == "treatise.db"
    assert default_path().parent.name == "treatise"


def test_a_store_without_notes_and_calls_is_brought_up_and_keeps_its_indexes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        patched.setattr(SqliteStore, "put", _put_as_before_notes)
        filled(path)
    with SqliteStore(path) as store:
        found = store.get(sample_indexed(0).document.id, "k")
        assert found is not None
        assert found.notes == ()
        store.save("a", CallOutcome(("text",), 1, 2))
        assert store.finished(["a"]) == {"a": CallOutcome(("text",), 1, 2)}


def _put_as_before_notes(store: SqliteStore, indexed: IndexedDocument, *, index_key: str, state: None) -> None:
    row = store_rows.index_row(indexed, "{}")
    del row["notes"], row["clusters"]
    with store._transaction("BEGIN IMMEDIATE"):
        values = sqlite_writing.document_row(indexed.document, indexed_at=0.0)
        document = sqlite_writing.insert_document(store._connection, values)
        row = {"document": document, "index_key": index_key} | row
        slots = ", ".join("?" * len(row))
        execute = store._connection.execute
        number = execute(f"INSERT INTO indexes ({', '.join(row)}) VALUES ({slots})", tuple(row.values())).lastrowid
        for part, rows in enumerate(codec.pack_vectors(indexed.vectors)):
            execute("INSERT INTO vectors (number, part, rows) VALUES (?, ?, ?)", (number, part, rows))


def test_a_call_of_which_no_reply_fitted_can_be_forgotten(path: Path) -> None:
    with SqliteStore(path) as store:
        store.save("bad", CallOutcome((), 1, 2))
        store.save("good", CallOutcome(("text",), 1, 2))
        assert store.forget_rejected() == 1
        assert list(store.finished(["bad", "good"])) == ["good"]


def test_a_damaged_call_is_named(path: Path) -> None:
    with SqliteStore(path) as store:
        store.save("abc", CallOutcome(("text",), 1, 2))
    raw(path, "UPDATE calls SET texts = x'00'")
    with SqliteStore(path) as store, pytest.raises(StoreDamagedError, match="call abc"):
        store.finished(["abc"])


def test_a_store_whose_creation_a_power_cut_interrupted_is_begun_again(path: Path) -> None:
    path.parent.mkdir()
    connection = sqlite3.connect(other := path.with_name("other.db"), isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE a (b)")
    for _ in range(50):  # more than the cache holds: the journal is on the disk
        connection.execute("INSERT INTO a VALUES (zeroblob(4000))")
    path.with_name(f"{path.name}-journal").write_bytes(other.with_name("other.db-journal").read_bytes())
    connection.close()
    path.write_bytes(bytes(4096))
    with SqliteStore(path) as store:
        store.put(sample_indexed(1), index_key="k", state=None)
        assert store.check() == []


def test_a_store_that_nobody_closes_releases_its_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "library.db")
    connection = store._connection
    del store
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


HOSTILE = {
    "another text": "UPDATE documents SET text = x'789c4b04000062 0062'",
    "another title": "UPDATE documents SET title = 'x'",
    "bytes for a title": "UPDATE documents SET title = x'c3a9'",
    "deep structure": "UPDATE documents SET structure = :deep",
    "bytes for a source": "UPDATE sources SET source = x'c3a9'",
    "other vectors": "UPDATE vectors SET rows = zeroblob(length(rows))",
    "other postings": "UPDATE indexes SET lexicon_counts = zeroblob(length(lexicon_counts))",
    "a text for a number": "UPDATE documents SET n_words = 'x', indexed_at = 'x'",
}


@pytest.mark.parametrize("change", HOSTILE)
def test_a_library_of_a_stranger_is_refused_if_a_document_of_it_is_not_whole(tmp_path: Path, change: str) -> None:
    with SqliteStore(tmp_path / "theirs.db") as theirs:
        theirs.put(sample_indexed(1), index_key="k", state=SourceState("/a", 1, 1, "0" * 64))
        theirs.export(tmp_path / "export.db")
    with closing(sqlite3.connect(tmp_path / "export.db", isolation_level=None)) as connection:
        statement = HOSTILE[change].replace(" 0062", "0062")
        values = {"deep": zlib.compress(b"[" * 100_000)} if ":deep" in statement else {}
        connection.execute(statement, values)
    with SqliteStore(tmp_path / "export.db", read_only=True) as opened:
        assert len(opened.entries()) == 1
    with SqliteStore(tmp_path / "own.db") as own:
        if change in ("a text for a number", "bytes for a source"):
            assert own.import_(tmp_path / "export.db") == (1, 0)
            assert isinstance(own.entries()[0].n_words, int)
            assert isinstance(own.entries()[0].sources[0], str)
        else:
            with pytest.raises(StoreDamagedError, match=r"export\.db: document .* is damaged .*: export it again"):
                own.import_(tmp_path / "export.db")
            assert own.entries() == []


def test_an_import_into_a_library_that_cannot_be_written_names_this_library(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "theirs.db") as theirs:
        theirs.put(sample_indexed(1), index_key="k", state=None)
        theirs.export(tmp_path / "export.db")
    SqliteStore(tmp_path / "own.db").close()
    own = SqliteStore(tmp_path / "own.db", read_only=True)
    with own, pytest.raises(StoreUnwritableError, match=r"own\.db is not writable"):
        own.import_(tmp_path / "export.db")


def test_an_export_that_finds_no_room_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_disk(*_: object) -> int:
        (tmp_path / "export.db.part-journal").write_bytes(bytes(1024))  # as SQLite does on a full disk
        raise sqlite3.OperationalError("database or disk is full")

    with SqliteStore(tmp_path / "own.db") as own:
        own.put(sample_indexed(1), index_key="k", state=None)
        with monkeypatch.context() as patched:
            patched.setattr("treatise.store.transfer._keep", fill_disk)
            with pytest.raises(StoreError, match="disk is full"):
                own.export(tmp_path / "export.db")
        assert not list(tmp_path.glob("export*"))
        assert own.export(tmp_path / "export.db") == 1
