"""The index over all documents at a PostgreSQL server: it finds what the file beside a SQLite library finds."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.builders import indexed_documents
from tests.servers import new_library, psql
from treatise.compose import open_store
from treatise.core.corpus import OpeningCosines, Scale
from treatise.core.ports import SourceState, Store
from treatise.pipeline.candidates import Candidates
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.server_corpus import ServerCorpusIndex
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.retrieve.corpus import CorpusQuery
from treatise.retrieve.server_corpus import ServerCorpus
from treatise.store import SqliteStore
from treatise.store.copy import copy_library
from treatise.testing import HashingEncoder

QUESTIONS = ["water rain sea?", "stone iron sea?", "At which temperature does water in the kettle boil?"]
SYSTEM = System(recipe_named("treatise"), Engines(encoder=HashingEncoder(96)))
DOCUMENTS = indexed_documents(40)


@pytest.fixture(scope="module")
def filled(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The same library twice."""
    path, url = tmp_path_factory.mktemp("library") / "a.db", new_library(postgres)
    with SqliteStore(path) as here:
        for number in range(len(DOCUMENTS)):
            add(here, number)
        there = open_store(url)
        copy_library(here, there)  # type: ignore[arg-type]  # a Store that is Copyable
        there.close()
    return path, url


@pytest.fixture(autouse=True)
def is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Candidates.__init__, "__kwdefaults__", {"max_nodes": 0, "n_documents": 8})


def add(store: Store, number: int) -> str:
    indexed = DOCUMENTS[number]
    store.put(indexed, index_key=SYSTEM.index_key, state=SourceState(f"/{number}", 1, 1, "0" * 64))
    return indexed.document.id


def found_in(library: Library, question: str, where: str = "") -> list[tuple[str, str]]:
    return [(one.document, one.text) for one in library.search(question, max_words=60, where=where).passages]


def test_it_finds_what_the_file_beside_a_library_finds(filled: tuple[Path, str]) -> None:
    path, url = filled
    with Library(SqliteStore(path), SYSTEM) as here, Library(open_store(url), SYSTEM) as there:
        for question in QUESTIONS:
            assert found_in(there, question) == found_in(here, question)
            vector = SYSTEM.engines.encoder.encode_questions([question])[0]
            mine, other = (
                library._indexer.candidates.index.find(
                    CorpusQuery(question, vector, SYSTEM.recipe.scoring, n_documents=8)
                )
                for library in (here, there)
            )
            assert other.documents == mine.documents
            assert other.statistics.n_units == mine.statistics.n_units
            assert other.statistics.n_with == mine.statistics.n_with
            assert other.statistics.mean_length == pytest.approx(mine.statistics.mean_length)
            assert other.statistics.bm25.mean == pytest.approx(mine.statistics.bm25.mean, rel=1e-4)
            assert other.statistics.bm25.deviation == pytest.approx(mine.statistics.bm25.deviation, rel=1e-4)
            assert other.statistics.cosines.mean == pytest.approx(mine.statistics.cosines.mean, abs=2e-3)
            assert other.statistics.cosines.deviation == pytest.approx(mine.statistics.cosines.deviation, abs=2e-3)


def test_it_foretells_who_contributes_as_the_file_does(filled: tuple[Path, str]) -> None:
    path, url = filled
    recipe = SYSTEM.recipe
    with Library(SqliteStore(path), SYSTEM) as here, Library(open_store(url), SYSTEM) as there:
        for question in QUESTIONS:
            vector = SYSTEM.engines.encoder.encode_questions([question])[0]
            mine, other = (
                library._indexer.candidates.index.find(
                    CorpusQuery(
                        question, vector, recipe.scoring, n_documents=2, selection=recipe.selection, max_words=120
                    )
                )
                for library in (here, there)
            )
            assert len(other.documents) >= 8, "without a forecast there would be 2"
            assert set(other.documents) == set(mine.documents)  # int8 and half floats may order near ties otherwise
            for id_, gain in mine.statistics.priors.items():
                assert other.statistics.priors[id_] == pytest.approx(gain, abs=0.02)


def test_openings_read_as_texts_count_as_they_do_in_the_file(filled: tuple[Path, str]) -> None:
    path, url = filled
    ids = [one.document.id for one in DOCUMENTS]
    openings = OpeningCosines(dict(zip(ids, np.linspace(-0.2, 0.9, len(ids)).tolist(), strict=True)), Scale(0.2, 0.1))
    vector = SYSTEM.engines.encoder.encode_questions([QUESTIONS[0]])[0]
    query = CorpusQuery(QUESTIONS[0], vector, SYSTEM.recipe.scoring, n_documents=2, openings=openings)
    with Library(SqliteStore(path), SYSTEM) as here, Library(open_store(url), SYSTEM) as there:
        mine, other = (library._indexer.candidates.index.find(query) for library in (here, there))
    assert other.documents == mine.documents
    assert other.statistics.priors == pytest.approx(mine.statistics.priors, abs=1e-3)
    assert other.statistics.openings == mine.statistics.openings == openings


def test_an_index_of_an_earlier_version_is_made_again(postgres_library: str) -> None:
    with open_store(postgres_library) as store:  # type: ignore[attr-defined]  # a PostgresStore
        for number in range(12):
            add(store, number)
        with Library(store, SYSTEM) as library:
            found = found_in(library, QUESTIONS[0])
    schema = postgres_library.rpartition("schema=")[2]
    psql(
        postgres_library,
        f"UPDATE {schema}.library SET version = 2",
        f"ALTER TABLE {schema}.segments_1 DROP COLUMN tree",
    )
    with Library(open_store(postgres_library), SYSTEM) as library:
        assert found_in(library, QUESTIONS[0]) == found
    tables = psql(postgres_library, f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")
    assert ("segments_1",) not in tables
    assert ("segments_2",) in tables


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE {schema}.postings_1",
        "TRUNCATE {schema}.leaves_1",
        "TRUNCATE {schema}.segments_1",
        "DELETE FROM {schema}.leaves_1 WHERE unit > 3",
        "UPDATE {schema}.segments_1 SET headings = '\\x00'",
        "UPDATE {schema}.segments_1 SET tree = '\\x00'",
        "DELETE FROM {schema}.corpora",
    ],
)
def test_a_damaged_index_is_made_again(postgres_library: str, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    with open_store(postgres_library) as store:  # type: ignore[attr-defined]  # a PostgresStore
        for number in range(12):
            add(store, number)
    with (
        Library(open_store(postgres_library), SYSTEM) as reader,
        Library(open_store(postgres_library), SYSTEM) as other,
    ):
        expected = found_in(reader, QUESTIONS[0])
        psql(postgres_library, damage.format(schema=postgres_library.rpartition("schema=")[2]))
        for library in (other, reader):
            assert found_in(library, QUESTIONS[0]) == expected
        assert all("made again; the library is unharmed" in one.getMessage() for one in caplog.records)
        assert other.store.check() == []


def test_a_damaged_index_that_may_not_be_written_is_made_in_memory(postgres_library: str) -> None:
    with open_store(postgres_library) as store:  # type: ignore[attr-defined]  # a PostgresStore
        for number in range(12):
            add(store, number)
        with Library(store, SYSTEM) as library:
            expected = found_in(library, QUESTIONS[0])
    psql(postgres_library, f"TRUNCATE {postgres_library.rpartition('schema=')[2]}.leaves_1")
    with Library(open_store(postgres_library, read_only=True), SYSTEM) as library:
        assert found_in(library, QUESTIONS[0]) == expected


def test_the_approximate_neighbours_are_the_exact_ones_of_a_small_library(filled: tuple[Path, str]) -> None:
    from treatise.store.postgres import PostgresStore

    with PostgresStore(filled[1]) as store:
        Candidates(store, SYSTEM, lambda id_: store.get(id_, SYSTEM.index_key)).index.current()  # type: ignore[arg-type, return-value]
        leaves = store.leaf_index(SYSTEM.index_key)
        vector = DOCUMENTS[3].vectors[0].astype(np.float32)
        near, cosines = leaves.nearest(vector, 20, None)
        exact, best = leaves.exact(vector, 20)
        assert sorted(cosines.tolist()) == pytest.approx(sorted(best.tolist()), abs=1e-3)
        assert len(set(near.tolist()) & set(exact.tolist())) >= 18
        assert leaves.products(vector, near) == pytest.approx(cosines, abs=1e-3)


def test_a_filter_works_inside_the_search(filled: tuple[Path, str]) -> None:
    path, url = filled
    where = "path startswith '/1' and not path = '/1'"
    with Library(SqliteStore(path), SYSTEM) as here, Library(open_store(url), SYSTEM) as there:
        found = found_in(there, QUESTIONS[0], where)
        assert found == found_in(here, QUESTIONS[0], where)
        assert {id_ for id_, _ in found} <= {DOCUMENTS[n].document.id for n in range(10, 20)}


def test_documents_come_and_go_while_others_ask(postgres_library: str) -> None:
    reader = Library(open_store(postgres_library), SYSTEM)
    writer = open_store(postgres_library)
    for number in range(12):
        add(writer, number)
    first = found_in(reader, QUESTIONS[0])
    index = reader._indexer.candidates.index
    assert isinstance(index, ServerCorpusIndex)
    writer.remove(first[0][0])
    assert first[0][0] not in {id_ for id_, _ in found_in(reader, QUESTIONS[0])}
    added = add(writer, 20)
    current = index.current()
    assert isinstance(current, ServerCorpus)
    assert (added in current.ids, len(current.ids)) == (True, 12)
    assert reader._indexer.candidates.index.current() is current, "an index without changes is read again"
    for library in (reader, writer):
        library.close()


def test_processes_that_make_the_index_at_the_same_time_make_it_once(postgres_library: str) -> None:
    with open_store(postgres_library) as store:  # type: ignore[attr-defined]  # a PostgresStore
        for number in range(12):
            add(store, number)

    def ask(_: int) -> list[tuple[str, str]]:
        with Library(open_store(postgres_library), SYSTEM) as library:
            return found_in(library, QUESTIONS[1])

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert found[0]
    assert found == [found[0]] * 4
    name = postgres_library.rpartition("schema=")[2]
    assert psql(postgres_library, f"SELECT count(*) FROM {name}.segments_1") == [(12,)]


def test_a_read_only_library_without_index_is_searched_in_memory(postgres_library: str) -> None:
    with open_store(postgres_library) as store:  # type: ignore[attr-defined]  # a PostgresStore
        for number in range(12):
            add(store, number)
    with Library(open_store(postgres_library, read_only=True), SYSTEM) as library:
        in_memory = found_in(library, QUESTIONS[0])
    with Library(open_store(postgres_library), SYSTEM) as library:
        assert found_in(library, QUESTIONS[0]) == in_memory
    with Library(open_store(postgres_library, read_only=True), SYSTEM) as library:
        assert isinstance(library._indexer.candidates.index.current(), ServerCorpus)
