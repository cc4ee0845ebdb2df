"""A library while other processes remove and change its documents, damage it, or withhold permission to write."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from treatise.core.errors import DocumentNotFoundError, SourceError, StoreDamagedError, StoreUnwritableError
from treatise.core.ports import Entry, Progress, Store
from treatise.core.recipe import Recipe
from treatise.core.vectors import Floats
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import FLAT_SENTENCE
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder, ScriptedModel

QUESTION = "When was the bridge built?"
TEXT = b"The bridge was built in 1902 by Hill.\n\nThe mill stands by the river and grinds corn."
OTHER = b"The bridge was built in 1885 by Hill.\n\nBread needs flour, water and yeast."


class Interrupted(HashingEncoder):
    """An encoder during whose first call another process acts."""

    def __init__(self, act: Callable[[], object]) -> None:
        super().__init__(32)
        self._acts = [act]

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        while self._acts:
            self._acts.pop()()
        return super().encode(texts, progress)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "treatise.db"


def library_over(store: Store, encoder: HashingEncoder | None = None, recipe: Recipe = FLAT_SENTENCE) -> Library:
    return Library(store, System(recipe, Engines(encoder or HashingEncoder(64))))


def filled(path: Path) -> str:
    with SqliteStore(path) as store:
        return library_over(store).index("/a.txt", data=TEXT).document


def test_a_document_removed_while_a_question_encodes_it_does_not_come_back(path: Path) -> None:
    id_ = filled(path)
    with SqliteStore(path) as store, SqliteStore(path) as other:
        library = library_over(store, Interrupted(lambda: other.remove(id_)))
        with pytest.raises(SourceError, match="removed"):
            library.search(QUESTION)
        with pytest.raises(DocumentNotFoundError):
            library.search(QUESTION, documents=[id_])
        assert store.entries() == []


def test_a_source_updated_while_a_question_encodes_it_stays_updated(path: Path) -> None:
    filled(path)
    with SqliteStore(path) as store, SqliteStore(path) as other:
        update = lambda: library_over(other).index("/a.txt", data=OTHER)  # noqa: E731
        with pytest.raises(SourceError, match="removed"):
            library_over(store, Interrupted(update)).search(QUESTION)
        (entry,) = store.entries()
        assert entry.sources == ("/a.txt",)
        assert store.document(entry.id).text == OTHER.decode()


def test_a_document_removed_between_listing_and_loading_is_skipped(path: Path) -> None:
    class Stale(SqliteStore):
        def sizes(self, index_key: str) -> dict[str, int]:
            found = super().sizes(index_key)
            if len(found) > 1:
                super().remove(next(iter(found)))
            return found

    filled(path)
    with Stale(path) as store:
        kept = library_over(store).index("/b.txt", data=OTHER).document
        evidence = library_over(store).search(QUESTION)
        assert {passage.document for passage in evidence.passages} == {kept}


def test_a_document_removed_after_loading_is_still_cited(path: Path) -> None:
    id_ = filled(path)
    with SqliteStore(path) as store, SqliteStore(path) as other:
        library = library_over(store)
        evidence = library.search(QUESTION)
        other.remove(id_)
        assert library.document(evidence.passages[0].document).text == TEXT.decode()
        library.index("/b.txt", data=OTHER)
        library.remove(library.documents()[0].id)
        with pytest.raises(DocumentNotFoundError):
            library.document("0" * 12)


def test_a_damaged_index_is_made_again_and_the_answer_is_the_same(path: Path) -> None:
    id_ = filled(path)
    with SqliteStore(path) as store:
        sound = library_over(store).search(QUESTION)
    connection = sqlite3.connect(path, isolation_level=None)
    ((vectors,),) = connection.execute("SELECT rows FROM vectors").fetchall()
    connection.execute("UPDATE vectors SET rows = ?", (bytes([vectors[0] ^ 0x40]) + vectors[1:],))
    connection.close()
    with SqliteStore(path) as store:
        library = library_over(store)
        with pytest.raises(StoreDamagedError, match="checksum"):
            store.get(id_, library.system.index_key)
        assert library.search(QUESTION) == sound
        assert store.get(id_, library.system.index_key) is not None


def test_a_damaged_document_is_mended_by_indexing_its_source_again(path: Path) -> None:
    id_ = filled(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE documents SET text = x'00'")
    connection.close()
    with SqliteStore(path) as store:
        library = library_over(store)
        with pytest.raises(StoreDamagedError, match="index its source again"):
            library.search(QUESTION)
        assert library.index("/a.txt", data=TEXT).document == id_
        assert library.search(QUESTION).passages


def test_a_read_only_library_answers_and_keeps_nothing(path: Path) -> None:
    filled(path)
    before = path.read_bytes()
    with SqliteStore(path, read_only=True) as store:
        quoted = library_over(store).ask(QUESTION)
        other = Library(store, System(FLAT_SENTENCE, Engines(HashingEncoder(16))))  # needs another index
        assert other.search(QUESTION).passages
        model = ScriptedModel(["It was built in 1902 [1]."])
        written = Library(store, System(FLAT_SENTENCE, Engines(HashingEncoder(64), model=model))).ask(QUESTION)
        with pytest.raises(StoreUnwritableError):
            library_over(store).index("/b.txt", data=OTHER)
    assert quoted.citations
    assert written.text.startswith("It was built in 1902")
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_documents_removed_while_others_are_indexed_for_a_question_are_skipped(path: Path) -> None:
    with SqliteStore(path) as store, SqliteStore(path) as other:
        plain = library_over(store)
        for number in range(30):
            plain.index(f"/{number}.txt", data=f"The bridge of number {number} was built in {1800 + number}.".encode())
        gone = store.entries()[-1].id
        asked = library_over(store, Interrupted(lambda: other.remove(gone)))
        assert asked.search(QUESTION).passages
        assert len(store.entries()) == 29


class _Listed(SqliteStore):
    """A store during whose first listing of entries another process acts."""

    act: Callable[[], object] | None = None

    def entries(self) -> list[Entry]:
        found = super().entries()
        act, self.act = self.act, None
        if act:
            act()
        return found


def test_a_document_added_while_its_metadata_is_set_has_it(path: Path) -> None:
    filled(path)
    with _Listed(path) as store, SqliteStore(path) as other:
        report = library_over(other).index("/b.txt", data=OTHER)
        other.remove(report.document)
        store.act = lambda: library_over(other).index("/b.txt", data=OTHER)
        assert library_over(store).tag(report.document, year=1885).metadata["year"] == ("1885",)


def test_a_document_removed_while_a_filter_is_read_is_no_error_of_the_question(path: Path) -> None:
    class Listed(SqliteStore):
        act: Callable[[], object] | None = None

        def entries(self) -> list[Entry]:
            if self.act:
                self.act()
            return super().entries()

    id_ = filled(path)
    with Listed(path) as store, SqliteStore(path) as other:
        kept = library_over(store).index("/b.txt", data=OTHER).document
        store.act = lambda: id_ in other.sizes("") and other.remove(id_)
        evidence = library_over(store).search(QUESTION, where="language = en")
        assert {passage.document for passage in evidence.passages} == {kept}


def test_an_answer_has_the_documents_that_it_cites_though_the_library_lost_them(path: Path) -> None:
    id_ = filled(path)
    with SqliteStore(path) as store:
        library = library_over(store)
        answer = library.ask(QUESTION)
        library.remove(id_)
        assert answer.evidence.documents[id_].text == TEXT.decode()
