"""The parts for DSPy; they run where it is installed (``scripts/integrations dspy``)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dspy", reason="DSPy is not installed: scripts/integrations dspy")

import dspy
from dspy.utils import DummyLM

from tests.integrations.kettles import (
    HUGE,
    NO_COUNTS,
    NO_QUESTIONS,
    QUESTION,
    can_fork,
    cancel,
    in_a_fork,
    in_two_loops,
    kettles,
)
from treatise.core.errors import QuestionError
from treatise.integrations.dspy import TreatiseRetriever, treatise_tools


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with kettles(tmp_path_factory.mktemp("dspy")) as opened:
        yield opened


class Rag(dspy.Module):
    def __init__(self, library: Any) -> None:
        super().__init__()
        self.retrieve = TreatiseRetriever(library, k=2)
        self.respond = dspy.Predict("context, question -> answer")

    def forward(self, question: str) -> Any:
        return self.respond(context=self.retrieve(question).passages, question=question)


def test_passages_are_the_librarys_with_their_places(library: Any) -> None:
    found = TreatiseRetriever(library, k=3)(QUESTION)
    expected = library.search(QUESTION).passages[:3]
    assert found.passages == [one.text for one in expected]
    assert [one["start"] for one in found.records] == [one.span.start for one in expected]
    assert len(TreatiseRetriever(library)(QUESTION, k=1).passages) == 1


def test_a_program_answers_from_the_passages(library: Any) -> None:
    model = DummyLM([{"answer": "63"}])
    with dspy.context(lm=model):
        assert Rag(library)(question=QUESTION).answer == "63"
    assert "Kettle number 63 boils" in str(model.history[-1]["messages"])


def test_a_program_is_copied_saved_and_loaded_with_its_library(library: Any, tmp_path: Path) -> None:
    program = Rag(library).deepcopy()
    assert program.retrieve(QUESTION).passages == Rag(library).retrieve(QUESTION).passages
    program.retrieve.k = 1
    program.save(tmp_path / "program.json")
    again = Rag(library)
    again.load(tmp_path / "program.json")
    assert len(again.retrieve(QUESTION).passages) == 1


def test_programs_run_in_threads(library: Any) -> None:
    asked = [(TreatiseRetriever(library, k=1), dspy.Example(query=QUESTION).with_inputs("query"))] * 4
    found = dspy.Parallel(num_threads=2, disable_progress_bar=True)(asked)
    assert len({one.passages[0] for one in found}) == 1


def test_an_agent_uses_the_tools(library: Any) -> None:
    ask, search = treatise_tools(library)
    assert "Part 63" in ask(question=QUESTION)
    assert search(question=QUESTION).startswith("[1] kettles.md, Part 63\n")
    assert set(ask.args) == {"question"}
    steps = [
        {"next_thought": "I ask.", "next_tool_name": "ask_documents", "next_tool_args": {"question": QUESTION}},
        {"next_thought": "I know.", "next_tool_name": "finish", "next_tool_args": {}},
        {"reasoning": "It says so.", "answer": "63"},
    ]
    with dspy.context(lm=DummyLM(steps)):
        said = dspy.ReAct("question -> answer", tools=[ask])(question=QUESTION)
    assert said.answer == "63"
    assert "63 degrees" in str(said.trajectory)


@pytest.mark.parametrize("question", NO_QUESTIONS)
def test_what_is_no_question_is_refused(library: Any, question: object) -> None:
    with pytest.raises(QuestionError):
        TreatiseRetriever(library)(question)


@pytest.mark.parametrize("k", NO_COUNTS)
def test_what_is_no_number_of_passages_is_refused(library: Any, k: Any) -> None:
    with pytest.raises(QuestionError):
        TreatiseRetriever(library)(QUESTION, k=k)


def test_a_huge_number_of_passages_returns_what_there_is(library: Any) -> None:
    assert TreatiseRetriever(library, k=HUGE)(QUESTION).passages


def test_two_event_loops_share_a_library(library: Any) -> None:
    ask, _ = treatise_tools(library)
    assert set(in_two_loops(lambda: ask.acall(question=QUESTION))) == {ask(question=QUESTION)}


def test_a_cancelled_task_leaves_a_library_that_answers(library: Any) -> None:
    cancel(lambda: dspy.asyncify(TreatiseRetriever(library))(QUESTION))
    assert TreatiseRetriever(library)(QUESTION).passages


@pytest.mark.parametrize("question", NO_QUESTIONS)
def test_a_tool_refuses_what_is_no_question(library: Any, question: Any) -> None:
    for tool in treatise_tools(library):
        with pytest.raises((QuestionError, ValueError)):  # DSPy itself refuses arguments of another type
            tool(question=question)


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_retrieves(library: Any) -> None:
    assert TreatiseRetriever(library)(QUESTION).passages
    assert in_a_fork(lambda: TreatiseRetriever(library)(QUESTION).passages)
