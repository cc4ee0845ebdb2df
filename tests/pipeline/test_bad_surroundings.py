"""What happens around a large library: its side file goes away, another encoder comes, clocks disagree."""

import os
from pathlib import Path

import pytest

from tests.builders import indexed_documents
from treatise.core.ports import SourceState
from treatise.pipeline.candidates import Candidates
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.reports import IndexReport, Outcome
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder

SYSTEM = System(recipe_named("treatise"), Engines(encoder=HashingEncoder(96)))
DOCUMENTS = indexed_documents(14)
QUESTION = "At which temperature does water in the kettle boil under pressure?"
DAY = 86_400


@pytest.fixture(autouse=True)
def is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Candidates.__init__, "__kwdefaults__", {"max_nodes": 0, "n_documents": 8})


def put(store: SqliteStore, number: int) -> None:
    state = SourceState(f"/{number}", 1, 1, "0" * 64)
    store.put(DOCUMENTS[number], index_key=SYSTEM.index_key, state=state)


def found_in(library: Library) -> list[tuple[str, str]]:
    return [(one.document, one.text) for one in library.search(QUESTION, max_words=60).passages]


@pytest.mark.skipif(os.name != "posix", reason="a mapped file cannot be removed there")
def test_a_side_file_that_goes_away_half_way_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with SqliteStore(path) as writer, Library(SqliteStore(path), SYSTEM) as reader:
        for number in range(12):
            put(writer, number)
        found_in(reader)
        (side,) = tmp_path.glob("*.corpus")
        whole = side.read_bytes()
        side.unlink()
        put(writer, 12)
        assert found_in(reader)
        with Library(SqliteStore(path), SYSTEM) as other:
            assert found_in(other) == found_in(reader)
        writer.remove(DOCUMENTS[12].document.id)
        side.write_bytes(whole)  # an old one comes back, as from a backup
        with Library(SqliteStore(path), SYSTEM) as other:
            assert found_in(other) == found_in(reader)


def test_another_encoder_has_a_side_file_of_its_own(tmp_path: Path) -> None:
    path, other = tmp_path / "a.db", System(SYSTEM.recipe, Engines(encoder=HashingEncoder(32)))
    with Library(SqliteStore(path), SYSTEM) as library:
        for number in range(12):
            put(library.store, number)  # type: ignore[arg-type]
        before = found_in(library)
        (side,) = tmp_path.glob("*.corpus")
        (tmp_path / f"{path.name}-{other.index_key[:16]}.corpus").write_bytes(side.read_bytes())
        with Library(SqliteStore(path), other) as stranger:
            assert found_in(stranger)
        assert found_in(library) == before
    assert len(list(tmp_path.glob("*.corpus"))) == 2


def test_clocks_that_disagree_change_neither_order_nor_what_is_current(tmp_path: Path) -> None:
    path, file = tmp_path / "a.db", tmp_path / "tea.txt"
    file.write_text("Tea is drunk slowly.", encoding="utf-8")
    for clock in (5 * DAY, -DAY, 2 * DAY):
        with Library(SqliteStore(path, clock=lambda clock=clock: clock), SYSTEM) as library:
            put(library.store, clock // DAY + 1)  # type: ignore[arg-type]
            library.index(file)
    with Library(SqliteStore(path), SYSTEM) as library:
        expected = [DOCUMENTS[6].document.id, library.store.state(str(file))[0]]  # type: ignore[index]
        expected += [DOCUMENTS[number].document.id for number in (0, 3)]
        assert [entry.id for entry in library.documents()] == expected
        assert outcome(library, file) is Outcome.UNCHANGED
        os.utime(file, (4_000_000_000, 4_000_000_000))  # another machine dates it to the year 2096
        assert outcome(library, file) is Outcome.UNCHANGED
        file.write_text("Tea is drunk quickly.", encoding="utf-8")
        os.utime(file, (0, 0))
        assert outcome(library, file) is Outcome.UPDATED


def outcome(library: Library, file: Path) -> Outcome:
    report = library.index(file)
    assert isinstance(report, IndexReport)
    return report.outcome
