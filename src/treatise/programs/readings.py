"""All programs that a question may mean on a table, within limits."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import fsum
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.programs.conditions import How, Rows, conditions
from treatise.programs.program import Op, Program, Value
from treatise.programs.question import STOP, Question
from treatise.programs.row_sets import row_sets
from treatise.programs.sheet import Column, Kind, Sheet
from treatise.programs.vectors import WordVectors

_MAX_PROGRAMS: Final = 5_000
_MAX_LISTED: Final = 30
_MAX_TIED: Final = 3
_FEW_ROWS: Final = 8
_LEAST_GROUPED: Final = 4
_LEAST_COLUMNS: Final = 3
_MAX_COMPARED: Final = 5
_NO_VALUE: Final = ("", "-", "–", "—")
_DIGITS: Final = 6
_ASKS_DIFFERENCE: Final = lazy_pattern(
    r"differ|how (?:much|many|long|far)|more|less|fewer|between|gap|longer|older|years|higher|taller"
)
_COMPARES: Final = lazy_pattern(r"more|less|fewer|higher|lower|better|worse|than|above|below|greater|exceed|outs\w+")
_RANKING_TEXT: Final = """
top first last best most highest lowest worst largest biggest smallest least longest shortest oldest youngest cheapest
"""
_RANKING: Final = frozenset(_RANKING_TEXT.split())
_BESIDE: Final = 2
"""Tokens before and after a number among which a word of rankings makes it a number of rows."""


def programs_of(question: Question, sheet: Sheet, vectors: WordVectors) -> tuple[list[Program], list[Rows]]:
    """The programs that a question may mean, and the conditions on single columns that they come from."""
    found = conditions(question, sheet, vectors)
    all_ = (one for rows in row_sets(question, sheet, found) for one in _programs(question, sheet, rows))
    return [one for one in islice(all_, _MAX_PROGRAMS) if any(one.result) or one.result == (0.0,)], found


def _programs(question: Question, sheet: Sheet, rows: Rows) -> Iterator[Program]:
    if sheet.n_rows:
        yield Program(Op.COUNT, rows, (float(len(rows.rows)),), used=tuple(sorted(rows.rows)))
    if not rows.rows:
        return
    if rows.how is not How.ALL:
        yield from _cells(sheet, rows)
    if len(rows.rows) > 1:
        yield from _values(sheet, rows)
        yield from _places(question, sheet, rows)
        for key in sheet.keys:
            yield from _by_key(question, sheet, rows, key)
        if len(rows.rows) >= _LEAST_GROUPED:
            yield from _groups(sheet, rows)
        yield from _rankings(question, sheet, rows)
    elif not rows.how.is_of_values:
        yield from _within_row(question, sheet, rows)
    if rows.how is How.ALL and question.has(_COMPARES):
        yield from _exceeding(question, sheet, rows)
    if not (rows.how in (How.ALL, How.EITHER) or rows.how.is_of_values):
        yield from _neighbours(sheet, rows)
    if rows.how is How.EITHER:
        yield from _sizes(sheet, rows)


def _filled(column: Column, rows: Iterable[int]) -> tuple[str, ...]:
    """The different values of a column in rows, in their order."""
    return tuple(dict.fromkeys(text for row in rows if (text := column.cells[row].strip()) not in _NO_VALUE))


def _names_rows(column: Column, rows: Rows) -> bool:
    """Whether the rows are those with the question's words in this column: it is known, and not asked for."""
    return column.at in rows.columns and rows.how is How.WHOLE


# --- cells ----------------------------------------------------------------------------------------------------------


def _cells(sheet: Sheet, rows: Rows) -> Iterator[Program]:
    used = tuple(sorted(rows.rows))
    may_repeat = rows.how in (How.PART, How.SAME) or rows.how.is_of_values or rows.name == "both(part,whole)"
    if len(used) > _MAX_LISTED:
        return
    for column in sheet.columns:
        if (column.at not in rows.columns or may_repeat) and (values := _filled(column, used)):
            several = Op.ONE_VALUE if len(values) == 1 else Op.VALUES
            yield Program(Op.CELL if len(used) == 1 else several, rows, values, column, used=used)


def _values(sheet: Sheet, rows: Rows) -> Iterator[Program]:
    """How many different values a column has, and which one most rows have."""
    used = sorted(rows.rows)
    for column in sheet.columns:
        repeats = column.kind is not Kind.NUMBER and not column.is_unique
        n_different = len({one.casefold() for one in _filled(column, used)})
        if (repeats or (column.kind is Kind.TEXT and rows.how is not How.ALL)) and 1 < n_different < len(used):
            yield Program(Op.DISTINCT, rows, (float(n_different),), column, used=tuple(used))
        if column.kind is Kind.NUMBER:
            continue
        counts = Counter(text for row in used if (text := column.cells[row].strip()) not in _NO_VALUE)
        ranked = counts.most_common()
        if ranked and ranked[0][1] > 1 and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]):
            yield _of_value(Op.COMMONEST, rows, column, ranked[0][0])
        if len(ranked) > 1 and not column.is_unique and ranked[-1][1] < ranked[-2][1]:
            yield _of_value(Op.RAREST, rows, column, ranked[-1][0])


def _of_value(op: Op, rows: Rows, column: Column, value: str) -> Program:
    used = tuple(row for row in sorted(rows.rows) if column.cells[row].strip() == value)
    return Program(op, rows, (value,), column, used=used)


def _places(question: Question, sheet: Sheet, rows: Rows) -> Iterator[Program]:
    used = sorted(rows.rows)
    for column in sheet.columns:
        if not _names_rows(column, rows):
            yield from _at_row(Op.FIRST, rows, column, used[0])
            yield from _at_row(Op.LAST, rows, column, used[-1])
        if 0 < question.ordinal <= len(used):
            yield from _at_row(Op.NTH, rows, column, used[question.ordinal - 1])


def _at_row(op: Op, rows: Rows, column: Column, row: int, key: Column | None = None) -> Iterator[Program]:
    if values := _filled(column, [row]):
        yield Program(op, rows, values, column, key, (row,))


def _neighbours(sheet: Sheet, rows: Rows) -> Iterator[Program]:
    for op, row in ((Op.NEXT, max(rows.rows) + 1), (Op.PREVIOUS, min(rows.rows) - 1)):
        if 0 <= row < sheet.n_rows:
            for column in sheet.columns:
                yield from _at_row(op, rows, column, row)


# --- by the values of a column --------------------------------------------------------------------------------------


def _by_key(question: Question, sheet: Sheet, rows: Rows, key: Column) -> Iterator[Program]:
    values = {row: key.values[row] for row in sorted(rows.rows) if row in key.values}
    if len(values) < 2:
        return
    ranked = sorted(values, key=lambda row: -values[row])
    for op, extreme in ((Op.HIGHEST, values[ranked[0]]), (Op.LOWEST, values[ranked[-1]])):
        tied = tuple(row for row, value in values.items() if value == extreme)
        for column in sheet.columns if len(tied) <= _MAX_TIED else []:
            if column is not key and not _names_rows(column, rows) and (cells := _filled(column, tied)):
                yield Program(op, rows, cells, column, key, tied)
    if 0 < question.ordinal <= len(ranked):
        for column in sheet.columns:
            if column is not key:
                yield from _at_row(Op.NTH_HIGHEST, rows, column, ranked[question.ordinal - 1], key)
                yield from _at_row(Op.NTH_LOWEST, rows, column, ranked[-question.ordinal], key)
    yield from _sums(question, rows, key, values, ranked)


def _sums(
    question: Question, rows: Rows, key: Column, values: dict[int, float], ranked: Sequence[int]
) -> Iterator[Program]:
    highest, lowest, used = ranked[0], ranked[-1], tuple(values)
    yield Program(Op.MAXIMUM, rows, (key.cells[highest].strip(),), None, key, (highest,))
    lowest = next(row for row in values if values[row] == values[lowest])
    yield Program(Op.MINIMUM, rows, (key.cells[lowest].strip(),), None, key, (lowest,))
    if not key.is_of_dates:
        total = fsum(values.values())
        yield Program(Op.TOTAL, rows, (round(total, _DIGITS),), None, key, used)
        yield Program(Op.AVERAGE, rows, (round(total / len(values), _DIGITS),), None, key, used)
    n = len(rows.rows)
    is_pair = n == 2 or rows.how is How.ALL or n < _FEW_ROWS
    if is_pair and values[highest] != values[lowest] and question.has(_ASKS_DIFFERENCE):
        difference = _apart(key, values[highest], values[lowest])
        yield Program(Op.DIFFERENCE, rows, (difference,), None, key, (highest, lowest))


def _apart(key: Column, a: float, b: float) -> float:
    """The difference of two values; of dates in whole years."""
    return float(abs(int(a) - int(b))) if key.is_of_dates else round(abs(a - b), _DIGITS)


def _groups(sheet: Sheet, rows: Rows) -> Iterator[Program]:
    """Which value of a column has the highest or lowest sum of another."""
    for column in sheet.columns:
        if column.kind is not Kind.TEXT or column.is_unique or column.at in rows.columns:
            continue
        for key in sheet.keys:
            if key.is_of_dates or key is column or key.at in rows.columns:
                continue
            sums: dict[str, float] = {}
            for row in sorted(rows.rows):
                if row in key.values and (name := column.cells[row].strip()):
                    sums[name] = sums.get(name, 0.0) + key.values[row]
            if 1 < len(sums) < len(rows.rows):
                yield from _only_group(Op.HIGHEST_GROUP, rows, column, key, sums, max)
                yield from _only_group(Op.LOWEST_GROUP, rows, column, key, sums, min)


def _only_group(
    op: Op, rows: Rows, column: Column, key: Column, sums: dict[str, float], extreme: Callable[..., float]
) -> Iterator[Program]:
    best = extreme(sums.values())
    names = [name for name, value in sums.items() if value == best]
    if len(names) == 1:
        used = tuple(row for row in sorted(rows.rows) if column.cells[row].strip() == names[0])
        yield Program(op, rows, (names[0],), column, key, used)


def _rankings(question: Question, sheet: Sheet, rows: Rows) -> Iterator[Program]:
    """The first rows by a column, or in the table, if the question says how many."""
    n = len(rows.rows)
    for number in question.numbers[:2]:
        beside = {*question.words[max(0, number.at - _BESIDE) : number.at + _BESIDE + 1]}
        if not (number.value.is_integer() and 2 <= number.value < n and beside & _RANKING):
            continue
        size = int(number.value)
        for key in sheet.keys:
            ranked = sorted((row for row in rows.rows if row in key.values), key=lambda row: (-key.values[row], row))
            for column in sheet.columns if len(ranked) >= size else []:
                if column is not key:
                    yield _listed(Op.TOP, rows, column, ranked[:size], key)
                    yield _listed(Op.BOTTOM, rows, column, ranked[::-1][:size], key)
        if beside & {"first", "last"}:
            used = sorted(rows.rows)
            for column in sheet.columns:
                yield _listed(Op.FIRST_ROWS, rows, column, used[:size] if "first" in beside else used[-size:])


def _listed(op: Op, rows: Rows, column: Column, used: Sequence[int], key: Column | None = None) -> Program:
    return Program(op, rows, _filled(column, used), column, key, tuple(used))


# --- columns of a row, rows of two values ---------------------------------------------------------------------------


def _within_row(question: Question, sheet: Sheet, rows: Rows) -> Iterator[Program]:
    """Two columns of one row compared, or all of its numbers."""
    (row,) = rows.rows
    keys = [key for key in sheet.keys if row in key.values and key.at not in rows.columns]
    for a, b in combinations(_compared(question, keys)[:_MAX_COMPARED], 2):
        if a.is_of_dates is not b.is_of_dates:
            continue
        more, less = (a, b) if a.values[row] > b.values[row] else (b, a)
        yield Program(Op.COLUMN_DIFFERENCE, rows, (_apart(a, a.values[row], b.values[row]),), a, b, (row,))
        if a.values[row] != b.values[row] and not a.is_of_dates:
            yield Program(Op.LARGER_COLUMN, rows, (more.head,), more, less, (row,))
            yield Program(Op.SMALLER_COLUMN, rows, (less.head,), less, more, (row,))
    numbers = [key for key in keys if key.kind is Kind.NUMBER]
    if len(numbers) >= _LEAST_COLUMNS:
        ranked = sorted(numbers, key=lambda key: key.values[row])
        if ranked[-1].values[row] > ranked[-2].values[row]:
            yield Program(Op.HIGHEST_COLUMN, rows, (ranked[-1].head,), ranked[-1], used=(row,))
        if ranked[0].values[row] < ranked[1].values[row]:
            yield Program(Op.LOWEST_COLUMN, rows, (ranked[0].head,), ranked[0], used=(row,))
        total = round(fsum(key.values[row] for key in numbers), _DIGITS)
        yield Program(Op.ROW_TOTAL, rows, (total,), used=(row,))


def _compared(question: Question, keys: list[Column]) -> list[Column]:
    """The columns that the question names; with fewer than two, other numbers too."""
    named = [key for key in keys if _is_named(question, key)]
    if len(named) < 2:
        named += [key for key in keys if key not in named and key.kind is Kind.NUMBER]
        named = named[:4]
    return named


def _is_named(question: Question, column: Column) -> bool:
    pairs = zip(column.head_words, column.head_stems, strict=True)
    return any(word not in STOP and stem in question.stems for word, stem in pairs)


def _exceeding(question: Question, sheet: Sheet, rows: Rows) -> Iterator[Program]:
    """Rows in which one column has more than another."""
    keys = [key for key in sheet.keys if not key.is_of_dates]
    label = sheet.label
    for a, b in combinations(_compared(question, keys)[:4], 2):
        for more, less in ((a, b), (b, a)):
            both = [row for row in sorted(rows.rows) if row in more.values and row in less.values]
            used = tuple(row for row in both if more.values[row] > less.values[row])
            if 0 < len(used) < sheet.n_rows:
                yield Program(Op.EXCEEDING, rows, _filled(label, used), label, more, used)
                yield Program(Op.N_EXCEEDING, rows, (float(len(used)),), more, less, used)


def _sizes(sheet: Sheet, rows: Rows) -> Iterator[Program]:
    """Which of two values has more rows, and how many more."""
    a, b = rows.parts
    column = sheet.columns[rows.columns[0]]
    if len(a.rows) + len(b.rows) <= 2:
        return
    used = tuple(sorted(rows.rows))
    difference: tuple[Value, ...] = (float(abs(len(a.rows) - len(b.rows))),)
    yield Program(Op.ROWS_DIFFERENCE, rows, difference, used=used)
    if len(a.rows) != len(b.rows):
        more, fewer = (a, b) if len(a.rows) > len(b.rows) else (b, a)
        yield Program(Op.MORE_ROWS, rows, _filled(column, [min(more.rows)]), column, used=used)
        yield Program(Op.FEWER_ROWS, rows, _filled(column, [min(fewer.rows)]), column, used=used)
