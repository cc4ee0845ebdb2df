"""The sets of rows that a question may mean: all, those of a condition, and of several together."""

from itertools import combinations
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.programs.conditions import How, Rows
from treatise.programs.question import Question
from treatise.programs.sheet import Sheet

_MAX_BOTH: Final = 14
_MAX_EITHER: Final = 6
_MAX_THREE: Final = (4, 8)
_MAX_OTHERS: Final = 4
_LEAST_ANY: Final = 3
_MOST_SAME: Final = 0.7
_NEGATED: Final = lazy_pattern(r"\b(?:not|other than|besides|except|excluding|without|aside|apart)\b|n['’]t\b")
_DENIED: Final = lazy_pattern(r"\b(?:not|without)\b|n['’]t\b")
"""Words with which no row is meant that has the mark."""
_SAME: Final = lazy_pattern(r"\b(?:same|other|else|also|besides|another|as)\b")
_OF_WORDS: Final = (How.WHOLE, How.PART, How.NUMBER, How.MONTH, How.STEM, How.LIKE, How.DATE)
_NAMING: Final = (How.WHOLE, How.PART)


def row_sets(question: Question, sheet: Sheet, conditions: list[Rows]) -> list[Rows]:
    """The rows that the programs of a question work on; all of them first."""
    if question.has(_DENIED):
        conditions = [one for one in conditions if one.how is not How.YES]
    whole = Rows(frozenset(range(sheet.n_rows)), How.ALL, How.ALL)
    both = _both(conditions)
    found = [whole, *(one for one in conditions if one.is_wanted), *both, *_three(both, conditions)]
    found += _either(conditions)
    if question.has(_NEGATED):
        named = [one for one in conditions[:_MAX_OTHERS] if one.how in _NAMING]
        found += [_with(one, whole.rows - one.rows, How.OTHERS) for one in named]
    if question.has(_SAME):
        found += [one for named in conditions[:_MAX_OTHERS] for one in _alike(named, sheet)]
    return found


def _with(condition: Rows, rows: frozenset[int], how: How) -> Rows:
    return Rows(rows, how, how, condition.columns, condition.covered, condition.weight, parts=(condition,))


def _both(conditions: list[Rows]) -> list[Rows]:
    """Rows that hold two conditions which different words of the question mean."""
    found = []
    for a, b in combinations(conditions, 2):
        is_twice = a.columns == b.columns and not a.how.is_of_values
        if not (a.covered & b.covered or is_twice) and (rows := a.rows & b.rows):
            name = f"{How.BOTH}({','.join(sorted((a.name, b.name)))})"
            columns, covered, weight = a.columns + b.columns, a.covered | b.covered, a.weight + b.weight
            found.append(Rows(rows, How.BOTH, name, columns, covered, weight, parts=(a, b)))
    return sorted(found, key=lambda one: -one.weight)[:_MAX_BOTH]


def _three(both: list[Rows], conditions: list[Rows]) -> list[Rows]:
    """For each of the likeliest pairs the first condition that can be joined to it."""
    found = []
    for two in both[: _MAX_THREE[0]]:
        for one in conditions[: _MAX_THREE[1]]:
            is_free = not (one.covered & two.covered or {*one.columns} & {*two.columns})
            if is_free and (rows := one.rows & two.rows):
                columns, covered = two.columns + one.columns, two.covered | one.covered
                weight, parts = one.weight + two.weight, (*two.parts, one)
                found.append(Rows(rows, How.THREE, How.THREE, columns, covered, weight, parts=parts))
                break
    return found


def _either(conditions: list[Rows]) -> list[Rows]:
    """Rows of two cells of a column that the question names, or of three and more."""
    of_words = [one for one in conditions if one.how in _OF_WORDS]
    found = [
        Rows(
            a.rows | b.rows, How.EITHER, How.EITHER, a.columns, a.covered | b.covered, a.weight + b.weight, parts=(a, b)
        )
        for a, b in combinations(of_words, 2)
        if a.columns == b.columns and not a.covered & b.covered and a.rows != b.rows
    ]
    found = sorted(found, key=lambda one: -one.weight)[:_MAX_EITHER]
    sure = [one for one in of_words if one.how not in (How.STEM, How.LIKE, How.DATE)]
    for column in sorted({one.columns for one in sure}):
        named = [one for one in sure if one.columns == column]
        if len(named) >= _LEAST_ANY:
            rows = frozenset().union(*(one.rows for one in named))
            covered = frozenset().union(*(one.covered for one in named))
            found.append(Rows(rows, How.ANY, How.ANY, column, covered, parts=tuple(named)))
    return found


def _joined(a: Rows, b: Rows) -> Rows:
    covered, weight = a.covered | b.covered, a.weight + b.weight
    return Rows(a.rows | b.rows, How.EITHER, How.EITHER, a.columns, covered, weight, parts=(a, b))


def _alike(named: Rows, sheet: Sheet) -> list[Rows]:
    """The other rows with the same cell as the one that is named, by column."""
    if named.how not in _NAMING or len(named.rows) != 1:
        return []
    (row,) = named.rows
    found = []
    for column in sheet.columns:
        rows = frozenset(at for at, text in enumerate(column.plain) if at != row and text == column.plain[row])
        is_some = 0 < len(rows) <= _MOST_SAME * sheet.n_rows
        if column.at not in named.columns and column.plain[row] and is_some:
            columns = (*named.columns, column.at)
            found.append(Rows(rows, How.SAME, How.SAME, columns, named.covered, named.weight))
    return found
