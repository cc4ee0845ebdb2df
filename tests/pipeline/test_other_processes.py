"""A library while other processes remove and change its documents, damage it, or withhold permission to write."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from treatise.core.errors import DocumentNotFoundError, SourceError, StoreDamagedError, StoreUnwritableError
from treatise.core.ports import Progress, Store
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
