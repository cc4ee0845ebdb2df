"""The store under kill -9, several processes, and a disk that refuses."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from treatise.core.errors import StoreBusyError, StoreError
from treatise.store import SqliteStore
from treatise.store.failures import translated
from treatise.testing import sample_indexed

# Puts documents of 100 sentences for ever: for every writer its own sources, whose content moves on each round.
WRITE = """
import sys
from itertools import count
from treatise.core.ports import SourceState
from treatise.store import SqliteStore
from treatise.store.failures import translated
from treatise.testing import sample_indexed

path, writer, n_rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with SqliteStore(path) as store:
    for n in count() if n_rounds == 0 else range(n_rounds):
        seed, source = 1000 * writer + n, f"/{writer}/{n % 5}"
        indexed = sample_indexed(seed, source=source, n_paragraphs=10, n_sentences=10, dim=64)
        store.put(indexed, index_key="k", state=SourceState(source, 0, 0, str(seed)))
        print(seed, flush=True)
"""

# Lists and reads everything a number of times.
READ = """
import sys
from treatise.store import SqliteStore
from treatise.store.failures import translated

with SqliteStore(sys.argv[1], read_only=True) as store:
    for _ in range(int(sys.argv[2])):
        for entry in store.entries():
            indexed = store.get(entry.id, "k")
            assert indexed is None or len(indexed.units) == entry.n_units
            assert len(entry.sources) == 1
"""

# A child goes on writing after its parent and another process have closed the store.
WRITE_IN_A_CHILD = """
import os, subprocess, sys
from treatise.store import SqliteStore
from treatise.store.failures import translated
from treatise.testing import sample_indexed

path = sys.argv[1]
store = SqliteStore(path)
store.put(sample_indexed(1, source="/1"), index_key="k", state=None)
ready, ready_to = os.pipe()
closed, closed_to = os.pipe()
if os.fork() == 0:
    store.entries()
    os.write(ready_to, b"x")
    os.read(closed, 1)
    store.put(sample_indexed(2, source="/2"), index_key="k", state=None)
    os._exit(0)
os.read(ready, 1)
store.put(sample_indexed(3, source="/3"), index_key="k", state=None)
store.close()
again = "import sys; from treatise.store import SqliteStore; SqliteStore(sys.argv[1]).close()"
subprocess.run([sys.executable, "-c", again, path], check=True)
os.write(closed_to, b"x")
os.wait()
with SqliteStore(path) as whole:
    print(len(whole.entries()), whole.check())
"""

# Opens a store without the rights of the superuser.
OPEN_AS_NOBODY = """
import os, sys, urllib.parse  # by name now: pathlib loads it late, when the interpreter's own folder may be closed
from treatise.core.errors import StoreBusyError, StoreError
from treatise.store import SqliteStore
from treatise.store.failures import translated

path, read_only = sys.argv[1], sys.argv[2] == "read"
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    with SqliteStore(path, read_only=read_only) as store:
        print(len(store.entries()))
except StoreError as error:
    print(type(error).__name__, error)
"""

# Puts a document that is larger than any file may grow from now on.
WRITE_BEYOND_LIMIT = """
import resource, signal, sys
from treatise.core.errors import StoreBusyError, StoreError
from treatise.store import SqliteStore
from treatise.store.failures import translated
from treatise.testing import sample_indexed

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with SqliteStore(sys.argv[1]) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))
    try:
        store.put(sample_indexed(9, n_paragraphs=200, dim=256), index_key="k", state=None)
    except StoreError as error:
        print(type(error).__name__, error)
    print([entry.n_units for entry in store.entries()])
"""

# Reads everything as a user without permission to write, until a file named "stop" appears.
READ_AS_NOBODY = """
import os, sys, urllib.parse
from pathlib import Path
from treatise.store import SqliteStore
from treatise.store.failures import translated

if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
n_reads = 0
with SqliteStore(sys.argv[1], read_only=True) as store:
    print("open", flush=True)
    while not Path(sys.argv[2]).exists():
        for entry in store.entries():
            indexed = store.get(entry.id, "k")
            assert indexed is None or len(indexed.units) == entry.n_units
            n_reads += 1
    print(store._idle is None, len(store.entries()), n_reads)
"""

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals, users and limits of POSIX")


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def output(program: str, *arguments: object) -> str:
    process = start(program, *arguments)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return printed


def assert_sound(path: Path) -> list[int]:
    """Asserts that every document is whole; returns the digests of the sources, which are the documents' seeds."""
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    seeds = []
    with SqliteStore(path) as store:
        for entry in store.entries():
            (source,) = entry.sources
            found = store.state(source)
            assert found is not None
            seed = int(found[1].digest)
            wanted = sample_indexed(seed, source=source, n_paragraphs=10, n_sentences=10, dim=64)
            indexed = store.get(entry.id, "k")
            assert indexed is not None
            assert indexed.document == wanted.document
            assert indexed.tree == wanted.tree
            assert np.array_equal(indexed.vectors, wanted.vectors)
            seeds.append(seed)
    return seeds


@posix
def test_a_writer_killed_at_any_moment_loses_nothing_that_it_had_put(tmp_path: Path) -> None:
    path = tmp_path / "treatise.db"
    moments = random.Random(0)
    for writer in range(5):
        process = start(WRITE, path, writer, 0)
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(moments.randrange(1, 20)):
            done = int(process.stdout.readline())
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(moments.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        done = max([done, *(int(line) for line in process.stdout)])
        process.communicate()
        seeds = [seed for seed in assert_sound(path) if seed // 1000 == writer]
        # At most one more than was reported: killed between the commit and the report.
        assert max(seeds) - done in (0, 1)
        assert len(seeds) == min(5, max(seeds) % 1000 + 1)


def test_two_writers_and_two_readers_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "treatise.db"
    processes = [start(WRITE, path, writer, 40) for writer in range(2)]
    processes += [start(READ, path, 40) for _ in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    assert sorted(assert_sound(path)) == [*range(35, 40), *range(1035, 1040)]


def test_stores_opened_later_in_a_process_leave_the_locks_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "treatise.db"
    with SqliteStore(path) as store:
        SqliteStore(path).close()
        SqliteStore(path, read_only=True).close()
        other, errors = start(READ, path, 0).communicate(timeout=60)  # takes itself for the last one if it sees no lock
        assert not errors, errors
        store.put(sample_indexed(7, source="/7"), index_key="k", state=None)
        assert path.with_name("treatise.db-wal").exists()
        read = "import sys; from treatise.store import SqliteStore; print(len(SqliteStore(sys.argv[1]).entries()))"
        seen = subprocess.run([sys.executable, "-c", read, str(path)], capture_output=True, text=True, check=True)
        assert seen.stdout.strip() == "1", other


@posix
def test_a_forked_process_holds_locks_of_its_own(tmp_path: Path) -> None:
    printed, errors = start(WRITE_IN_A_CHILD, tmp_path / "treatise.db").communicate(timeout=60)
    assert printed == "3 []\n", errors


@posix
def test_a_store_that_was_closed_is_not_opened_by_a_fork(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "treatise.db")
    store.close()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    with pytest.raises(StoreError, match="closed"):
        store.entries()


def test_a_new_store_may_be_opened_by_many_at_once(tmp_path: Path) -> None:
    processes = [start(WRITE, tmp_path / "treatise.db", writer, 1) for writer in range(4)]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    assert len(assert_sound(tmp_path / "treatise.db")) == 4


@posix
@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_folder_without_permission_is_named(tmp_path: Path, mode: str) -> None:
    folder = tmp_path / "closed"
    SqliteStore(folder / "treatise.db").close()
    folder.chmod(0)
    try:
        printed = output(OPEN_AS_NOBODY, folder / "treatise.db", mode)
    finally:
        folder.chmod(0o700)
    assert printed.startswith("StoreUnwritableError")
    assert f"{folder / 'treatise.db'}" in printed
    assert "Permission denied" in printed


@posix
def test_a_folder_that_nobody_may_write_to_is_read() -> None:
    with tempfile.TemporaryDirectory() as name:  # tmp_path lies below a folder that is its owner's alone
        folder = Path(name)
        with SqliteStore(folder / "treatise.db") as store:
            store.put(sample_indexed(1), index_key="k", state=None)
        (folder / "treatise.db").chmod(0o644)
        folder.chmod(0o555)
        assert output(OPEN_AS_NOBODY, folder / "treatise.db", "read") == "1\n"
        assert output(OPEN_AS_NOBODY, folder / "treatise.db", "write").startswith("StoreUnwritableError")
        assert [file.name for file in folder.iterdir()] == ["treatise.db"]
        folder.chmod(0o755)


@posix
def test_a_file_that_may_not_grow_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "treatise.db"
    with SqliteStore(path) as store:
        store.put(sample_indexed(1), index_key="k", state=None)
    printed = output(WRITE_BEYOND_LIMIT, path)
    assert printed.startswith("StoreUnwritableError")
    assert "free some space" in printed
    assert printed.endswith("[13]\n")


@posix
def test_a_reader_without_permission_sees_whole_documents_while_the_owner_writes() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, path, stop = Path(name), Path(name) / "treatise.db", Path(name) / "stop"
        output(WRITE, path, 0, 5)
        path.chmod(0o644)
        folder.chmod(0o755)
        reader = start(READ_AS_NOBODY, path, stop)
        assert reader.stdout is not None
        assert reader.stdout.readline() == "open\n"
        for writer in range(1, 3):
            output(WRITE, path, writer, 6)
        stop.touch()
        printed, errors = reader.communicate(timeout=60)
        assert reader.returncode == 0, errors
        assert printed.startswith("True 15 ")


@posix
def test_the_store_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with SqliteStore(tmp_path / "new" / "folders" / "treatise.db") as store:
            store.put(sample_indexed(1), index_key="k", state=None)
            modes = {found.name: found.stat().st_mode & 0o777 for found in tmp_path.rglob("*")}
    finally:
        os.umask(before)
    files = {"treatise.db", "treatise.db-wal", "treatise.db-shm"}
    assert modes == {"new": 0o700, "folders": 0o700} | dict.fromkeys(files, 0o600)


_SAVING = """
import sys, threading
from treatise.core.note import CallOutcome
from treatise.store import SqliteStore
from treatise.store.failures import translated
errors = []
with SqliteStore(sys.argv[1]) as store:
    def save(thread):
        try:
            for number in range(200):
                store.save(f"{thread}-{number}", CallOutcome(("reply",), 1, 1, ""))
        except Exception as error:
            errors.append(repr(error))
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=save, args=(number,)) for number in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    print(errors, len(list(store.stored_calls())))
"""


def test_threads_save_calls_at_the_same_time(tmp_path: Path) -> None:
    assert output(_SAVING, tmp_path / "a.db").strip() == "[] 1200"


_FORKING = """
import os, sys, threading
from treatise.store import SqliteStore
from treatise.store.failures import translated
def fork():
    for _ in range(40):
        if not (child := os.fork()):
            os._exit(0)
        os.waitpid(child, 0)
with SqliteStore(sys.argv[1]) as one, SqliteStore(sys.argv[1]) as other:
    threads = [threading.Thread(target=fork, daemon=True) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join(60) for thread in threads]
    alive = sum(thread.is_alive() for thread in threads)
    print(alive if alive else one.entries() + other.entries())
    sys.stdout.flush()
    os._exit(0)
"""


@posix
def test_threads_may_fork_at_the_same_time(tmp_path: Path) -> None:
    assert output(_FORKING, tmp_path / "a.db").strip() == "[]"


def test_a_store_in_heavy_use_is_busy_and_not_failed(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("locking protocol")
    error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_PROTOCOL, "SQLITE_PROTOCOL"
    with pytest.raises(StoreBusyError, match="try again"), translated(tmp_path / "a.db"):
        raise error
