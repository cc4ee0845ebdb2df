"""The tables of docs/design/structure-pays.md, and its curves as SVG."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from structure.experiment import (
    BALANCED,
    GOLD,
    NONE,
    OURS,
    OURS_EDUS,
    RANDOM,
    SHARES,
    Sums,
    System,
    crossing,
    figure,
    interval,
)
from structure.gum import Annotated
from structure.measures import MAY_GO, USED, Subject
from structure.satellites import content, deletions, is_safe
from structure.trees import ALL, KINDS

Results = Mapping[tuple[str, object], Sums]

CURVES: Final = tuple(USED)
"""Measures with a curve."""

ROWS: Final = (NONE, GOLD, OURS, OURS_EDUS, BALANCED, RANDOM)
_FONT: Final = "DejaVu Sans"  # comes with matplotlib; a reader's own font without serifs is drawn
_COLOURS: Final = dict(zip(KINDS, ("#1f77b4", "#d62728", "#2ca02c", "#333333"), strict=True))


def quality_table(systems: Sequence[System], subjects: Sequence[Subject]) -> Iterator[str]:
    """Parseval over EDUs of every system: what a share of spoiled nodes means."""
    yield "| trees | span | nuclearity | relation | full |"
    yield "|---|--:|--:|--:|--:|"
    for system in systems:
        name = system.name if isinstance(system.name, str) else f"{system.name[0]}, {system.name[1]:.0%} spoiled"
        found = system.parseval(subjects)
        yield f"| {name} | {found.span:.1f} | {found.nuclearity:.1f} | {found.relation:.1f} | {found.full:.1f} |"


def gains_table(results: Results, measures: Sequence[str]) -> Iterator[str]:
    """Each measure without a tree, and the gain of each kind of tree over that."""
    yield f"| percent | {' | '.join(ROWS)} |"
    yield f"|---|{'---|' * len(ROWS)}"
    for name in measures:
        base = results[name, NONE]
        low, high = interval(base)
        cells = [f"{figure(base):.1f} [{low:.1f}, {high:.1f}]"]
        cells += [_gain(results[name, system], base) for system in ROWS[1:]]
        yield f"| {name} | {' | '.join(cells)} |"


def genre_table(results: Results, subjects: Sequence[Subject], name: str) -> Iterator[str]:
    """A measure's gain over no tree by genre, gold and ours."""
    genres = [subject.annotated.genre for subject in subjects]
    yield f"| {name} | n | {NONE} | {GOLD} | {OURS} |"
    yield "|---|--:|--:|--:|--:|"
    for genre in dict.fromkeys(genres):
        kept = np.array([one == genre for one in genres])
        base, gold, ours = (figure(results[name, system][kept]) for system in (NONE, GOLD, OURS))
        yield f"| {genre} | {kept.sum()} | {base:.1f} | {gold - base:+.1f} | {ours - base:+.1f} |"


def relations_table(documents: Sequence[Annotated]) -> Iterator[str]:
    """Gold satellites inside sentences by relation: how many may go by grammar, and what they say."""
    yield "| relation | n | safe to delete | words of summaries in it | in the rest of its sentence | goes |"
    yield "|---|--:|--:|--:|--:|---|"
    found: dict[str, list[tuple[bool, list[float], list[float]]]] = {}
    for document in documents:
        for one in deletions(document.gold, document.sentence_of_edu):
            found.setdefault(one.relation, []).append((is_safe(document, one), *content(document, one)))
    for relation, rows in sorted(found.items(), key=lambda item: -len(item[1])):
        safe = 100 * np.mean([row[0] for row in rows])
        gone, kept = ([value for row in rows for value in row[at]] for at in (1, 2))
        cells = f"{safe:.0f} % | {100 * np.mean(gone or [0]):.0f} % | {100 * np.mean(kept or [0]):.0f} %"
        yield f"| {relation} | {len(rows)} | {cells} | {'yes' if relation in MAY_GO else ''} |"


def crossings_table(results: Results, systems: Sequence[System], subjects: Sequence[Subject]) -> Iterator[str]:
    """From which quality of trees on a task gains: where the curve of gold trees spoiled in every way crosses zero."""
    spoiled = [system for system in systems if system.name == GOLD or system.name[0] == ALL]
    qualities = [system.parseval(subjects) for system in spoiled]
    ours = next(system for system in systems if system.name == OURS_EDUS).parseval(subjects)
    yield "| gain over no tree | span / nuclearity / full from which it is above 0 | … for sure (95 %) | ours |"
    yield "|---|---|---|---|"
    for name in CURVES:
        base = results[name, NONE]
        gains = [figure(results[name, system.name]) - figure(base) for system in spoiled]
        lows = [interval(results[name, system.name], base)[0] for system in spoiled]
        cells = [
            " / ".join(_quality([getattr(one, part) for one in qualities], values) for part in _PARTS)
            for values in (gains, lows)
        ]
        of_ours = " / ".join(f"{getattr(ours, part):.0f}" for part in _PARTS)
        yield f"| {name} | {cells[0]} | {cells[1]} | {of_ours}: {_gain(results[name, OURS], base)} |"


_PARTS: Final = ("span", "nuclearity", "full")


def _quality(qualities: Sequence[float], gains: Sequence[float]) -> str:
    found = crossing(qualities, gains)
    if found is None:
        return "never"
    return f"below {min(qualities):.0f}" if found == min(qualities) else f"{found:.0f}"


def draw_shares(results: Results, path: Path) -> None:
    """Gain over no tree by the share of gold nodes spoiled, one panel per measure."""
    figure_, axes = _panels("share of the gold tree's nodes spoiled")
    for ax, name in zip(axes, CURVES, strict=True):
        base = results[name, NONE]
        for kind in KINDS:
            if kind not in (*USED[name], ALL):
                continue
            points = [(0.0, results[name, GOLD]), *((share, results[name, (kind, share)]) for share in SHARES)]
            values = [figure(sums) - figure(base) for _, sums in points]
            ax.plot([share for share, _ in points], values, label=kind, color=_COLOURS[kind], linewidth=1.6)
            if kind == ALL:
                bounds = [interval(sums, base) for _, sums in points]
                ax.fill_between([share for share, _ in points], *zip(*bounds, strict=True), color="#333333", alpha=0.12)
        _our_line(ax, results, name)
    _save(figure_, axes, path)


def draw_qualities(
    results: Results,
    systems: Sequence[System],
    groups: Mapping[str, np.ndarray],
    subjects: Sequence[Subject],
    path: Path,
) -> None:
    """Gain over no tree by the trees' quality, full Parseval; our parser as a point per group of documents."""
    figure_, axes = _panels("full Parseval over EDUs, percent")
    spoiled = [system for system in systems if system.name == GOLD or system.name[0] == ALL]
    ours = next(system for system in systems if system.name == OURS_EDUS)
    qualities = [system.parseval(subjects).full for system in spoiled]
    for ax, name in zip(axes, CURVES, strict=True):
        base = results[name, NONE]
        bounds = [interval(results[name, system.name], base) for system in spoiled]
        values = [figure(results[name, system.name]) - figure(base) for system in spoiled]
        ax.plot(qualities, values, color="#333333", linewidth=1.6, label="gold trees, spoiled")
        ax.fill_between(qualities, *zip(*bounds, strict=True), color="#333333", alpha=0.12)
        for (group, kept), marker in zip(groups.items(), "os^", strict=False):
            some = [subject for subject, keep in zip(subjects, kept, strict=True) if keep]
            gain = figure(results[name, OURS][kept]) - figure(base[kept])
            low, high = interval(results[name, OURS][kept], base[kept])
            at = ours.of(kept).parseval(some).full
            ax.errorbar(
                [at], [gain], yerr=[[gain - low], [high - gain]], marker=marker, capsize=2.5, label=f"ours, {group}"
            )
    _save(figure_, axes, path)


def _our_line(ax: Any, results: Results, name: str) -> None:
    base, ours = results[name, NONE], results[name, OURS]
    ax.axhline(figure(ours) - figure(base), color="#ff7f0e", linestyle="--", linewidth=1.4, label="our parser")


def _panels(label: str) -> tuple[Any, Any]:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update({"svg.hashsalt": "treatise", "svg.fonttype": "none", "font.size": 8})
    mpl.rcParams.update({"font.family": _FONT})
    drawn = Figure(figsize=(9.5, 5.4), layout="constrained")
    drawn.supxlabel(label)
    drawn.supylabel("gain over no tree, points")
    axes = drawn.subplots(2, 3).ravel()
    for ax, name in zip(axes, CURVES, strict=True):
        ax.set_title(name, fontsize=7)
        ax.axhline(0, color="black", linewidth=0.8)
        ax.grid(alpha=0.25)
        ax.spines[["top", "right"]].set_visible(False)
    return drawn, axes


def _save(drawn: Any, axes: Any, path: Path) -> None:
    handles: dict[str, Any] = {}
    for ax in axes:
        handles |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    drawn.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=len(handles), frameon=False)
    drawn.savefig(path, metadata={"Date": None})
    path.write_text(path.read_text("utf-8").replace(f"'{_FONT}'", "sans-serif"), encoding="utf-8")


def _gain(sums: Sums, base: Sums) -> str:
    low, high = interval(sums, base)
    return f"{figure(sums) - figure(base):+.1f} [{low:+.1f}, {high:+.1f}]"
