"""The row before or after the one that a question names."""

import re
from itertools import pairwise
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.asked import asked_of_table, asked_thing
from treatise.generate.tabular.column import OF_TIMES
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.named import named_cells, thing_column
from treatise.generate.tabular.numbers import is_missing
from treatise.generate.tabular.result import Found
from treatise.generate.tabular.selected import column_of_form
from treatise.generate.tabular.words import Wording

_AFTER: Final = lazy_pattern(rf"\b(?:{ALL.after})\b", re.I)
_BEFORE: Final = lazy_pattern(rf"\b(?:{ALL.before})\b", re.I)
_OTHERWISE: Final = lazy_pattern(rf"\b(?:{ALL.no_neighbour})\b", re.I)
_YEAR: Final = lazy_pattern(r"\b(?:1[5-9]|20)\d\d\b")
_LEAST_ROWS: Final = 3


def asks_neighbour(question: str) -> bool:
    """Whether a question asks for what is before or after something else, and for nothing that is computed."""
    is_plain = not _OTHERWISE.search(question) and asked_of_table(question) is None
    return is_plain and bool(_AFTER.search(question)) != bool(_BEFORE.search(question))


def neighbour_of(question: str, grid: Grid) -> Found | None:
    """The cell after or before the only row that the question names; None if the table leaves it open.

    A table that runs back in time is not read: what is below was earlier.
    """
    after, before = _AFTER.search(question), _BEFORE.search(question)
    match = after or before
    place = _named(question, match.end(), grid) if match else None
    if place is None or len(grid.rows) < _LEAST_ROWS or _runs_back(grid):
        return None
    row, named = place
    found = row + (1 if after else -1)
    column = _asked(question, grid, named)
    if column is None or not 0 <= found < len(grid.rows):
        return None
    text = grid.cell(found, column)
    return None if is_missing(text) or text == grid.cell(row, column) else Found(text, "", (found,), is_read=True)


def _named(question: str, start: int, grid: Grid) -> tuple[int, int] | None:
    """Row and column of the only cell that the question names, after ``start``, if it has no other number."""
    wording = Wording(question)
    named = named_cells(wording, grid)
    others = [one for at, one in enumerate(wording.tokens) if at not in named.used]
    if len(named.by_column) != 1 or any(one.is_number for one in others):
        return None
    ((column, rows),) = named.by_column.items()
    is_after = all(wording.tokens[at].start >= start for at in named.used)
    return (min(rows), column) if len(rows) == 1 and is_after and grid.columns[column].is_text else None


def _asked(question: str, grid: Grid, named: int) -> int | None:
    """The column that is asked for: by its head, by "who" or "when", or that of the named cell."""
    chosen = thing_column(Wording(question), asked_thing(question), grid)
    if chosen.among:
        return None
    return next((one for one in (chosen.column, column_of_form(question, grid)) if one is not None), named)


def _runs_back(grid: Grid) -> bool:
    """Whether a column of years falls from row to row."""
    for column in (column for column, head in grid.heads.items() if OF_TIMES.search(head)):
        years = [_YEAR.search(grid.cell(row, column)) for row in range(len(grid.rows))]
        known = [int(match[0]) for match in years if match]
        if known and len(known) == len(years) and known[0] != known[-1]:
            return all(one >= other for one, other in pairwise(known))
    return False
