"""Means over budgets with intervals, one line per recipe: PNG and SVG, by matplotlib."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treatise.core.errors import MissingExtraError
from treatise.evaluate.report.summary import Row


def write_plots(rows: Sequence[Row], out: Path) -> list[Path]:
    """Writes ``OUT/<metric>.png`` and ``OUT/<metric>.svg`` for each metric; the same rows give the same SVG.

    Raises:
        MissingExtraError: If matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("a plot", "eval") from error
    out.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context({"svg.hashsalt": "treatise", "font.size": 10}):
        for metric in rows[0].scores:
            figure = Figure(figsize=(7.5, 3.6), layout="constrained")
            _draw(figure.subplots(), rows, metric)
            figure.legend(loc="outside right upper", frameon=False)
            for kind in ("png", "svg"):
                written.append(out / f"{metric}.{kind}")
                figure.savefig(written[-1], dpi=200, metadata={"Date": None} if kind == "svg" else None)
    return written


def _draw(axes: Any, rows: Sequence[Row], metric: str) -> None:
    recipes = list(dict.fromkeys(row.recipe for row in rows))
    budgets = sorted({row.budget for row in rows})
    for i, recipe in enumerate(recipes):
        mine = sorted((row for row in rows if row.recipe == recipe and metric in row.scores), key=lambda r: r.budget)
        scores = [row.scores[metric] for row in mine]
        shift = (i - (len(recipes) - 1) / 2) * 0.06  # so that intervals do not overlap
        axes.errorbar(
            [budgets.index(row.budget) + shift for row in mine],
            [score.mean for score in scores],
            yerr=[[score.mean - score.low for score in scores], [score.high - score.mean for score in scores]],
            label=recipe,
            marker="o",
            markersize=4,
            capsize=2.5,
            linewidth=1.5,
            elinewidth=1,
        )
    axes.set_xticks(range(len(budgets)), [str(budget) for budget in budgets])
    axes.set_xlabel("words of evidence")
    axes.set_ylabel(f"{metric} (%), 95 % interval")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
