"""Libraries and results in other processes, tasks and event loops."""

import asyncio
import multiprocessing
import os
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import treatise
from treatise.core.answer import Answer
from treatise.core.errors import TreatiseError
from treatise.pipeline.library import Library
from treatise.recipes import BM25

TEA = "Water boils at 100 degrees. Keep the leaves dry."
QUESTION = "When does water boil?"


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.chdir(tmp_path)
    with treatise.open_library(store="library.db") as opened:
        opened.add(TEA, "tea.txt")
        yield opened


def test_what_a_library_returns_can_be_pickled(library: Library) -> None:
    answer = library.ask(QUESTION)
    document = library.document(answer.citations[0].document)
    for one in (answer, answer.evidence, document, library.recipe, library.documents()):
        assert pickle.loads(pickle.dumps(one)) == one
    indexed = library.indexed(document.id)
    assert pickle.loads(pickle.dumps(indexed)).tree == indexed.tree
    parsed = treatise.parse_text(TEA)
    assert pickle.loads(pickle.dumps(parsed)) == parsed


def test_a_pickled_library_opens_the_same_store_from_any_folder(
    library: Library, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    pickled = pickle.dumps(library.with_recipe(BM25))
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    with pickle.loads(pickled) as again:
        assert again.recipe == BM25
        assert again.documents() == library.documents()


def test_a_library_with_parts_of_its_own_is_not_pickled(library: Library) -> None:
    with pytest.raises(TypeError, match="open_library in each process"):
        pickle.dumps(Library(library.store, library.system))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks_and_adds_while_its_parent_does_too(library: Library) -> None:
    def work() -> None:
        for n in range(3):
            assert "100 degrees" in library.ask(QUESTION).text
            library.add(f"The kettle number {n} is red.", f"child{n}.txt")

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    for n in range(3):
        library.add(f"The cup number {n} is blue.", f"parent{n}.txt")
    child.join(120)
    assert child.exitcode == 0
    assert library.store.check() == []
    assert len(library.documents()) == 7


def test_two_event_loops_in_two_threads_share_a_library(library: Library) -> None:
    def loop(_: int) -> list[str]:
        async def ask() -> list[Answer]:
            return await asyncio.gather(*(library.ask_async(QUESTION) for _ in range(3)))

        return [answer.text for answer in asyncio.run(ask())]

    with ThreadPoolExecutor(2) as threads:
        texts = [text for found in threads.map(loop, range(2)) for text in found]
    assert texts == [library.ask(QUESTION).text] * 6


def test_a_cancelled_task_leaves_the_library_as_it_was_or_with_the_whole_document(library: Library) -> None:
    async def cancelled() -> None:
        task = asyncio.create_task(library.index_async("long.txt", data=("Tea is hot. " * 400).encode()))
        await asyncio.sleep(0.01)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert library.store.check() == []
    for entry in library.documents():
        assert library.document(entry.id).text


@pytest.mark.parametrize("question", [None, b"When?", [], 3, {}])
def test_a_question_of_another_type_is_refused_by_name(library: Library, question: object) -> None:
    with pytest.raises(TreatiseError, match="a question is a text"):
        library.ask(question)  # type: ignore[arg-type]
    with pytest.raises(TreatiseError, match="a question is a text"):
        library.search(question)  # type: ignore[arg-type]
    with pytest.raises(TreatiseError, match="a question is a text"):
        list(library.stream(question))  # type: ignore[arg-type]
