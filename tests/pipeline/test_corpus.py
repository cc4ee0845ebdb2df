"""Libraries that are too large for a full scan: candidates first, then their trees."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.builders import indexed_documents
from treatise.core.errors import EmptyLibraryError, QuestionError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import SourceState
from treatise.pipeline import candidates
from treatise.pipeline.candidates import Candidates, side_file
from treatise.pipeline.corpus import CorpusIndex
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import recipe_named
from treatise.store import SqliteStore
from treatise.store.corpus_file import Arrays, CorpusFile
from treatise.testing import HashingEncoder

N_DOCUMENTS = 40
QUESTION = "At which temperature does water in the kettle boil under pressure?"

SYSTEM = System(recipe_named("treatise"), Engines(encoder=HashingEncoder(96)))
DOCUMENTS = indexed_documents(N_DOCUMENTS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with SqliteStore(tmp_path / "a.db") as store:
        for number in range(N_DOCUMENTS):
            add(store, number)
    return tmp_path / "a.db"


@pytest.fixture
def side(path: Path) -> Path:
    with SqliteStore(path) as store:
        found = side_file(store, SYSTEM.index_key)
        assert found is not None
        return found


@pytest.fixture(autouse=True)
def is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Candidates.__init__, "__kwdefaults__", {"max_nodes": 0, "n_documents": 8})


def add(store: SqliteStore, number: int) -> str:
    indexed = DOCUMENTS[number]
    store.put(indexed, index_key=SYSTEM.index_key, state=SourceState(f"/{number}", 1, 1, "0" * 64))
    return indexed.document.id


def opened(path: Path, *, read_only: bool = False) -> Library:
    return Library(SqliteStore(path, read_only=read_only), SYSTEM)


def found_in(path: Path, *, read_only: bool = False) -> list[tuple[str, str]]:
    library = opened(path, read_only=read_only)
    passages = library.search(QUESTION, max_words=60).passages
    library.close()
    return [(passage.document, passage.text) for passage in passages]


def test_two_stages_find_what_a_full_scan_finds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = ["water rain sea?", "stone iron sea?", "music paper sea?"]
    library = opened(path)
    two_stages = [library.search(question, max_words=40) for question in questions]
    library.close()
    monkeypatch.setattr(Candidates.__init__, "__kwdefaults__", {"max_nodes": 10**9, "n_documents": 8})
    library = opened(path)
    for question, evidence in zip(questions, two_stages, strict=True):
        whole = library.search(question, max_words=40)
        assert [p.text for p in evidence.passages] == [p.text for p in whole.passages]
        assert [p.score for p in evidence.passages] == pytest.approx([p.score for p in whole.passages], abs=0.02)
        assert evidence.confidence == pytest.approx(whole.confidence, abs=0.02)
    library.close()


def test_a_small_library_is_scanned_whole_and_has_no_side_file(
    path: Path, side: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Candidates.__init__, "__kwdefaults__", {"max_nodes": 10**9, "n_documents": 8})
    assert found_in(path)
    assert not side.exists()


def test_a_filter_works_inside_the_search(path: Path) -> None:
    library = opened(path)
    everywhere = library.search(QUESTION, max_words=60)
    best = everywhere.passages[0].document
    others = [one.document.id for one in DOCUMENTS if one.document.id != best]
    elsewhere = library.search(QUESTION, where=f"id != '{best}'", max_words=60)
    assert elsewhere.passages
    assert best not in {passage.document for passage in elsewhere.passages}
    named = library.search(QUESTION, documents=others[:20], max_words=60)
    assert {passage.document for passage in named.passages} <= set(others[:20])
    library.close()


def test_documents_come_and_go_while_a_reader_reads(path: Path, side: Path) -> None:
    writer, reader = opened(path), opened(path)
    best = reader.search(QUESTION, max_words=60).passages[0].document
    number = next(number for number, one in enumerate(DOCUMENTS) if one.document.id == best)
    size = side.stat().st_size
    writer.remove(best)
    assert best not in {passage.document for passage in reader.search(QUESTION, max_words=60).passages}
    add(writer.store, number)  # type: ignore[arg-type]
    assert reader.search(QUESTION, max_words=60).passages[0].document == best
    assert 0 < side.stat().st_size - size < size / 4  # appended, not made again
    writer.close()
    reader.close()


def test_many_changes_are_merged(path: Path, side: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treatise.pipeline.corpus.MAX_SEGMENTS", 4)
    expected = found_in(path)
    library = opened(path)
    for number in range(12):
        library.remove(DOCUMENTS[number].document.id)
        library.search(QUESTION)
        add(library.store, number)  # type: ignore[arg-type]
        library.search(QUESTION)
    library.close()
    assert sorted(found_in(path)) == sorted(expected)
    assert not list(side.parent.glob("*.part"))


def test_appended_leaves_are_merged_and_coded_when_they_are_many(
    path: Path, side: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = found_in(path)
    monkeypatch.setattr("treatise.pipeline.corpus.MAX_UNCODED", sum(len(one.units) for one in DOCUMENTS[:3]))
    monkeypatch.setattr("treatise.retrieve.segments.MIN_CODED", 1)
    library = opened(path)
    for number in range(8):
        library.remove(DOCUMENTS[number].document.id)
        library.search(QUESTION)
        add(library.store, number)  # type: ignore[arg-type]
        library.search(QUESTION)
    library.close()
    blocks = CorpusFile.open(side, SYSTEM.index_key).blocks
    n_uncoded = sum(len(one["vectors"]) for one in blocks if "codes" in one and not one["codes"].size)
    assert 0 < n_uncoded <= sum(len(one.units) for one in DOCUMENTS[:3])
    assert any(one["codes"].size for one in blocks if "codes" in one)
    assert sorted(found_in(path)) == sorted(expected)


@pytest.mark.parametrize("damage", ["missing", "cut", "empty", "noise", "foreign", "version"])
def test_an_unusable_side_file_is_made_again(
    path: Path, side: Path, damage: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = found_in(path)
    whole = side.read_bytes()
    library = path.read_bytes()
    contents = {"cut": whole[: len(whole) // 2], "empty": b"", "noise": os.urandom(5_000), "foreign": whole}
    if damage == "missing":
        side.unlink()
    elif damage == "version":
        monkeypatch.setattr("treatise.store.corpus_file.VERSION", 1_000)
    else:
        side.write_bytes(contents[damage])
    if damage == "foreign":
        content = bytearray(whole)
        monkeypatch.setattr("treatise.store.corpus_file._short", lambda key: b"other")
        side.write_bytes(content)
    with caplog.at_level(logging.WARNING, "treatise"):
        assert found_in(path) == expected
    assert path.read_bytes() == library
    assert (damage == "missing") == (not caplog.records)
    caplog.clear()
    assert found_in(path) == expected
    assert not caplog.records


def test_a_full_disk_leaves_library_and_answers_as_they_are(
    path: Path, side: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = found_in(path)
    side.unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("treatise.store.corpus_file._write_block", full)
    assert found_in(path) == expected
    (said,) = (record.getMessage() for record in caplog.records)
    assert said.startswith(f"{side} cannot be written (No space left on device): ")
    assert list(path.parent.glob("*corpus*")) == []


def test_a_read_only_library_is_searched_without_writing(path: Path, side: Path) -> None:
    expected = found_in(path, read_only=True)
    assert not side.exists()
    assert found_in(path) == expected
    before = side.read_bytes()
    assert found_in(path, read_only=True) == expected
    assert side.read_bytes() == before


def test_a_read_only_library_counts_each_document_once_if_its_side_file_is_of_an_earlier_state(
    path: Path, side: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treatise.pipeline.corpus._TOGETHER", 4)
    library = opened(path)
    for number in range(20):
        library.remove(DOCUMENTS[number].document.id)
    library.search(QUESTION)
    for number in range(20):
        add(library.store, number)  # type: ignore[arg-type]
    library.close()
    before = side.read_bytes()
    library = opened(path, read_only=True)
    index = library._indexer.candidates.index
    assert isinstance(index, CorpusIndex)
    corpus = index.current()
    assert side.read_bytes() == before
    assert corpus.n_rows == sum(len(one.units) for one in DOCUMENTS)
    library.close()


def test_a_side_file_that_is_cut_between_two_questions_is_made_again(
    path: Path, side: Path, caplog: pytest.LogCaptureFixture
) -> None:
    library = opened(path)
    expected = library.search(QUESTION, max_words=60)
    with side.open("r+b") as file:
        file.truncate(2_000)
    assert library.search(QUESTION, max_words=60) == expected  # what is mapped beyond the end would kill the process
    assert "is cut" in caplog.text
    caplog.clear()
    assert library.search(QUESTION, max_words=60) == expected
    assert not caplog.records
    library.close()


def test_two_processes_that_follow_a_change_at_the_same_time_do_not_complain(
    path: Path, side: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, other = opened(path), opened(path)
    library.search(QUESTION)
    other.search(QUESTION)
    append = CorpusFile.append
    turns = iter((True, False, False))

    def late(file: CorpusFile, arrays: Arrays) -> CorpusFile:
        if next(turns):
            other.search(QUESTION)
        return append(file, arrays)

    monkeypatch.setattr(CorpusFile, "append", late)
    library.remove(DOCUMENTS[3].document.id)
    expected = library.search(QUESTION, max_words=60)
    assert expected == other.search(QUESTION, max_words=60)
    assert not caplog.records
    library.close()
    other.close()


def test_the_recall_of_candidates_needs_questions_and_documents(path: Path, tmp_path: Path) -> None:
    library = opened(path)
    found = library.candidate_recall([QUESTION], max_words=40)
    assert (found.n_questions, found.as_good) == (1, 1.0)
    nothing: tuple[Sequence[str], ...] = ((), "water")
    for questions in nothing:
        with pytest.raises(QuestionError, match="give a list of one question or more"):
            library.candidate_recall(questions)
    library.close()
    empty = opened(tmp_path / "empty.db")
    with pytest.raises(EmptyLibraryError, match="there is no document to ask"):
        empty.candidate_recall([QUESTION])
    empty.close()


def test_equal_libraries_have_equal_side_files(path: Path, side: Path) -> None:
    found_in(path)
    first = side.read_bytes()
    side.unlink()
    found_in(path)
    assert side.read_bytes() == first


def test_documents_of_another_recipe_are_indexed_before_the_search(path: Path) -> None:
    library = opened(path).with_recipe(recipe_named("flat-sentence"))
    assert library.search(QUESTION, max_words=60).passages
    assert all(library.store.sizes(library.system.index_key).values())
    library.close()


def test_the_defaults_suit_small_libraries() -> None:
    assert candidates.MAX_FULL_SCAN_NODES >= 10_000


def test_documents_removed_while_the_index_is_made_are_left_out(path: Path) -> None:
    class Shrinking(SqliteStore):
        def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
            if document_id == gone and gone in super().sizes(""):
                super().remove(gone)
            return super().get(document_id, index_key)

    with Shrinking(path) as store:
        gone = [*store.sizes("")][5]
        assert Library(store, SYSTEM).search(QUESTION).passages
        assert len(store.entries()) == N_DOCUMENTS - 1


def test_a_side_file_with_a_flipped_bit_is_made_again(path: Path, side: Path, caplog: pytest.LogCaptureFixture) -> None:
    expected = found_in(path)
    whole = side.read_bytes()
    for at in range(1100, len(whole), len(whole) // 25):
        side.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        caplog.clear()
        with caplog.at_level(logging.WARNING, "treatise"):
            assert found_in(path) == expected
        is_noticed = side.read_bytes() == whole
        assert is_noticed == bool(caplog.records)
        assert is_noticed or whole[at] == 0  # else it is padding


def with_a_damaged_vector(side: Path) -> bytes:
    """Flips a bit of a vector, and returns what was there: no checksum of the whole file tells."""
    whole = side.read_bytes()
    ((vectors, *_),) = ([block["vectors"]] for block in CorpusFile.open(side, SYSTEM.index_key).blocks)
    at = whole.index(vectors.tobytes()) + vectors.nbytes // 2
    side.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
    assert CorpusFile.open(side, SYSTEM.index_key).blocks
    return whole


def test_a_damaged_vector_is_noticed_by_a_reader_that_may_not_write(
    path: Path, side: Path, caplog: pytest.LogCaptureFixture
) -> None:
    expected = found_in(path)
    with_a_damaged_vector(side)
    damaged = side.read_bytes()
    library = opened(path, read_only=True)
    for _ in range(2):
        found = library.search(QUESTION, max_words=60).passages
        assert [(passage.document, passage.text) for passage in found] == expected
    library.close()
    assert len(caplog.records) == 1
    assert "is made again" in caplog.text
    assert side.read_bytes() == damaged


def test_a_damaged_vector_is_noticed_when_segments_are_merged(
    path: Path, side: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    expected = found_in(path)
    whole = with_a_damaged_vector(side)
    monkeypatch.setattr("treatise.pipeline.corpus.MAX_SEGMENTS", 0)
    monkeypatch.setattr("treatise.retrieve.segments.MIN_CODED", 1)
    library = opened(path)
    library.prepare()
    assert "is made again" in caplog.text
    library.close()
    assert side.read_bytes() != whole  # it has codes now
    assert found_in(path) == expected


def test_a_side_file_with_pages_that_never_reached_the_disk_is_made_again(path: Path, side: Path) -> None:
    """What a power cut leaves of a file whose header was written and whose arrays were not."""
    expected = found_in(path)
    whole = side.read_bytes()
    for at in range(4096, len(whole), 4096):
        lost = bytes(min(4096, len(whole) - at))
        side.write_bytes(whole[:at] + lost + whole[at + len(lost) :])
        assert found_in(path) == expected
        assert side.read_bytes() == whole or whole[at : at + len(lost)] == lost
    side.write_bytes(whole[:1024] + bytes(len(whole) - 1024))
    assert found_in(path) == expected
    assert side.read_bytes() == whole
