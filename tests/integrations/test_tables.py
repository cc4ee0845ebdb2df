"""Results as rows and tables; tables where pandas and polars are installed."""

from collections.abc import Iterator
from typing import Any

import pytest

import treatise
from tests.integrations.kettles import QUESTION, kettles
from treatise.core.errors import DataError
from treatise.integrations.tables import rows, to_pandas, to_polars
from treatise.pipeline.library import Library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with kettles(tmp_path_factory.mktemp("tables")) as opened:
        yield opened


def results(library: Library) -> list[Any]:
    answer = library.ask(QUESTION)
    tree = treatise.parse_text("Keep the lid on if the water boils. It saves gas.")
    return [answer, answer.evidence, [answer, answer.evidence], library.documents(), tree, [], library.search(QUESTION)]


def test_rows_have_the_places_that_the_text_has(library: Library) -> None:
    for row in [*rows(library.search(QUESTION)), *rows(library.ask(QUESTION))]:
        found = library.document(str(row["document"])).quote(row["start"], row["end"])  # type: ignore[arg-type]
        assert found == row.get("text", row.get("quote"))


def test_rows_of_several_results_name_their_questions(library: Library) -> None:
    evidence = [library.search(QUESTION), library.search("Which kettle is number 61?")]
    assert {row["question"] for row in rows(evidence)} == {one.question for one in evidence}


def test_entries_and_trees_have_rows(library: Library) -> None:
    assert rows(library.documents())[0]["sources"] == ["kettles.md"]
    tree = treatise.parse_text("Keep the lid on if the water boils. It saves gas.")
    assert [row["start"] for row in rows(tree)].count(0) >= 1
    assert len(rows(tree)) == tree.tree.n_units - 1


@pytest.mark.parametrize("result", [None, "text", 3, b"x", [None], {"a": 1}])
def test_what_is_no_result_is_refused(result: Any) -> None:
    with pytest.raises(DataError, match="expected answers"):
        rows(result)


def test_pandas_has_every_row(library: Library) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: scripts/integrations tables")
    for result in results(library):
        table = to_pandas(result)
        assert len(table) == len(rows(result))
        assert table.to_dict("records") == rows(result) or not table.notna().all().all()


def test_polars_has_every_row(library: Library) -> None:
    pytest.importorskip("polars", reason="polars is not installed: scripts/integrations tables")
    for result in results(library)[:2]:
        assert to_polars(result).to_dicts() == rows(result)
    assert len(to_polars(library.documents())) == len(library.documents())
