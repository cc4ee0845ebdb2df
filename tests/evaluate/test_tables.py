import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.builders import make_document
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.report.plots import write_plots
from treatise.evaluate.report.summary import Difference, Mean, Measured, Row, compare
from treatise.evaluate.report.tables import as_csv, as_latex, as_markdown, baseline_of

SURE = Difference(
    4.0, 3.0, 5.0, p=0.001, p_holm=0.002, p_bootstrap=0.001, p_bootstrap_holm=0.002, p_t=0.01, p_t_holm=0.02
)
UNSURE = replace(SURE, p_holm=0.2)


def row(recipe: str, budget: int, mean: float, difference: Difference | None = None) -> Row:
    score = Mean(647, mean, mean - 1, mean + 1.5, n_documents=281)
    return Row(recipe, budget, 647, budget - 0.5, {"f1": score}, {"f1": difference} if difference else {})


ROWS = [
    row("flat_sentence", 200, 26.0),
    row("flat_sentence", 300, 24.0),
    row("50%_&_more", 200, 30.0, SURE),
    row("50%_&_more", 300, 23.0, UNSURE),
    row("late", 300, 20.0, UNSURE),
]


def test_a_latex_table_has_a_line_a_recipe_and_a_column_a_budget():
    lines = as_latex(ROWS).splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert [line.count("&") - line.count(r"\&") for line in body] == [2, 2, 2]
    assert body[0] == r"flat\_sentence & 26.00 {\scriptsize$\pm$1.25} & \textbf{24.00} {\scriptsize$\pm$1.25} \\"
    assert body[1].startswith(r"50\%\_\&\_more & \textbf{30.00}$^{\dagger}$ ")
    assert r"23.00 {\scriptsize" in body[1]
    assert body[2].startswith("late & -- & 20.00")
    assert r"\begin{tabular}{lrr}" in lines
    assert r" & \multicolumn{1}{c}{200 words} & \multicolumn{1}{c}{300 words} \\" in lines


def test_braces_of_a_latex_table_are_balanced():
    unescaped = re.sub(r"\\[{}]", "", as_latex(ROWS))
    assert unescaped.count("{") == unescaped.count("}")


def test_the_baseline_is_the_recipe_that_is_compared_with_none():
    assert baseline_of(ROWS) == "flat_sentence"
    assert "points over flat_sentence" in as_markdown(ROWS)
    assert baseline_of(ROWS[:1]) == "flat_sentence"


def test_a_table_of_one_document_says_that_its_intervals_mean_nothing():
    assert "f1 of 647 questions on 281 documents" in as_markdown(ROWS)
    assert "no width" not in as_markdown(ROWS)
    single = replace(ROWS[0], scores={"f1": Mean(1, 30.0, 30.0, 30.0, n_documents=1)})
    assert "f1 of 1 question on 1 document:" in as_markdown([single])
    assert "intervals have no width" in as_markdown([single])


def test_a_spreadsheet_has_every_p():
    rows = list(csv.DictReader(io.StringIO(as_csv(ROWS))))
    assert [(one["recipe"], one["budget"]) for one in rows] == [(one.recipe, str(one.budget)) for one in ROWS]
    assert float(rows[2]["p_bootstrap_holm"]) == SURE.p_bootstrap_holm
    assert float(rows[2]["p_t_holm"]) == SURE.p_t_holm
    assert float(rows[0]["words"]) == 199.5
    assert rows[0]["p_t"] == ""


def test_plots_are_drawn_as_png_and_svg_the_same_each_time(tmp_path):
    pytest.importorskip("matplotlib", reason="needs the extra eval")
    written = write_plots(ROWS, tmp_path / "a")
    assert [path.name for path in written] == ["f1.png", "f1.svg"]
    assert written[0].read_bytes().startswith(b"\x89PNG")
    svg = written[1].read_text(encoding="utf-8")
    assert svg == write_plots(ROWS, tmp_path / "b")[1].read_text(encoding="utf-8")
    assert "<svg" in svg


def test_a_metric_that_one_system_lacks_is_left_out_and_disjoint_questions_are_not_compared():
    """The kind of a QASPER question depends on the answer, so systems may have no question of a kind in common."""
    question = Question("q", "Why?", (Reference("tea", AnswerKind.EXTRACTIVE),))
    labelled = [LabelledDocument(make_document([["Tea."]]), (replace(question, id=f"q{i}"),)) for i in range(2)]
    nan = float("nan")
    scores = [
        {"f1": np.array([50.0, 60.0]), "f1_of_some": np.array([50.0, nan]), "f1_of_a": np.array([50.0, 60.0])},
        {"f1": np.array([40.0, 60.0]), "f1_of_some": np.array([nan, 60.0])},
    ]
    measured = [Measured(name, 200, 10.0, values) for name, values in zip("ab", scores, strict=True)]
    base, other = compare(measured, labelled, baseline="a", seed=0)
    assert list(base.scores) == list(other.scores) == ["f1", "f1_of_some"]
    assert list(other.differences) == ["f1"]
    assert other.differences["f1"].mean == -5
    assert "| b | 200 |" in as_markdown([base, other])
