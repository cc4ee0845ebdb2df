"""What a table answers of all its rows, or of those within a number that the question limits them by."""

from collections.abc import Callable

from treatise.generate.tabular.asked import SUMMED, Computation, Op, asked_of_range, asked_of_table, asks_cell
from treatise.generate.tabular.cells import cell_of, difference_of, quantity_of, several_rows, unnamed_row
from treatise.generate.tabular.changes import change_of, extreme_change
from treatise.generate.tabular.computed import compute, count_of, in_range, sum_of
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.having import persons_having, rows_beside, rows_having
from treatise.generate.tabular.inflected import in_words_of
from treatise.generate.tabular.lacking import lacking_percentage
from treatise.generate.tabular.limited import found_in_limited
from treatise.generate.tabular.neighbours import asks_neighbour, neighbour_of
from treatise.generate.tabular.numbers import read_values
from treatise.generate.tabular.ranged import rows_in_range
from treatise.generate.tabular.result import Found, Unknown
from treatise.generate.tabular.superlatives import by_sense

Ask = Callable[[str, Grid], Found | Unknown | None]


def found_in_sheet(question: str, grid: Grid) -> Found | Unknown | None:
    """What a table that is a document answers: whatever the rules know; None if they know nothing of the question."""
    return _of_all_or_limited(question, grid, _of_sheet)


def found_within_text(question: str, grid: Grid, *, in_prose: bool) -> Found | Unknown | None:
    """What a table within text answers of several cells; single cells are left to a reader of the text.

    ``in_prose``, where the text may say what the rows are, as `compute` has it.
    """
    return _of_all_or_limited(question, grid, lambda rest, part: _of_text(rest, part, in_prose=in_prose))


def _of_all_or_limited(question: str, grid: Grid, ask: Ask) -> Found | Unknown | None:
    question = in_words_of(question, grid)
    found = ask(question, grid)
    return found if isinstance(found, Found) else found_in_limited(question, grid, ask) or found


def _of_text(question: str, grid: Grid, *, in_prose: bool) -> Found | Unknown | None:
    if row := _of_superlative(question, grid):
        return row
    asked = asked_of_table(question)
    if asked is None:
        found = neighbour_of(question, grid) if asks_neighbour(question) else None
        return found or in_range(question, grid)
    if asked.op is Op.DIFFERENCE:
        return difference_of(question, asked, grid)
    return compute(question, asked, grid, in_prose=in_prose and asked.op not in (Op.COUNT, Op.WITHIN))


def asks_bounded(question: str) -> bool:
    """Whether a question asks for the rows within a bound or a range, or for their number."""
    asked = asked_of_table(question) or asked_of_range(question)
    return asked is not None and asked.op in (Op.COUNT, Op.WITHIN) and bool(asked.bound or asked.ends)


def _of_sheet(question: str, grid: Grid) -> Found | Unknown | None:
    asked = asked_of_table(question)
    if found := _before_computing(question, asked, grid):
        return found
    if asked and asked.ends and rows_in_range(question, asked, grid):
        return compute(question, asked, grid)
    if (asked is None or asked.op is Op.COUNT) and (pieces := quantity_of(question, grid)):
        return pieces
    if asked is None:
        return lacking_percentage(question, grid) or _of_cells(question, grid)
    if asked.op in SUMMED and (cell := _cell_of_sum(question, asked, grid)):
        return cell
    if asked.op is Op.DIFFERENCE:
        return difference_of(question, asked, grid)
    return compute(question, asked, grid) if _has_numbers(grid) or asked.op is Op.COUNT else None


def _of_superlative(question: str, grid: Grid) -> Found | Unknown | None:
    return extreme_change(question, grid) or by_sense(question, grid)


def _before_computing(question: str, asked: Computation | None, grid: Grid) -> Found | Unknown | None:
    """What a superlative means by its sense, or the sum or range that is asked for; None if neither is."""
    if row := _of_superlative(question, grid):
        return row
    if (asked is None or asked.op is Op.COUNT) and (total := sum_of(question, grid)):
        return total
    return in_range(question, grid) if asked is None else None


def _cell_of_sum(question: str, asked: Computation, grid: Grid) -> Found | Unknown | None:
    """The cell that is a total or an average itself, such as that below "Total"; None if one is to be computed."""
    cell = cell_of(question, grid) if asks_cell(question) and not asked.is_negated else None
    is_several = isinstance(cell, Found) and (len(cell.rows) > 1 or not _is_number(cell.text))
    return compute(question, asked, grid) if is_several else cell


def _of_cells(question: str, grid: Grid) -> Found | Unknown | None:
    """The cell that a question asks for, or what it asks of several rows."""
    cell = cell_of(question, grid) if asks_cell(question) else None
    if isinstance(cell, Found):
        return cell
    return change_of(question, grid) or rows_having(question, grid) or cell or _of_rows(question, grid)


def _of_rows(question: str, grid: Grid) -> Found | Unknown | None:
    """What the question asks of several rows, if of any."""
    found = rows_beside(question, grid) or several_rows(question, grid) or persons_having(question, grid)
    return found or unnamed_row(question, grid) or count_of(question, grid)


def _is_number(text: str) -> bool:
    return not read_values({0: text}).problem


def _has_numbers(grid: Grid) -> bool:
    return any(grid.columns[column].is_counted for column, head in grid.heads.items() if head and column != grid.label)
