"""The rows whose number or date is between the ends that a question names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.dates import first_date
from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import currencies_in, same_unit
from treatise.generate.tabular.asked import Computation, Op
from treatise.generate.tabular.bounds import Bound, Ends, bound_of_end
from treatise.generate.tabular.column import Column
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.named import Choice, choose, named_cells, thing_column
from treatise.generate.tabular.numbers import TIME, is_missing, read_limit
from treatise.generate.tabular.result import NO_SCALE, NO_UNIT, Unknown, several_columns
from treatise.generate.tabular.words import Head, Token, Wording

_PERCENT: Final = lazy_pattern(r"%|\bper ?cent\b", re.IGNORECASE)
_DATED: Final = lazy_pattern(rf"(?:{ALL.dated})", re.IGNORECASE)
_OF_ANY_DATE: Final = lazy_pattern(rf"(?:{ALL.of_any_date})", re.IGNORECASE)
_FROM: Final = lazy_pattern(rf"(?:{ALL.from_})", re.IGNORECASE)
_TO: Final = lazy_pattern(rf"(?:{ALL.to})", re.IGNORECASE)
IN_ORDER: Final = lazy_pattern(rf"\b(?:{ALL.months}|{ALL.weekdays})\b|\d\W*$", re.IGNORECASE)
"""Cells of words that follow on each other: months, days of the week, and what ends with a number."""
_REVERSED: Final = "the range begins after its end"
_YEAR_LENGTH: Final = 4
_MONTH_LENGTH: Final = 7
_ANY_YEAR: Final = "2000"
_N_BESIDE: Final = 3
"""Words beside a range that may name its column."""


@dataclass(frozen=True, slots=True)
class Ranged:
    """What a range of a question selects.

    Attributes:
        rows: The rows within it.
        used: Indices of the question's words that name the range and its column.
        text: The range in words, such as "Amount from 100 to 500".
    """

    rows: frozenset[int]
    used: tuple[int, ...]
    text: str


def rows_in_range(question: str, asked: Computation, grid: Grid) -> Ranged | Unknown | None:
    """The rows within the range of a question; a refusal if its column is open; None if the table has no such column.

    Ends that stand in heads name columns, such as those of years.
    """
    ends = asked.ends
    wording = Wording(question)
    if ends is None or _names_cells(wording, ends, grid) or _has_row_with_ends(ends, grid):
        return None
    beside = _column_beside(wording, ends, grid)
    if months := _by_month(wording, ends, grid):
        return months
    columns = {at: one for at, one in grid.columns.items() if one.dates and not (ends.is_period and one.is_of_years)}
    chosen = choose(wording, {at: one.head for at, one in columns.items()})
    at = next(iter(columns), None) if chosen.column is None else chosen.column
    dates = None if at is None else _with_years(ends, columns[at])
    if at is None or dates is None:
        return None if ends.is_of_time else _by_number(wording, asked, grid, beside)
    if chosen.column is None and len(columns) > 1:
        return several_columns(grid, chosen.among or columns)
    if chosen.column is None and not _OF_ANY_DATE.fullmatch(columns[at].plain_head.strip()):
        if ends.is_period and all(map(grid.calls_rows, _inside(wording, ends))):
            return None  # the year of all rows
        return Unknown(f"the question does not say that it is of {columns[at].head}", 2)
    measure = None if beside.column is None else grid.columns[beside.column]
    thing = thing_column(wording, asked.thing, grid)
    used = {*chosen.used} - ({*thing.used} if thing.column == at else set())
    return _by_date(wording.with_(used), dates, columns[at], measure)


def _names_cells(wording: Wording, ends: Ends, grid: Grid) -> bool:
    """Whether an end is in a head, such as that of a year, or a period is a cell: "in March" of a column of months."""
    if any(Head(head).means(one) for head in grid.heads.values() for one in _inside(wording, ends)):
        return True
    last = max((at for at, one in enumerate(wording.tokens) if one.end <= ends.span[1]), default=-1)
    named = named_cells(wording, grid)
    return ends.low == ends.high and last in named.used and not _are_notes(named.by_column, grid)


def _are_notes(columns: Iterable[int], grid: Grid) -> bool:
    """Whether cells are remarks beside a column of dates: others of their columns name no month, day or year."""
    is_dated = any(one.dates and not one.is_of_years for one in grid.columns.values())
    cells = [cell for column in columns for cell in grid.columns[column].cells if not is_missing(cell)]
    return is_dated and not all(map(IN_ORDER.search, cells))


def _has_row_with_ends(ends: Ends, grid: Grid) -> bool:
    """Whether a row has the ends of a range below heads such as "From" and "To"."""
    first = next((one for one in grid.columns.values() if _FROM.fullmatch(one.head.strip())), None)
    last = next((one for one in grid.columns.values() if _TO.fullmatch(one.head.strip())), None)
    if first is None or last is None:
        return False
    return (ends.low, ends.high) in zip(first.cells, last.cells, strict=True)


def _inside(wording: Wording, ends: Ends) -> list[Token]:
    first, last = ends.span
    return [one for one in wording.tokens if first <= one.start and one.end <= last and one.is_number]


# --- dates ----------------------------------------------------------------------------------------------------------


def _with_years(ends: Ends, column: Column) -> Ends | None:
    """The ends with the only year of a column if they have none: "in March"; None if they are no dates."""
    years = {one[:_YEAR_LENGTH] for one in column.dates.values()}
    if len(years) == 1:
        (year,) = years
        ends = replace(ends, low=_with_year(ends.low, year), high=_with_year(ends.high, year))
    return ends if all(first_date(one) for one in (ends.low, ends.high) if one) else None


def _with_year(date: str, year: str) -> str:
    full = f"{date} {year}"
    return full if date and not first_date(date) and first_date(full) else date


def _by_date(wording: Wording, ends: Ends, column: Column, measure: Column | None) -> Ranged | Unknown:
    """The rows whose date is in a range; a refusal if its years may be numbers of the measure beside it."""
    low, high = first_date(ends.low), first_date(ends.high)
    if measure and max(len(low), len(high)) == _YEAR_LENGTH:
        first, last = float(low or "-inf"), float(high or "inf")
        if any(first <= one <= last for one in measure.values.by_row.values()):
            return Unknown(f"the range may be of years, or of {measure.head}", 3)
    if low > high != "":
        return Unknown(_REVERSED, 2)
    dates = column.dates
    if len(dates) < len(column.cells):
        return Unknown(f"some rows have no {column.head}", 3)
    if min(map(len, dates.values())) < max(len(low), len(high)):
        return Unknown(f"the values of {column.head} are no days", 3)
    rows = {row for row, one in dates.items() if is_in_period(one, low, high, is_strict=ends.is_strict)}
    dated = [at for at, one in enumerate(wording.tokens) if _DATED.fullmatch(one.text)]
    used = (*wording.within([ends.span]).understood, *dated)
    return Ranged(frozenset(rows), used, f"{column.head} {_in_words(ends)}")


def _by_month(wording: Wording, ends: Ends, grid: Grid) -> Ranged | None:
    """The rows from one month to another, in a table with a column of months, and perhaps one of years beside it.

    None if the table has no such column, or several, or lacks a month of the range.
    """
    months = [one for one in grid.columns.values() if one.months]
    years = [one for one in grid.columns.values() if one.is_of_years]
    low, high = (first_date(_with_year(one, _ANY_YEAR)) for one in (ends.low, ends.high))
    if len(months) != 1 or len(years) > 1 or len(low) != _MONTH_LENGTH or len(high) != _MONTH_LENGTH:
        return None
    has_year = bool(first_date(ends.high))
    if ends.low == ends.high or (has_year and not years):
        return None  # a single month is a cell
    number = months[0].months
    of_year = {row: years[0].cells[row] if has_year else _ANY_YEAR for row in number}
    dates = {row: f"{of_year[row]}-{month:02}" for row, month in number.items()}
    if len({one for one in dates.values() if low <= one <= high}) != _n_months(low, high):
        return None
    rows = {row for row, one in dates.items() if low <= one <= high}
    used = wording.within([ends.span]).understood
    return Ranged(frozenset(rows), tuple(used), f"{months[0].head} {_in_words(ends)}")


def _n_months(low: str, high: str) -> int:
    """How many months ``YYYY-MM`` there are from one to another.

    >>> _n_months("2023-11", "2024-02")
    4
    """
    (first_year, first), (last_year, last) = (map(int, one.split("-")) for one in (low, high))
    return 12 * (last_year - first_year) + last - first + 1


def is_in_period(date: str, low: str, high: str, *, is_strict: bool) -> bool:
    """Whether a date is between two, which count in full: "until March 2024" has the days of March."""
    above, below = date[: len(low)], date[: len(high)]
    if is_strict:
        return above > low if low else below < high
    return above >= low and (not high or below <= high)


# --- numbers --------------------------------------------------------------------------------------------------------


def _by_number(wording: Wording, asked: Computation, grid: Grid, beside: Choice) -> Ranged | Unknown | None:
    ends = asked.ends
    assert ends is not None
    low, high = bound_of_end(ends.low, ">="), bound_of_end(ends.high, "<=")
    if low is None or high is None:
        return None
    if beside.among:
        return several_columns(grid, beside.among)
    unit = low.unit or high.unit
    amounts = [at for at, one in grid.columns.items() if one.is_summable and is_in_unit(one, unit)]
    if beside.column is None and len(amounts) != 1:
        return Unknown("the question names no column of numbers for its range", 1)
    column = grid.columns[amounts[0] if beside.column is None else beside.column]
    first = limit_in(column, replace(low, unit=unit))
    last = limit_in(column, high)
    if isinstance(first, Unknown):
        return first
    if isinstance(last, Unknown):
        return last
    if first.number > last.number:
        return Unknown(_REVERSED, 2)
    if column.values.missing:
        return Unknown(f"some rows have no {column.head}", 3)
    rows = {row for row, value in column.values.by_row.items() if first.holds(value) and last.holds(value)}
    inside = wording.within([ends.span])
    is_measure = asked.op not in (Op.COUNT, Op.WITHIN) or asked.bound is not None
    others = choose(inside.with_(beside.used), _measured(grid))
    used = () if is_measure and others.column is None and not others.among else beside.used
    return Ranged(frozenset(rows), (*inside.understood, *used), f"{column.head} {_in_words(ends)}")


def _column_beside(wording: Wording, ends: Ends, grid: Grid) -> Choice:
    """The column of numbers that the words after or before a range name: "between 10 and 30 seats"."""
    after = [at for at, one in enumerate(wording.tokens) if one.start >= ends.span[1]]
    before = [at for at, one in enumerate(wording.tokens) if one.end <= ends.span[0]]
    for near in (after[:1], before[-_N_BESIDE:]):
        chosen = choose(wording.with_(set(range(len(wording.tokens))) - set(near)), _measured(grid))
        if chosen.column is not None or chosen.among:
            return chosen
    return Choice()


def _measured(grid: Grid) -> dict[int, str]:
    return {at: one.head for at, one in grid.columns.items() if grid.is_measured(at) and not one.values.problem}


def is_in_unit(column: Column, unit: str) -> bool:
    """Whether a column is of a unit by its cells or its head; of any if the unit is empty."""
    of_head = currencies_in(column.head) | ({"%"} if _is_of_percent(column) else set())
    return not unit or same_unit(unit) in (same_unit(column.unit), *of_head)


def _is_of_percent(column: Column) -> bool:
    """Whether the head of a column says percent, and its numbers are no fractions of 1."""
    return _PERCENT.search(column.head) is not None and any(abs(one) > 1 for one in column.values.by_row.values())


def limit_in(column: Column, bound: Bound) -> Bound | Unknown:
    """The limit as a column writes numbers; a refusal if it is in another unit, or may be two numbers."""
    values = column.values
    if values.problem:
        return Unknown(f"the column {column.head} cannot be computed with: {values.problem}", 3)
    if values.unit == TIME or not is_in_unit(column, bound.unit):
        return Unknown(f"the values of {column.head} {NO_UNIT} {bound.unit or 'numbers'}", 3)
    number = read_limit(bound.written, values) if bound.written else bound.number
    if number is None:
        return Unknown(f"the separator in “{bound.written}” may be of thousands or of decimals", 3)
    return _in_scale(column, replace(bound, number=number))


def _in_scale(column: Column, bound: Bound) -> Bound | Unknown:
    """The limit in the scale of a column: 2,000 for "2 million" below "(thousands)"; a refusal if that is open.

    A limit without a scale is as the column writes numbers, unless it is so high that it may be in full ("over
    2,000,000"), and parts the rows only so. One with a scale that parts no rows of a column without one may be of
    another scale than it.
    """
    full = replace(bound, number=bound.number * bound.scale / column.scale, scale=1.0)
    if bound.scale == 1.0 and bound.number < column.scale:
        return bound
    parts_in_full = _parts(column, full)
    is_open = (
        column.scale == 1.0 and not parts_in_full if bound.scale != 1.0 else parts_in_full and _parts(column, bound)
    )
    if is_open and full != bound:
        return Unknown(f"the column is {column.head}, {NO_SCALE} {bound.written}", 3)
    return full if bound.scale != 1.0 or parts_in_full else bound


def _parts(column: Column, bound: Bound) -> bool:
    """Whether some values of a column are within a limit, and others are not."""
    return len(set(map(bound.holds, column.values.by_row.values()))) > 1


def _in_words(ends: Ends) -> str:
    """A range in words.

    >>> _in_words(Ends((0, 0), "100", "500 €")), _in_words(Ends((0, 0), "", "2020", is_strict=True))
    ('from 100 to 500 €', 'before 2020')
    """
    if ends.low and ends.high:
        return f"in {ends.low}" if ends.low == ends.high else f"from {ends.low} to {ends.high}"
    if ends.is_strict:
        return f"after {ends.low}" if ends.low else f"before {ends.high}"
    return f"from {ends.low} on" if ends.low else f"up to {ends.high}"
