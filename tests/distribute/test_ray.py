"""Indexing on a Ray cluster of two workers: the same library as one process makes, whatever dies."""

import os
import signal
import sqlite3
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.distribute import jobs
from tests.pipeline.test_openings import Knowing
from treatise.core.errors import EngineError, SettingsError, SourceError
from treatise.distribute import WorkerFailedError, index_on_ray
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.openings import Openings
from treatise.pipeline.reports import IndexReport, Outcome
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore
from treatise.store.stored import StoredDocument
from treatise.testing import HashingEncoder

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray leaves sockets open

SYSTEM = System(recipe_named("treatise"), jobs.open_engines())
Results = dict[str, IndexReport | SourceError]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray", reason="needs the extra ray")
    from treatise.distribute.driver import _options

    root = Path(__file__).parents[2]
    before = os.environ.get("PYTHONPATH")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = _options("local:2")
        os.environ["PYTHONPATH"] += f"{os.pathsep}{root}"
        ray.init(**options, object_store_memory=100 << 20)
        yield
        ray.shutdown()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "texts"
    found.mkdir()
    for number in range(20):
        lines = " ".join(f"Sentence {n} of text {number} speaks of rain and tea." for n in range(30 + number))
        (found / f"{number:02}.txt").write_text(f"Title {number}\n\n{lines}\n")
    return found


def index(path: Path, folder: Path, **options: object) -> Results:
    sources = [str(file) for file in sorted(folder.glob("*.txt"))]
    system = options.pop("system", SYSTEM)
    assert isinstance(system, System)
    with Library(SqliteStore(path), system) as library:
        opener = options.pop("open_engines", jobs.open_engines)
        return dict(index_on_ray(library, sources, open_engines=opener, read=jobs.read, **options))  # type: ignore[arg-type]


def rows(path: Path) -> list[StoredDocument]:
    with SqliteStore(path) as store:
        found = list(store.stored())
    for one in found:
        del one.row["indexed_at"]
    return found


def calls(path: Path) -> list[tuple[object, ...]]:
    """What is kept beside documents: openings, among others."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM calls ORDER BY 1").fetchall()


def by_one_process(folder: Path, path: Path, system: System = SYSTEM) -> list[StoredDocument]:
    with Library(SqliteStore(path), system) as library:
        for _ in library.index_all([(file, None) for file in sorted(folder.glob("*.txt"))]):
            pass
    return rows(path)


def test_the_library_is_that_of_one_process_and_is_not_made_twice(cluster: None, folder: Path, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    found = index(tmp_path / "ray.db", folder, progress=lambda _, done, total: progress.append((done, total)))
    assert [one.outcome for one in found.values() if isinstance(one, IndexReport)] == [Outcome.NEW] * 20
    assert rows(tmp_path / "ray.db") == by_one_process(folder, tmp_path / "one.db")
    assert progress[-1] == (20, 20)
    (folder / "03.txt").write_text("Another text. It is short.")
    again = index(tmp_path / "ray.db", folder)
    outcomes = [one.outcome for one in again.values() if isinstance(one, IndexReport)]
    assert (outcomes.count(Outcome.UNCHANGED), outcomes.count(Outcome.UPDATED)) == (19, 1)


def with_openings(name: str, encoder: Knowing) -> System:
    """``name`` is another one in each test: workers keep the engines of a job for later ones."""
    return System(SYSTEM.recipe, replace(SYSTEM.engines, openings=Openings(name, lambda: encoder)))


def by_one_process_with_openings(folder: Path, tmp_path: Path, name: str) -> tuple[list[StoredDocument], list[object]]:
    """The library and its openings; in ``ray.db``, as there, some texts that were indexed without."""
    (folder / "07.txt").write_text("Der Hafen der Stadt ist alt. Er wird erwähnt, und die Schiffe sind auch nicht neu.")
    for file in ("ray.db", "one.db"):
        with Library(SqliteStore(tmp_path / file), SYSTEM) as library:
            library.add("An older text has no opening. It is of rain.", "old.txt")
            for number in (2, 3, 7):
                library.index(folder / f"{number:02}.txt")
    found = by_one_process(folder, tmp_path / "one.db", with_openings(name, encoder := Knowing(96)))
    assert encoder.n_read == 19  # not that in German
    assert len(calls(tmp_path / "one.db")) == 20
    return found, calls(tmp_path / "one.db")


def test_openings_are_read_by_the_workers(cluster: None, folder: Path, tmp_path: Path) -> None:
    whole = by_one_process_with_openings(folder, tmp_path, "knowing")
    progress: list[tuple[str, int, int]] = []
    index(
        tmp_path / "ray.db",
        folder,
        system=with_openings("knowing", encoder := Knowing(96)),
        open_engines=jobs.open_with_openings,
        progress=lambda *now: progress.append(now),
    )
    assert encoder.n_read == 0
    assert (rows(tmp_path / "ray.db"), calls(tmp_path / "ray.db")) == whole
    assert progress[-5:] == [("read openings", done, 20) for done in (4, 8, 12, 16, 20)]


def test_openings_are_read_by_the_driver_if_the_workers_have_no_encoder_of_them(
    cluster: None, folder: Path, tmp_path: Path
) -> None:
    whole = by_one_process_with_openings(folder, tmp_path, "absent")
    index(tmp_path / "ray.db", folder, system=with_openings("absent", encoder := Knowing(96)))
    assert encoder.n_read == 19
    assert (rows(tmp_path / "ray.db"), calls(tmp_path / "ray.db")) == whole


def test_openings_that_kill_their_worker_are_read_by_the_driver(cluster: None, folder: Path, tmp_path: Path) -> None:
    whole = by_one_process_with_openings(folder, tmp_path, "dying")
    system = with_openings("dying", encoder := Knowing(96))
    index(tmp_path / "ray.db", folder, system=system, open_engines=jobs.open_dying)
    assert encoder.n_read == 4  # those that were handed to the worker together
    assert (rows(tmp_path / "ray.db"), calls(tmp_path / "ray.db")) == whole


def test_workers_with_another_encoder_of_openings_are_refused(cluster: None, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="would read openings by knowing, the job wants another"):
        index(
            tmp_path / "ray.db",
            folder,
            system=with_openings("another", Knowing(96)),
            open_engines=jobs.open_with_openings,
        )


def test_documents_that_kill_their_worker_or_fail_are_listed_and_the_others_done(
    cluster: None, folder: Path, tmp_path: Path
) -> None:
    whole = by_one_process(folder, tmp_path / "one.db")
    (folder / "02x.txt").write_text("KILL the worker.")
    (folder / "05x.txt").write_text("RAISE an error.")
    (folder / "07x.txt").write_text("   ")
    found = index(tmp_path / "ray.db", folder)
    failed = {Path(source).name: error for source, error in found.items() if isinstance(error, SourceError)}
    assert sorted(failed) == ["02x.txt", "05x.txt", "07x.txt"]
    assert isinstance(failed["02x.txt"], WorkerFailedError)
    assert "worker died 4 times" in str(failed["02x.txt"])
    assert "ZeroDivisionError: a fault of the reader" in str(failed["05x.txt"])
    assert rows(tmp_path / "ray.db") == whole


def test_workers_killed_again_and_again_change_nothing(cluster: None, folder: Path, tmp_path: Path) -> None:
    import psutil

    for file in sorted(folder.glob("*.txt"))[10:]:
        file.unlink()
    for file in folder.glob("*.txt"):
        file.write_text(f"{file.read_text()}\nSLOW{' and ONCE' if file.stem in ('04', '07') else ''}.\n")
    n_killed, is_over = 0, False

    def kill() -> None:
        nonlocal n_killed
        while not is_over and n_killed < 3:
            time.sleep(0.4)
            for process in psutil.process_iter(["name", "cmdline"]):
                if is_ours(process):
                    os.kill(process.pid, signal.SIGKILL)
                    n_killed += 1
                    break

    def is_ours(process: psutil.Process) -> bool:
        with_name = " ".join(process.info["cmdline"] or [])
        mine = psutil.Process().children(recursive=True)
        return "ray::run_task" in with_name and process.pid in {one.pid for one in mine}

    killer = threading.Thread(target=kill)
    killer.start()
    found = index(tmp_path / "ray.db", folder)
    is_over = True
    killer.join()
    assert n_killed
    done = [one for one in found.values() if isinstance(one, IndexReport)]
    assert len(done) + len([one for one in found.values() if isinstance(one, WorkerFailedError)]) == 10
    again = index(tmp_path / "ray.db", folder)
    assert all(isinstance(one, IndexReport) for one in again.values())
    kept = {one.id: one for one in rows(tmp_path / "ray.db")}
    assert kept == {one.id: one for one in by_one_process(folder, tmp_path / "one.db")}


def test_workers_with_other_models_are_refused(cluster: None, folder: Path, tmp_path: Path) -> None:
    mine = System(SYSTEM.recipe, Engines(HashingEncoder(64)))
    with pytest.raises(EngineError, match="install the same"):
        index(tmp_path / "ray.db", folder, system=mine, open_engines=jobs.open_others)
    assert rows(tmp_path / "ray.db") == []


def test_an_address_that_is_none_is_refused(folder: Path, tmp_path: Path) -> None:
    from treatise.distribute.driver import _options

    with pytest.raises(SettingsError, match="number of workers"):
        _options("local:none")
