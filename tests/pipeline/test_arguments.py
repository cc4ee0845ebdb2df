"""What callers pass to a library instead of texts, lists and numbers is refused by name, before any work begins."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treatise
from treatise.core.errors import FilterError, QuestionError, SourceError, TreatiseError
from treatise.ingest import read_document
from treatise.pipeline.library import Library

QUESTION = "When does water boil?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with treatise.open_library(store=tmp_path_factory.mktemp("arguments") / "library.db") as opened:
        opened.add("Water boils at 100 degrees.", "tea.txt")
        yield opened


@pytest.mark.parametrize("method", ["ask", "search", "structure"])
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"where": None}, FilterError),
        ({"where": 3}, FilterError),
        ({"where": ["year = 2020"]}, FilterError),
        ({"documents": "abc"}, QuestionError),
        ({"documents": b"abc"}, QuestionError),
        ({"documents": 3}, QuestionError),
        ({"documents": iter(["abc"])}, QuestionError),
        ({"documents": [None]}, QuestionError),
        ({"documents": [b"abc"]}, QuestionError),
        ({"documents": []}, SourceError),
        ({"max_words": None}, QuestionError),
        ({"max_words": "300"}, QuestionError),
        ({"max_words": -1}, QuestionError),
        ({"max_words": 1.5}, QuestionError),
        ({"max_words": float("nan")}, QuestionError),
        ({"max_words": True}, QuestionError),
    ],
    ids=str,
)
def test_arguments_of_another_type_are_refused(
    library: Library, method: str, arguments: dict[str, Any], error: type[TreatiseError]
) -> None:
    with pytest.raises(error):
        getattr(library, method)(QUESTION, **arguments)


@pytest.mark.parametrize("max_words", [10**30, np.int64(300), 30])
def test_any_whole_number_is_a_budget(library: Library, max_words: int) -> None:
    assert "100 degrees" in library.ask(QUESTION, max_words=max_words).text


@pytest.mark.parametrize(
    ("text", "name"), [(None, "a"), (b"x", "a"), ([], "a"), (3, "a"), ("x", None), ("x", 3), ("x", b"a")]
)
def test_what_is_no_text_is_not_added(library: Library, text: Any, name: Any) -> None:
    n = len(library.documents())
    with pytest.raises(SourceError, match="text"):
        library.add(text, name)
    assert len(library.documents()) == n


@pytest.mark.parametrize(("source", "data"), [(None, None), (b"x", None), (3, b"x"), ("a.txt", "x"), ("a.txt", [1])])
def test_what_is_no_source_is_not_indexed(library: Library, source: Any, data: Any) -> None:
    with pytest.raises(SourceError):
        library.index(source, data=data)
    ((_, found),) = library.index_all([(source, data)])
    assert isinstance(found, SourceError)


@pytest.mark.parametrize("source", [None, b"x", 3, []])
def test_what_is_no_source_is_not_read(source: Any) -> None:
    with pytest.raises(SourceError, match="a source is a path or a binary stream"):
        read_document(source)


def test_paths_are_sources(library: Library, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The cup is blue.", encoding="utf-8")
    report = library.index(tmp_path / "a.txt")
    library.remove(report.document)
