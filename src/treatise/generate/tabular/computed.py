"""Extremes, counts, sums, averages and bounds over the rows of a table."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress, pairwise
from statistics import fmean, median
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.plurals import counted
from treatise.generate.currencies import SIGNS, currencies_in
from treatise.generate.tabular.asked import Computation, Op, asked_of_range, count_of_rows, total_words
from treatise.generate.tabular.bounds import Bound, ends_in
from treatise.generate.tabular.column import Column
from treatise.generate.tabular.extremes import extreme_of, repeated_things
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.locations import ASKS_WHERE
from treatise.generate.tabular.measured import understood
from treatise.generate.tabular.named import named_cells, thing_column
from treatise.generate.tabular.numbers import TIME, is_missing, read_values, shown
from treatise.generate.tabular.ranged import limit_in, rows_in_range
from treatise.generate.tabular.result import (
    MAX_CITED,
    NO_SUM,
    Found,
    Unknown,
    joined,
    listing,
    without_values,
)
from treatise.generate.tabular.selected import Selected, column_of_form, select
from treatise.generate.tabular.words import Token, Wording, tokens

_OF_UNITS: Final = lazy_pattern(r"(?:currency|currencies|units?|unit of measure)", re.IGNORECASE)
_DECIMALS: Final = lazy_pattern(r"\d[.,](\d{1,2})\D*$")
_CENTS: Final = 2
_SWAPPED: Final = str.maketrans(",.", ".,")
_PREDICATE: Final = lazy_pattern(r"\b(?:is|are|was|were)\s+$", re.IGNORECASE)
_MAX_NUMBERED: Final = 2
_NO_THING: Final = "the question names no column of what it asks for"


def compute(question: str, asked: Computation, grid: Grid, *, in_prose: bool = False) -> Found | Unknown:
    """The answer of a table to a question for an extreme, a count, a sum, an average or the rows within a bound.

    Every word of the question must be one of the table; ``in_prose``, where the text around may say what the rows are,
    only every number.
    """
    if asked.op is Op.COUNT and asked.bound is None:
        return _count(question, asked, grid)
    selected = select(question, asked, grid, in_prose=in_prose)
    if isinstance(selected, Unknown):
        return selected
    assert selected.measure is not None
    values = grid.columns[selected.measure].values
    head = grid.heads[selected.measure]
    if values.problem:
        return Unknown(f"the column {head} cannot be computed with: {values.problem}", 3)
    if not (values.unit or currencies_in(head)) and (differing := _differing_units(grid, selected.rows)):
        return Unknown(f"rows of different {differing} are neither added nor compared", 3)
    numbers = {row: values.by_row[row] for row in selected.rows if row in values.by_row}
    if not numbers:
        return Unknown(f"no row{selected.limits} has a value of {head}", 3)
    note = without_values(len(selected.rows) - len(numbers))
    if asked.op in (Op.HIGHEST, Op.LOWEST):
        return extreme_of(question, selected, numbers, note)
    if asked.op in (Op.WITHIN, Op.COUNT):
        return _within(question, selected, numbers, note)
    return _aggregate(selected, numbers, note, values.unit)


def _differing_units(grid: Grid, rows: Sequence[int]) -> str:
    """The head of a column of currencies or units in which the rows differ; empty if there is none."""
    columns = [
        one
        for one, head in grid.heads.items()
        if _OF_UNITS.fullmatch(head.strip()) and not grid.columns[one].is_counted
    ]
    return next((grid.heads[one] for one in columns if len({grid.cell(row, one) for row in rows}) > 1), "")


# --- counts and bounds ----------------------------------------------------------------------------------------------


def count_of(question: str, grid: Grid) -> Found | Unknown | None:
    """The number of rows that have a cell: "How many invoices are unpaid?".

    A refusal if they have several numbers that may be meant; None if neither rows nor such numbers are asked for.
    """
    asked = count_of_rows(question)
    if asked is None:
        return None
    column = thing_column(Wording(question).within(asked.spans), asked.thing, grid, is_counted=True).column
    if column is None:
        return _count(question, asked, grid) if _is_of_title(question, asked, grid) else None
    if grid.columns[column].is_text or grid.columns[column].is_code:
        return _count(question, asked, grid)
    named = named_cells(Wording(question), grid).by_column.values()
    is_open = grid.columns[column].is_key or any(len(rows) > 1 for rows in named)
    return Unknown(f"the column {grid.heads[column]} is of numbers; ask for its total", 2) if is_open else None


def sum_of(question: str, grid: Grid) -> Found | None:
    """The sum that "How many murders were there in Texas?" asks of a column of numbers; None if it asks for none.

    The question must name rows, or ask for a total. A cell after "are" ("how many are local?") says of which kind the
    counted things are, which the column of numbers does not know.
    """
    asked = count_of_rows(question)
    if asked is None or asked.is_negated:
        return None
    if any(_PREDICATE.search(question[: one.start]) for one in _named_words(question, grid)):
        return None
    totals = total_words(question)
    words = Wording(question).within((*asked.spans, *totals))
    thing = thing_column(words, asked.thing, grid, is_counted=True)
    columns = thing.among or (() if thing.column is None else (thing.column,))
    if not columns or not all(grid.columns[one].is_summable for one in columns):
        return None
    found = compute(question, replace(asked, op=Op.TOTAL, spans=(*asked.spans, *totals), ends=ends_in(question)), grid)
    is_limited = isinstance(found, Found) and bool(found.rows or totals or named_cells(words, grid).used)
    return found if isinstance(found, Found) and is_limited and len(found.rows) != 1 else None


def _named_words(question: str, grid: Grid) -> list[Token]:
    wording = Wording(question)
    return [wording.tokens[at] for at in named_cells(wording, grid).used]


def _is_of_title(question: str, asked: Computation, grid: Grid) -> bool:
    """Whether what is counted is called like the table, and by no column: the rows of "orders.csv" are orders."""
    words = Wording(question).within(asked.spans)
    if asked.thing == (0, 0) or thing_column(words, asked.thing, grid, is_counted=True).column is not None:
        return False
    named = understood(question, asked, grid).with_(named_cells(words, grid).used)
    first, last = asked.thing
    return not any(first <= one.start < last for one in named.left)


def _count(question: str, asked: Computation, grid: Grid) -> Found | Unknown:
    """The number of different values of a column, or of rows if it names them."""
    selected = select(question, asked, grid, wants_measure=False)
    if isinstance(selected, Unknown):
        return selected
    rows = selected.rows if selected.limits and len(selected.rows) <= MAX_CITED else ()
    of_rows = Found(f"{len(selected.rows):,}", selected.of_rows, rows)
    if _is_of_title(question, asked, grid):
        return of_rows
    if selected.thing is None or not selected.names_thing:
        return Unknown("the question names no column that could be counted")
    column = grid.columns[selected.thing]
    if not (column.is_text or column.is_key or column.is_code):
        return Unknown(f"the column {column.head} is of numbers; ask for its total, or for its rows", 2)
    texts = [column.cells[row] for row in selected.rows]
    if any(map(is_missing, texts)):
        return Unknown(f"some rows have no {column.head}", 2)
    if column.is_key:
        return of_rows
    n = len({text.casefold() for text in texts})
    if n < len(texts) and not asked.is_distinct:
        return Unknown(f"{selected.of_rows} have {n:,} different values of {column.head}; either may be meant", 2)
    return Found(f"{n:,}", f"{counted(n, 'different value')} of {column.head} in {selected.of_rows}", rows)


def _within(question: str, selected: Selected, numbers: dict[int, float], note: str) -> Found | Unknown:
    """The names or the number of the rows whose value is within a bound."""
    asked, grid, measure = selected.asked, selected.grid, selected.measure
    assert measure is not None
    assert asked.bound is not None
    head = grid.heads[measure]
    bound = limit_in(grid.columns[measure], asked.bound)
    if isinstance(bound, Unknown):
        return bound
    if note and bound == Bound("=", 0.0):
        return Unknown(f"{head} has blank cells{note}, which may mean none or unknown", 3)
    is_of_place = ASKS_WHERE.match(question) is not None and column_of_form(question, grid) == selected.thing
    if selected.thing is None or not (selected.names_thing or is_of_place):
        return Unknown(_NO_THING, 1)
    if selected.thing != grid.label and not is_of_place and (repeated := repeated_things(question, selected, numbers)):
        return repeated
    thing = grid.columns[selected.thing]
    if not (thing.is_text or thing.is_key):
        return Unknown(f"the column {thing.head} is of numbers, not of names", 2)
    rows = [row for row, value in numbers.items() if bound.holds(value)]
    statement = f"{len(rows):,} of {selected.of_rows}{note} have {head} {bound.sign} {shown(bound.number)}"
    if asked.op is Op.COUNT:
        if len({thing.cells[row] for row in rows}) < len(rows):
            return Unknown(f"{statement}, which name some {thing.head} twice", 3)
        return Found(f"{len(rows):,}", statement, tuple(rows[:MAX_CITED]))
    if note and not rows:
        return Unknown(f"{statement}; others have no value", 3)
    return _named_rows(thing, rows, statement)


def in_range(question: str, grid: Grid) -> Found | Unknown | None:
    """The names or the number of the rows within a range; None if the question or the table has no such range."""
    asked = asked_of_range(question)
    if asked is None or rows_in_range(question, asked, grid) is None:
        return None
    if asked.op is Op.COUNT:
        return _count(question, asked, grid)
    selected = select(question, asked, grid, wants_measure=False)
    if isinstance(selected, Unknown):
        return selected
    if selected.thing is None or not selected.names_thing:
        return Unknown(_NO_THING, 1)
    thing = grid.columns[selected.thing]
    return _named_rows(thing, selected.rows, selected.of_rows) if thing.is_text or thing.is_key else None


def _named_rows(thing: Column, rows: Sequence[int], statement: str) -> Found | Unknown:
    names = list(dict.fromkeys(thing.cells[row].strip("* ") for row in rows))
    if not rows:
        return Found("none", statement)
    if len(rows) > MAX_CITED or not all(names):
        return Unknown(f"{statement}: too many to list", 3)
    text = joined(names)
    return Found(text, f"{statement}: {text}", tuple(rows), is_read=len(rows) == 1)


# --- sums and averages ----------------------------------------------------------------------------------------------


def _aggregate(selected: Selected, numbers: dict[int, float], note: str, unit: str) -> Found | Unknown:
    asked, grid, measure = selected.asked, selected.grid, selected.measure
    assert measure is not None
    head = grid.heads[measure]
    if unit == TIME:
        return Unknown(f"the column {head} is of times, which are not added here", 3)
    column = grid.columns[measure]
    is_average = unit in ("%", "‰") or column.is_of_averages
    if is_average and asked.op is Op.TOTAL:
        return Unknown(f"the column {head} is of shares or averages, {NO_SUM}", 3)
    if column.is_of_states and asked.op is Op.TOTAL:
        return Unknown(f"the column {head} is of temperatures or running totals, {NO_SUM}", 3)
    if _counts_on(numbers) or column.numbers_rows:
        return Unknown(f"the column {head} is of ranks, codes or years", 3)
    if selected.limits and len(numbers) == 1:
        if asked.op is not Op.TOTAL:
            return Unknown(f"only one row{selected.limits} has a value of {head}, so there is no {asked.op}", 3)
        (row,) = numbers
        return Found(grid.cell(row, measure), f"{head}: {grid.cell(row, measure)}, of {selected.of_rows}{note}", (row,))
    value = _value(asked.op, list(numbers.values()))
    stated = [cells[measure] for cells in _totals_of(selected) if measure in cells]
    if asked.op is Op.TOTAL and stated and not _is_stated(stated, value, grid, measure):
        return Unknown(f"the rows of {head} sum to {shown(value)}, but the table's total is {listing(stated)}", 3)
    text = _as_in_column(value, selected)
    weights = ", each row alike" if is_average and asked.op is Op.AVERAGE else ""
    rows = tuple(numbers) if selected.limits and len(numbers) <= MAX_CITED else ()
    return Found(text, f"{head}: {text}, the {asked.op} of {selected.of_rows}{note}{weights}", rows)


def _as_in_column(value: float, selected: Selected) -> str:
    """A number with the column's unit at its place, and its decimal comma."""
    assert selected.measure is not None
    values = selected.grid.columns[selected.measure].values
    unit, number = values.unit, shown(value)
    cells = [cells.get(selected.measure, "").strip() for cells in selected.grid.cells]
    n_decimals = {len(match[1]) if (match := _DECIMALS.search(cell)) else 0 for cell in cells if not is_missing(cell)}
    whole, _, decimals = number.partition(".")
    if decimals or 0 not in n_decimals:
        least = _CENTS if decimals and currencies_in(unit) else max(n_decimals) if len(n_decimals) == 1 else 0
        number = f"{whole}.{decimals.ljust(least, '0')}".rstrip(".")
    if values.has_decimal_comma:
        number = number.translate(_SWAPPED)
    is_before = unit in SIGNS and not any(unit and cell.endswith(unit) for cell in cells)
    return f"{unit}{number}" if is_before else f"{number} {unit}".strip().replace(" %", "%")


def _value(op: Op, values: Sequence[float]) -> float:
    if op is Op.MEDIAN:
        return median(values)
    return fmean(values) if op is Op.AVERAGE else math.fsum(values)


def _counts_on(numbers: dict[int, float]) -> bool:
    """Whether the values only number the rows."""
    values = list(numbers.values())
    return len(values) > _MAX_NUMBERED and all(b - a == 1 for a, b in pairwise(values))


def _totals_of(selected: Selected) -> list[dict[int, str]]:
    """The rows of totals of the rows that are added: all, or those called like what the rows have in common."""
    grid = selected.grid
    heads = {one.meaning for head in grid.heads.values() for one in tokens(head)}
    limits = {one.meaning for one in tokens(selected.limits)[1:]} - heads
    are_of = (not limits or grid.of_totals.total_names(row) == limits for row in range(len(grid.totals)))
    return list(compress(grid.totals, are_of))


def _is_stated(totals: Sequence[str], value: float, grid: Grid, column: int) -> bool:
    """Whether a total of a column is a value, or all are together: subtotals without a grand total."""
    cells = {row: grid.cell(row, column) for row in range(len(grid.rows))}
    found = read_values({**cells, **{-1 - at: one for at, one in enumerate(totals)}}).by_row
    numbers = [number for row, number in found.items() if row < 0]
    return not numbers or any(abs(one - value) <= 0.005 * max(1.0, abs(value)) for one in (*numbers, sum(numbers)))
