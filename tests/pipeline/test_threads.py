"""A library under concurrent questions, and the listener of an answer."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from treatise.core.answer import Answer
from treatise.core.evidence import Evidence
from treatise.core.usage import Usage
from treatise.pipeline.cache import DocumentCache
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.query import AnswerListener
from treatise.pipeline.system import System
from treatise.recipes import TREATISE
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder, ScriptedModel, sample_indexed

DRINKS = ("tea", "coffee", "cocoa", "milk", "juice", "water")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(SqliteStore(tmp_path / "library.db"), System(TREATISE, Engines(HashingEncoder())))
    for i, drink in enumerate(DRINKS):
        text = f"The best {drink} is served at {40 + i} degrees. It is kept in the {drink} cupboard for {i + 2} weeks. "
        library.index(f"{drink}.txt", data=(text * 5).encode())
    yield library
    library.close()


def _ask(library: Library, drink: str) -> Answer:
    return replace(library.ask(f"At how many degrees is {drink} served?"), usage=Usage())


def test_questions_in_threads_get_the_answers_of_questions_one_by_one(library: Library) -> None:
    questions = [drink for drink in DRINKS for _ in range(8)]
    alone = {drink: _ask(library, drink) for drink in DRINKS}
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda drink: _ask(library, drink), questions))
    assert together == [alone[drink] for drink in questions]


def test_questions_during_indexing_see_whole_documents(library: Library) -> None:
    def index(n: int) -> None:
        library.index(f"new{n}.txt", data=f"Lemonade number {n} is served at {n} degrees. ".encode() * 20)

    with ThreadPoolExecutor(6) as threads:
        indexed = [threads.submit(index, n) for n in range(12)]
        answers = list(threads.map(lambda _: library.ask("At how many degrees is tea served?"), range(24)))
    assert [one.exception() for one in indexed] == [None] * 12
    for citation in (citation for answer in answers for citation in answer.citations):
        found = library.document(citation.document)
        assert found.text[citation.span.start : citation.span.end] == citation.quote


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Threads that take turns as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("busy_threads")
def test_a_cache_survives_threads_that_drop_each_others_documents() -> None:
    indexed = sample_indexed()
    cache = DocumentCache(max_nodes=20 * indexed.n_nodes)

    def use(n: int) -> None:
        for i in range(800):
            cache.put(f"{n}-{i % 5}", indexed)
            cache.get(f"{(n + 1) % 8}-{i % 5}")
            cache.drop(f"{(n + 2) % 8}-{i % 5}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(use, range(8)))


class _Recorder(AnswerListener):
    def __init__(self) -> None:
        self.heard: list[str] = []

    def evidence(self, evidence: Evidence) -> None:
        self.heard.append(f"evidence for {evidence.question}")

    def statement(self, answer: Answer, index: int) -> None:
        self.heard.append(answer.statements[index].text)


@pytest.mark.parametrize("model", [None, ScriptedModel(["Tea is served at 40 degrees [1]. It is good [1]."])])
def test_a_listener_hears_evidence_then_every_statement(library: Library, model: ScriptedModel | None) -> None:
    heard = _Recorder()
    answer = library.with_model(model).ask("At how many degrees is tea served?", listener=heard)
    assert heard.heard == [
        "evidence for At how many degrees is tea served?",
        *(statement.text for statement in answer.statements),
    ]


def test_what_a_progress_callback_raises_ends_indexing_and_leaves_the_library_as_it_was(library: Library) -> None:
    def cancel(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    before = library.documents()
    with pytest.raises(KeyboardInterrupt):
        library.index("new.txt", data=b"Lemonade is served at 3 degrees. " * 20, progress=cancel)
    assert library.documents() == before


def test_a_document_is_read_by_the_reader_that_is_passed(library: Library) -> None:
    read = library.index("new.txt", data=b"anything", read=lambda data, name: sample_indexed().document)
    assert read.document == sample_indexed().document.id
