"""The rows that a question limits by a number before it asks of them: "among those with more than 10 visitors"."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.bounds import Bound, bound_in
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.named import choose
from treatise.generate.tabular.numbers import shown
from treatise.generate.tabular.ranged import is_in_unit, limit_in
from treatise.generate.tabular.result import Found, Unknown, without_values
from treatise.generate.tabular.words import Head, Wording

_OPENS: Final = lazy_pattern(
    r"\b(?:with|having|whose|where|(?:that|which|who) (?:have|has|had))(?:(?!\b(?:with|and|or)\b)[^,?])*$",
    re.IGNORECASE,
)
"""What comes between the rows and the limit of theirs: "with a population of"."""
_CLOSES: Final = lazy_pattern(rf",(?!\d)|[?;]|\.(?!\d)|\b(?:{ALL.verbs}|{ALL.which}|{ALL.who}|and|or)\b", re.IGNORECASE)
_NEGATES: Final = lazy_pattern(rf"\b(?:{ALL.negation}|without|but|only)\W*$", re.IGNORECASE)
_LEADS: Final = lazy_pattern(r"\s*(?:among|amongst|of|for|in|from)\b(?P<rows>[^,?]*),", re.IGNORECASE)
_ELLIPSIS: Final = lazy_pattern(
    rf"\b(?:most|least|fewest|highest|lowest)(?=\s+(?:{ALL.of})\b|\s*(?:[?.]|$))", re.IGNORECASE
)
"""A superlative without its noun, which the limit has: "which had the fewest in 2014?"."""
_SIGNS: Final = {">": "above", ">=": "at least", "<": "below", "<=": "at most", "=": "equal to"}


@dataclass(frozen=True, slots=True)
class Limited:
    """A question without its limit, and the rows that keep it.

    Attributes:
        questions: The rest of the question, and the same with the noun of the limit if its superlative lacks one.
        grid: The table of these rows alone.
        rows: Their indices in the whole table.
    """

    questions: tuple[str, ...]
    grid: Grid
    rows: tuple[int, ...]


def found_in_limited(question: str, grid: Grid, ask: Callable[[str, Grid], Found | Unknown | None]) -> Found | None:
    """What is found of the rest of a question in the rows that keep its limit; None if that is open, or nothing."""
    limited = limited_by_number(question, grid)
    if limited is None:
        return None
    for rest in limited.questions:
        if isinstance(found := ask(rest, limited.grid), Found):
            return replace(found, rows=tuple(limited.rows[row] for row in found.rows))
    return None


def without_limit(question: str) -> str:
    """The question with its only limit blanked, at the same places; unchanged if it has none or several."""
    bound, spans = bound_in(question)
    start, end = _phrase(question, spans) if bound and spans else (0, 0)
    return question[:start] + " " * (end - start) + question[end:]


def limited_by_number(question: str, grid: Grid) -> Limited | None:
    """The question and the rows that keep its only limit; None if it has none, or its column is open.

    Rows without a value of that column are left out, and counted in the limit's words.
    """
    bound, spans = bound_in(question)
    if bound is None or not spans or _NEGATES.search(question[: spans[0][0]]):
        return None
    if question[spans[0][0] :].casefold().startswith("without"):
        return None  # "the cost without delivery" is of all rows
    start, end = _phrase(question, spans)
    wording = Wording(question)
    inside = wording.with_(at for at, one in enumerate(wording.tokens) if not start <= one.start < end)
    column, used = _column(inside, bound, spans, grid)
    if column is None or inside.with_(used).within(spans).left:
        return None
    part, rows = _rows_within(grid, column, bound)
    if not rows or part.label != grid.label:
        return None
    rest = _without_lead(without_limit(question), grid)
    noun = " ".join(wording.tokens[at].text for at in used if not wording.tokens[at].is_number)
    return Limited(tuple(dict.fromkeys((rest, _ELLIPSIS.sub(lambda found: f"{found[0]} {noun}", rest)))), part, rows)


def _phrase(question: str, spans: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """The place of the words that set a limit: "with more than 10 incidents in 2014"."""
    opening = _OPENS.search(question[: spans[0][0]])
    closing = _CLOSES.search(question, max(end for _, end in spans))
    return opening.start() if opening else spans[0][0], closing.start() if closing else len(question)


def _rows_within(grid: Grid, column: int, bound: Bound) -> tuple[Grid, tuple[int, ...]]:
    """The table of the rows that keep a limit, and their indices; no rows if it may be two numbers."""
    values = grid.columns[column].values.by_row
    limit = limit_in(grid.columns[column], bound)
    if not isinstance(limit, Bound) or (bound.number == 0 and len(values) < len(grid.rows)):
        return grid, ()
    rows = tuple(row for row, value in values.items() if limit.holds(value))
    text = f"{grid.heads[column]} {_SIGNS[limit.sign]} {shown(limit.number)}"
    text += without_values(len(grid.rows) - len(values))
    cells = [grid.cells[row] for row in rows]
    return replace(grid, rows=[grid.rows[row] for row in rows], cells=cells, totals=[], limit=text), rows


def _column(
    wording: Wording, bound: Bound, spans: tuple[tuple[int, int], ...], grid: Grid
) -> tuple[int | None, tuple[int, ...]]:
    """The column of the limit, by the words beside it or its unit, and the words that name it."""
    numeric = {at: head for at, head in grid.heads.items() if not grid.columns[at].values.problem}
    numbers = [at for at in wording.within(spans).understood if wording.tokens[at].is_number]
    chosen = choose(wording.with_(numbers), numeric)
    if chosen.column is not None or chosen.among or not bound.unit:
        return chosen.column, chosen.used
    of_unit = [at for at in numeric if is_in_unit(grid.columns[at], bound.unit)]
    return (of_unit[0] if len(of_unit) == 1 else None), ()


def _without_lead(question: str, grid: Grid) -> str:
    """The question without what the rows are called before it: "Among the cities, which …"."""
    match = _LEADS.match(question)
    if match is None:
        return question
    called = Wording(match["rows"])
    label = Head("" if grid.label is None else grid.heads[grid.label])
    is_plain = all(label.means(one) or grid.calls_rows(one) for one in called.left)
    return question[match.end() :].strip() if is_plain else question
