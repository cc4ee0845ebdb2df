"""Rows as tables: Markdown for people, CSV for spreadsheets, LaTeX for papers."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from treatise.core.plurals import counted
from treatise.evaluate.metrics.readings import dr_score
from treatise.evaluate.report.summary import Difference, Mean, Row, Summary
from treatise.evaluate.run.results import write_whole

_P_COLUMNS: Final = ("p", "p_holm", "p_bootstrap", "p_bootstrap_holm", "p_t", "p_t_holm")
_CSV_COLUMNS: Final = (
    *("recipe", "budget", "words", "metric", "n", "mean", "low", "high"),
    *("difference", "difference_low", "difference_high", *_P_COLUMNS),
)
_TEX: Final = str.maketrans(
    {
        **{character: rf"\{character}" for character in "&%$#_{}"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
    }
)
SIGNIFICANT: Final = 0.05


def write_tables(summary: Summary, out: Path) -> None:
    """Writes ``OUT/summary.json``, which is complete, ``summary.csv``, ``summary.md`` and ``summary.tex``."""
    write_whole(out / "summary.json", json.dumps(asdict(summary), indent=1) + "\n")
    write_whole(out / "summary.csv", as_csv(summary.rows))
    write_whole(out / "summary.md", as_markdown(summary.rows))
    write_whole(out / "summary.tex", as_latex(summary.rows))


def as_markdown(rows: Sequence[Row]) -> str:
    """The rows as a table: mean with interval, and the difference to the baseline with its corrected p."""
    metrics = list(rows[0].scores)
    has_stand_ins = any(row.stand_ins for row in rows)
    head = ["recipe", "words", *(cell for name in metrics for cell in (name, f"Δ {name}"))]
    lines = [
        _line([*head, *(["stands in"] if has_stand_ins else [])]),
        _line(["---", "--:", *["---"] * (2 * len(metrics) + has_stand_ins)]),
        *(_line([*_row(row, metrics), *([", ".join(row.stand_ins)] if has_stand_ins else [])]) for row in rows),
    ]
    note = f"{_scored(rows)}: percent, [95 % interval over documents]."
    compared = f"Δ: points over {baseline_of(rows)}, p by permutation of documents, Holm-corrected."
    return "\n".join([*lines, "", note, compared, *_single_document(rows), ""])


def _single_document(rows: Sequence[Row]) -> list[str]:
    """A warning if an interval has no width because its questions are on one document."""
    if all(mean.n_documents > 1 for mean in rows[0].scores.values()):
        return []
    return ["All questions are on one document, so the intervals have no width: measure on several documents."]


def _row(row: Row, metrics: Sequence[str]) -> list[str]:
    """The name of a budget; 0 is the recipe's own budget."""
    return [row.recipe, str(row.budget or "own"), *_cells(row, metrics)]


def as_csv(rows: Sequence[Row]) -> str:
    """The rows with one line per metric, for spreadsheets; ``words`` is the contexts' mean length."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_CSV_COLUMNS)
    for row in rows:
        for name, mean in row.scores.items():
            d = row.differences.get(name)
            compared = [d.mean, d.low, d.high, *(asdict(d)[p] for p in _P_COLUMNS)] if d else [""] * 9
            table.writerow(
                [row.recipe, row.budget, row.n_words, name, mean.n, mean.mean, mean.low, mean.high, *compared]
            )
    return text.getvalue()


def as_latex(rows: Sequence[Row]) -> str:
    r"""The rows as a table: one row per recipe, one column per budget and metric; needs ``\usepackage{booktabs}``.

    Each cell has the mean and half the width of its 95 % interval; the best mean of a column is bold; a dagger marks a
    difference to the baseline whose corrected p is below .05.
    """
    metrics, budgets = list(rows[0].scores), list(dict.fromkeys(row.budget for row in rows))
    if not metrics:
        return "% Nothing is scored.\n"
    columns = [(budget, name) for budget in budgets for name in metrics]
    by_recipe: dict[str, dict[int, Row]] = {}
    for row in rows:
        by_recipe.setdefault(row.recipe, {})[row.budget] = row
    best = {
        (budget, name): max(row.scores[name].mean for row in rows if row.budget == budget) for budget, name in columns
    }
    lines = [
        _tex_line([recipe.translate(_TEX), *(_tex_cell(of_recipe.get(b), m, best[b, m]) for b, m in columns)])
        for recipe, of_recipe in by_recipe.items()
    ]
    width = len(metrics)
    groups = [rf"\multicolumn{{{width}}}{{c}}{{{budget} words}}" for budget in budgets]
    rules = [rf"\cmidrule(lr){{{2 + i * width}-{1 + (i + 1) * width}}}" for i in range(len(budgets))]
    return "\n".join(
        [
            rf"% {_scored(rows)}. $\pm$: half the 95 % interval over documents. $\dagger$: differs from",
            rf"% {baseline_of(rows)}, paired permutation test over documents, Holm-corrected p < {SIGNIFICANT}.",
            rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
            r"\toprule",
            _tex_line(["", *groups]),
            " ".join(rules),
            _tex_line(["Recipe", *(name.translate(_TEX) for _, name in columns)]),
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def baseline_of(rows: Sequence[Row]) -> str:
    """The baseline: the recipe without differences, if another has some."""
    compared = {row.recipe for row in rows if row.differences}
    return next((row.recipe for row in rows if row.recipe not in compared), rows[0].recipe)


def _scored(rows: Sequence[Row]) -> str:
    """How many questions, on how many documents, each metric is the mean of."""
    scores = rows[0].scores.items()
    return ", ".join(f"{name} of {_size(mean)}" for name, mean in scores) or "Nothing is scored"


def _size(mean: Mean) -> str:
    return f"{counted(mean.n, 'question')} on {counted(mean.n_documents, 'document')}"


def _cells(row: Row, metrics: Sequence[str]) -> Iterator[str]:
    for name in metrics:
        yield in_interval(row.scores[name])
        difference = row.differences.get(name)
        yield f"{in_interval(difference, sign='+')}, p {difference.p_holm:.4f}" if difference else ""


def in_interval(value: Mean | Difference, *, sign: str = "") -> str:
    """A mean and its interval, two digits after the point: ``26.67 [25.10, 28.21]``; ``sign`` is ``"+"`` or empty."""
    return f"{value.mean:{sign}.2f} [{value.low:{sign}.2f}, {value.high:{sign}.2f}]"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _tex_line(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _tex_cell(row: Row | None, metric: str, best: float) -> str:
    if row is None:
        return "--"
    score, difference = row.scores[metric], row.differences.get(metric)
    mean = f"{score.mean:.2f}"
    bold = rf"\textbf{{{mean}}}" if score.mean >= best else mean
    dagger = r"$^{\dagger}$" if difference and difference.p_holm < SIGNIFICANT else ""
    return rf"{bold}{dagger} {{\scriptsize$\pm${(score.high - score.low) / 2:.2f}}}"


def append_dr_scores(rows: Sequence[Row], table: Path) -> None:
    """ASQA's overall score for each system with both components; defined per system, not per question."""
    lines = [
        f"DR of {row.recipe}: {dr_score(row.scores['rougeL'].mean, row.scores['disambiguation_f1'].mean):.2f}\n"
        for row in rows
        if {"rougeL", "disambiguation_f1"} <= row.scores.keys()
    ]
    if lines:
        write_whole(table, table.read_text(encoding="utf-8") + "\n" + "".join(lines))


def append_entropies(means: Sequence[Mapping[str, object]], model: str, table: Path) -> None:
    """A further table of the entropy of attention, if it was measured."""
    if not means:
        return
    lines = ["| recipe | words | n | entropy of attention |", "| --- | --: | --: | --- |"]
    for one in means:
        interval = f"{one['mean']:.2f} [{one['low']:.2f}, {one['high']:.2f}]"
        lines.append(f"| {one['recipe']} | {one['budget'] or 'own'} | {one['n']} | {interval} |")
    note = (
        f"In nats, of the attention of {model} over its prompt and its answer so far, averaged over layers and heads; "
        "mean over the tokens of an answer. [95 % interval over documents]"
    )
    write_whole(table, "\n".join([table.read_text(encoding="utf-8"), *lines, "", note, ""]))


def append_costs(costs: Sequence[Mapping[str, object]], table: Path) -> None:
    """A second table of tokens and seconds per answer, if they were recorded."""
    if not costs:
        return
    lines = ["| recipe | words | n | tokens | seconds |", "| --- | --: | --: | --: | --: |"]
    for one in costs:
        words = one["budget"] or "own"
        lines.append(f"| {one['recipe']} | {words} | {one['n']} | {one['tokens']:,.0f} | {one['seconds']:.2f} |")
    note = "Means per answer, trees included; a tree counts once, for the first question that needs it."
    write_whole(table, "\n".join([table.read_text(encoding="utf-8"), *lines, "", note, ""]))
