"""The tools of agents, without a framework."""

from collections.abc import Iterator

import pytest

from tests.integrations.kettles import NO_QUESTIONS, QUESTION, can_fork, in_a_fork, kettles
from treatise.core.errors import FilterError, QuestionError
from treatise.integrations.tools import LibraryTools
from treatise.pipeline.library import Library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with kettles(tmp_path_factory.mktemp("tools")) as opened:
        yield opened


def test_an_answer_has_its_places_and_its_record(library: Library) -> None:
    reply = LibraryTools(library).ask(QUESTION)
    assert reply.record["citations"][0]["quote"] in reply.text
    assert "kettles.md" in reply.text


def test_passages_are_numbered_with_their_places(library: Library) -> None:
    reply = LibraryTools(library, max_words=30).search(QUESTION)
    first = reply.record["evidence"][0]
    assert reply.text.startswith(f"[1] kettles.md, {first['section']}\n{first['text']}")


def test_documents_that_are_not_wanted_are_not_searched(library: Library) -> None:
    other = library.add("The teapot is blue.", "teapot.txt").document
    assert "kettles" not in LibraryTools(library, documents=[other]).search(QUESTION).text
    library.remove(other)


@pytest.mark.parametrize("question", NO_QUESTIONS)
def test_what_is_no_question_is_refused(library: Library, question: object) -> None:
    tools = LibraryTools(library)
    for tool in (tools.ask, tools.search):
        with pytest.raises(QuestionError):
            tool(question)  # type: ignore[arg-type]


def test_a_filter_that_is_not_valid_is_refused(library: Library) -> None:
    with pytest.raises(FilterError):
        LibraryTools(library, where="colour ==== 3").ask(QUESTION)


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks_and_searches(library: Library) -> None:
    tools = LibraryTools(library)
    assert tools.ask(QUESTION).text
    assert in_a_fork(lambda: tools.ask(QUESTION).text == tools.ask(QUESTION).text and tools.search(QUESTION).record)
