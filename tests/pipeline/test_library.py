"""What Python programs do with a library: texts, updates, events, tasks."""

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import treatise
from treatise.core.answer import Answer, Statement
from treatise.core.errors import EmptySourceError, QuestionError
from treatise.core.evidence import Evidence
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import TREATISE
from treatise.records import answer_record
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder

TEA = "Water boils at 100 degrees. Keep the leaves dry."
QUESTION = "When does water boil?"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A library with a text that came from no file."""
    with treatise.open_library(store=tmp_path / "library.db") as opened:
        opened.add(TEA)
        yield opened


def test_a_library_is_closed_at_the_end_of_its_block(tmp_path: Path) -> None:
    with treatise.open_library(store=tmp_path / "other.db") as library:
        library.add(TEA)
    with pytest.raises(treatise.TreatiseError):
        library.documents()


def test_a_text_of_the_same_name_replaces_the_earlier_one(library: Library) -> None:
    library.add("# Tea\n\nIt is steeped.", "notes.md")
    library.add("# Coffee\n\nIt is filtered.", "notes.md")
    assert [entry.title for entry in library.documents()][1:] == ["Coffee"]


def test_an_equal_text_is_kept_once(library: Library) -> None:
    assert library.add(TEA).document == library.documents()[0].id
    assert len(library.documents()) == 1


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
def test_an_empty_text_is_refused(library: Library, text: str) -> None:
    with pytest.raises(EmptySourceError):
        library.add(text)


def test_update_reads_changed_files_and_leaves_texts_as_they_are(library: Library, tmp_path: Path) -> None:
    file, gone = tmp_path / "a.txt", tmp_path / "b.txt"
    file.write_text("Tea is steeped for three minutes.", encoding="utf-8")
    gone.write_text("Coffee is filtered.", encoding="utf-8")
    library.index(file)
    library.index(gone)
    file.write_text("Tea is steeped for four minutes.", encoding="utf-8")
    gone.unlink()
    results = dict(library.update())
    assert set(results) == {str(file), str(gone)}
    assert isinstance(results[str(gone)], treatise.TreatiseError)
    assert "four minutes" in library.ask("How long is tea steeped?").text
    assert library.ask(QUESTION).found


def test_an_update_needs_no_loop_over_its_reports(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Tea is steeped for three minutes.", encoding="utf-8")
    library.index(file)
    file.write_text("Tea is steeped for four minutes.", encoding="utf-8")
    library.update()
    assert "four minutes" in library.ask("How long is tea steeped?").text


def test_a_stream_ends_with_the_answer_that_ask_returns(library: Library) -> None:
    events = list(library.stream(QUESTION))
    evidence, *statements, answer = events
    expected = library.ask(QUESTION)
    assert isinstance(evidence, Evidence)
    assert isinstance(answer, Answer)
    assert (answer.text, answer.citations) == (expected.text, expected.citations)
    assert tuple(statements) == answer.statements
    assert all(isinstance(one, Statement) for one in statements)


def test_a_stream_raises_what_the_question_raises(library: Library) -> None:
    with pytest.raises(QuestionError):
        list(library.stream(""))


def test_a_stream_may_be_left_early(library: Library) -> None:
    stream = library.stream(QUESTION)
    assert isinstance(next(stream), Evidence)
    stream.close()
    assert library.ask(QUESTION).found


def test_tasks_ask_at_the_same_time_and_get_the_same_answers(library: Library) -> None:
    async def ask() -> list[Answer]:
        return await asyncio.gather(*(library.ask_async(QUESTION, max_words=words) for words in (10, 20, 30, 40)))

    answers = asyncio.run(ask())
    assert [answer.text for answer in answers] == [library.ask(QUESTION, max_words=w).text for w in (10, 20, 30, 40)]


def test_a_task_raises_what_the_method_raises(library: Library) -> None:
    with pytest.raises(QuestionError):
        asyncio.run(library.search_async(""))


@pytest.mark.parametrize("name", ["index", "search", "ask", "summarize"])
def test_what_a_task_awaits_has_the_arguments_of_the_method(name: str) -> None:
    assert inspect.signature(getattr(Library, f"{name}_async")) == inspect.signature(getattr(Library, name))


def test_an_answer_may_cite_a_document_that_none_of_its_passages_is_of(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, System(TREATISE, Engines(HashingEncoder())))
        library.index(
            "/a.txt", data=b"The director of the mill was Ann Hill. The director of the mill liked the river."
        )
        cited = library.index("/b.txt", data=b"Peter Smith was the second director there from 1902.").document
        answer = library.ask("Who was the second director of the mill?", max_words=8)
        assert {one.document for one in answer.citations} == {cited}
        assert cited not in {one.document for one in answer.evidence.passages}
        documents = answer_record(answer, answer.evidence.documents)["documents"]
        assert documents[0]["document"] == cited  # type: ignore[index]


def test_a_question_that_names_a_document_is_asked_of_it_alone(tmp_path: Path) -> None:
    with treatise.open_library(store=tmp_path / "named.db") as library:
        for place, degrees in (("Oslo", 70), ("Rome", 80), ("Cork", 90)):
            library.add(f"# {place} tea house rules\n\nWater for tea is heated to {degrees} degrees.", f"{place}.md")
        question = "To how many degrees is water heated under the Rome tea house rules?"
        answer, evidence = library.ask(question), library.search(question)
        assert {citation.source for citation in answer.citations} == {"Rome.md"}
        assert {one.title for one in evidence.documents.values()} <= {"Rome tea house rules"}
        remark = "the question names “Rome tea house rules”: no other document was searched"
        assert answer.notes[0] == evidence.notes[0] == remark
        assert answer.question == evidence.question == question
        of_all = library.search("How hot is water heated?")
        assert len({passage.document for passage in of_all.passages}) == 3
        assert remark not in of_all.notes
