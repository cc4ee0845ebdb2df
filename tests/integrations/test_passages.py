"""What every framework gets, without a framework."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treatise
from tests.integrations.kettles import NO_COUNTS
from treatise.core.errors import QuestionError
from treatise.ingest import read_document
from treatise.integrations.passages import answer, cited_text, passages, sections
from treatise.pipeline.library import Library

TEA = "# Tea\n\n## Making\n\nWater boils at 100 degrees. It is poured.\n\n## Keeping\n\nKeep the leaves in a dry tin.\n"
QUESTION = "When does water boil?"


@pytest.fixture(scope="module")
def tea(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document of three sections."""
    path = tmp_path_factory.mktemp("passages") / "tea.md"
    path.write_text(TEA, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def library(tea: Path) -> Iterator[Library]:
    """A library with it."""
    with treatise.open_library(store=tea.with_name("library.db")) as opened:
        opened.index(tea)
        yield opened


def test_passages_are_those_of_a_search_and_at_most_k(library: Library) -> None:
    expected = [passage.text for passage in library.search(QUESTION, max_words=40).passages]
    assert [one["text"] for one in passages(library, QUESTION, max_words=40)] == expected
    assert [one["text"] for one in passages(library, QUESTION, max_words=40, k=1)] == expected[:1]


@pytest.mark.parametrize("question", ["", None, b"Why?", ["Why?"], 3])
def test_what_is_no_question_is_refused(library: Library, question: object) -> None:
    with pytest.raises(QuestionError):
        passages(library, question)  # type: ignore[arg-type]
    with pytest.raises(QuestionError):
        answer(library, question)  # type: ignore[arg-type]


@pytest.mark.parametrize("k", NO_COUNTS)
def test_what_is_no_number_of_passages_is_refused(library: Library, k: Any) -> None:
    with pytest.raises(QuestionError):
        passages(library, QUESTION, k=k)


def test_a_huge_number_of_passages_returns_what_there_is(library: Library) -> None:
    assert len(passages(library, QUESTION, k=10**9, max_words=10**6)) >= 1


def test_an_answer_as_text_names_the_place_of_each_quote(library: Library) -> None:
    found, record = answer(library, QUESTION)
    text = cited_text(found)
    assert record["answer"] == found.text
    assert "[1] tea.md, Tea > Making: 'Water boils at 100 degrees.'" in text


def test_sections_tile_the_document(tea: Path) -> None:
    assert "".join(text for text, _ in sections(tea)) == read_document(tea).text
    assert [of["section"] for _, of in sections(tea)] == ["Tea", "Tea > Making", "Tea > Keeping"]
