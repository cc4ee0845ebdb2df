"""A program's answer in words: the answer in short, and how it comes from the table."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.plurals import counted
from treatise.core.table_answer import TableAnswer
from treatise.programs.cells import MONTHS, date_text, is_time, month_of
from treatise.programs.conditions import How, Rows
from treatise.programs.program import Op, Program
from treatise.programs.sheet import Column, Sheet

_MAX_NAMED: Final = 3
_MAX_WORDS: Final = 6
_WORDS_OF_TEXT: Final = 6
"""Words of cells on average from which they are sentences."""
_AROUND: Final = lazy_pattern(r"\s*(?P<before>[^\d.,+−–-]{0,3}?)\s*[+−–-]?\(?\d[\d.,]*(?P<after>\s?[^\d]{0,12})")
_DECIMALS: Final = lazy_pattern(r"\.(\d+)")
_MINUTE: Final = 60
_AVERAGE_DECIMALS: Final = 2
_MAX_DECIMALS: Final = 4
_SIGNS: Final = {">": "above", ">=": "at least", "<": "below", "<=": "at most"}
_DATED_SIGNS: Final = {">": "after", ">=": "from", "<": "before", "<=": "until"}
_KEYED: Final = {
    Op.HIGHEST: "the highest",
    Op.LOWEST: "the lowest",
    Op.NTH_HIGHEST: "in order of",
    Op.NTH_LOWEST: "in order of, from below,",
    Op.TOP: "the highest",
    Op.BOTTOM: "the lowest",
    Op.HIGHEST_GROUP: "the highest total",
    Op.LOWEST_GROUP: "the lowest total",
}
_ABOVE: Final = frozenset((Op.HIGHEST, Op.NTH_HIGHEST, Op.TOP, Op.MAXIMUM, Op.TOTAL, Op.AVERAGE))
_UNLIMITED: Final = lazy_pattern(r"\bunlimited\b|\bno (?:limit|maximum)\b|∞", re.IGNORECASE)
_DATED: Final = {Op.HIGHEST: "the latest", Op.LOWEST: "the earliest", Op.TOP: "the latest", Op.BOTTOM: "the earliest"}
_PLACED: Final = {
    Op.FIRST: "first of",
    Op.LAST: "last of",
    Op.NTH: "in its place of",
    Op.FIRST_ROWS: "in their place of",
    Op.NEXT: "in the row after",
    Op.PREVIOUS: "in the row before",
    Op.COMMONEST: "the most frequent of",
    Op.RAREST: "the least frequent of",
    Op.MORE_ROWS: "in more rows, of",
    Op.FEWER_ROWS: "in fewer rows, of",
}
_SUMMED: Final = {
    Op.MAXIMUM: "the highest of",
    Op.MINIMUM: "the lowest of",
    Op.TOTAL: "the total of",
    Op.AVERAGE: "the average of",
}


def worded(program: Program, sheet: Sheet, probability: float) -> TableAnswer:
    """The answer of a program; without a statement if it is read from a row that says it all."""
    values = tuple(_shown(one, program) for one in program.result)
    is_computed = any(isinstance(one, float) for one in program.result)
    statement = _statement(program, sheet, ", ".join(values))
    is_of_text, is_of_all = _is_of_text(program.rows, sheet), program.rows.how is How.ALL
    return TableAnswer(
        values, statement, program.used, is_computed, probability, is_of_text, is_of_all, _is_exceeded(program)
    )


def _is_exceeded(program: Program) -> bool:
    """Whether a cell says that it has no limit, beside the highest number or a sum."""
    of = program.key if program.op in _ABOVE else None
    return of is not None and any(_UNLIMITED.search(of.cells[row]) for row in program.rows.rows)


def _statement(program: Program, sheet: Sheet, text: str) -> str:
    op, column, key = program.op, program.column, program.key
    n_missing = sum(row not in key.values for row in program.rows.rows) if key else 0
    note = f" ({n_missing:,} without a value)" if n_missing else ""
    among = _among(program.rows, sheet)
    name = f"{column.head}: {text}" if column and column.head.strip() else text
    if op is Op.CELL:
        return ""
    if op in _KEYED and key:
        by = (_DATED if key.is_of_dates else _KEYED).get(op, _KEYED[op])
        return f"{name}, by {by} {key.head}{_values(program, key)} of {among}{note}"
    if op in _SUMMED and key:
        return f"{key.head}: {text}, {_SUMMED[op]} {among}{note}"
    if op in _PLACED:
        return f"{name}, {_PLACED[op]} {among}"
    if op is Op.DISTINCT and column:
        return f"{text} different values of {column.head} in {among}"
    if op is Op.DIFFERENCE and key:
        return f"{key.head}: {text} between {' and '.join(key.cells[row].strip() for row in program.used)}, of {among}"
    if op in (Op.COLUMN_DIFFERENCE, Op.LARGER_COLUMN, Op.SMALLER_COLUMN) and column and key:
        pair = " and ".join(f"{one.head}: {one.cells[row].strip()}" for one in (column, key) for row in program.used)
        return f"{text}: {pair} in {among}"
    if op in (Op.HIGHEST_COLUMN, Op.LOWEST_COLUMN) and column:
        return f"{text}: {column.cells[program.used[0]].strip()}, of all numbers in {among}"
    if op in (Op.EXCEEDING, Op.N_EXCEEDING) and key:
        return f"{text}: rows with more {key.head if op is Op.EXCEEDING else column.head if column else ''} of {among}"
    if op is Op.ROW_TOTAL:
        return f"{text}, the total of all numbers in {among}"
    return among if op is Op.COUNT else f"{name}, of {among}"


def _values(program: Program, key: Column) -> str:
    """The values of the key in the rows of the answer, if there is one."""
    if program.op in (Op.HIGHEST_GROUP, Op.LOWEST_GROUP) or not program.used:
        return ""
    shown = dict.fromkeys(key.cells[row].strip() for row in program.used)
    return f", {', '.join(shown)}," if len(shown) <= _MAX_NAMED else ""


# --- rows -----------------------------------------------------------------------------------------------------------


def _among(rows: Rows, sheet: Sheet) -> str:
    """The rows in words: "3 rows with Team: Ajax"."""
    if rows.how is How.ALL:
        return f"all {counted(len(rows.rows), 'row')}"
    return f"{counted(len(rows.rows), 'row')} with {_condition(rows, sheet)}"


def _condition(rows: Rows, sheet: Sheet) -> str:
    if rows.how in (How.BOTH, How.THREE):
        return " and ".join(_condition(one, sheet) for one in rows.parts)
    if rows.how is How.OTHERS:
        return f"no {_condition(rows.parts[0], sheet)}"
    column = sheet.columns[rows.columns[-1]]
    head = column.head.strip() or f"column {column.at + 1}"
    limits = [date_text(one) if column.is_of_dates else _plain(one) for one in rows.limits]
    if rows.how is How.BOUND:
        return f"{head} {(_DATED_SIGNS if column.is_of_dates else _SIGNS)[rows.sign]} {limits[0]}"
    if rows.how is How.WITHIN:
        return f"{head} from {limits[0]} to {limits[1]}"
    if rows.how in (How.BLANK, How.NO):
        return f"no {head}"
    if rows.how is How.MONTH:
        return f"{head} in {MONTHS[month_of(column.values[min(rows.rows)])].title()}"
    values = [_clipped(one) for one in dict.fromkeys(column.cells[row].strip() for row in sorted(rows.rows))]
    n_more = len(values) - _MAX_NAMED
    more = f" and {counted(n_more, 'other value')}" if n_more > 0 else ""
    return f"{head}: {', '.join(values[:_MAX_NAMED])}{more}"


def _clipped(text: str) -> str:
    """The first words of a long cell."""
    words = text.split()
    return text if len(words) <= _MAX_WORDS else f"{' '.join(words[:_MAX_WORDS])} …"


def _is_of_text(rows: Rows, sheet: Sheet) -> bool:
    """Whether rows are found by some words of cells that are sentences."""
    if rows.parts:
        return any(_is_of_text(one, sheet) for one in rows.parts)
    if rows.how not in (How.PART, How.STEM, How.LIKE):
        return False
    words = [len(sheet.columns[rows.columns[0]].words[row]) for row in rows.rows]
    return sum(words) > _WORDS_OF_TEXT * len(words)


# --- numbers --------------------------------------------------------------------------------------------------------


def _shown(value: str | float, program: Program) -> str:
    """A cell as it stands; a number as the column writes its own."""
    if isinstance(value, str):
        return value.strip("* ") or value
    key = program.key
    if key is None or key.is_of_dates or program.op in (Op.N_EXCEEDING, Op.DISTINCT, Op.COUNT):
        return _plain(value)
    cells = [key.cells[row].strip() for row in key.values]
    if all(map(is_time, cells)):
        return _as_time(value, cells)
    n = max((len(match[1]) for one in cells if (match := _DECIMALS.search(one))), default=0)
    number = f"{value:,.{min(n, _MAX_DECIMALS)}f}"
    if program.op is Op.AVERAGE:
        number = f"{value:,.{min(max(n, _AVERAGE_DECIMALS), _MAX_DECIMALS)}f}"
        number = number if n else re.sub(r"\.?0+$", "", number)
    before, after = _units(cells)
    return f"{before}{number}{after}"


def _plain(value: float) -> str:
    """A number without the zeros of its end."""
    return f"{value:,.{_MAX_DECIMALS}f}".rstrip("0").rstrip(".")


def _units(cells: Sequence[str]) -> tuple[str, str]:
    """What stands before and after the number of every cell."""
    around = {(match["before"], match["after"]) for one in cells if (match := _AROUND.fullmatch(one))}
    return around.pop() if len(around) == 1 and all(_AROUND.fullmatch(one) for one in cells) else ("", "")


def _as_time(seconds: float, cells: Sequence[str]) -> str:
    """Seconds as the cells write times: with hours if one of them has."""
    hours, rest = divmod(round(seconds), _MINUTE**2)
    has_hours = hours or any(one.count(":") > 1 for one in cells)
    minutes = f"{rest // _MINUTE:02}" if has_hours else f"{rest // _MINUTE}"
    return f"{hours}:{minutes}:{rest % _MINUTE:02}" if has_hours else f"{minutes}:{rest % _MINUTE:02}"
