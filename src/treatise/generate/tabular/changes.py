"""Changes: a cell of a column of them, and the row with the largest or smallest one.

"By how much did sales fall in Leeds?" is read below a head such as "Change"; "Where did sales fall the most?" is
computed from two columns, such as those of two years.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.plurals import counted
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.named import choose, named_cells
from treatise.generate.tabular.numbers import is_missing
from treatise.generate.tabular.result import NO_CHANGE, Found, Unknown, without_values
from treatise.generate.tabular.superlatives import at_end, named_rows, rows_compared
from treatise.generate.tabular.words import Head, Wording, tokens

_ASKS: Final = lazy_pattern(
    rf"\s*by (?:how much|how many (?P<percent>per ?cent)|what (?P<share>percentage|per ?cent))\b.*?"
    rf"\b(?P<verb>{ALL.rises}|{ALL.falls}|change)\b(?!.*\b(?:{ALL.from_}|{ALL.between}|{ALL.than})\b)",
    re.IGNORECASE,
)
_OF_CHANGES: Final = lazy_pattern(rf"\b(?:{ALL.changes})\b", re.IGNORECASE)
_OF_FALLS: Final = lazy_pattern(rf"\b(?:{ALL.decreases})\b", re.IGNORECASE)
_RISES: Final = lazy_pattern(rf"(?:{ALL.rises})", re.IGNORECASE)
_CHANGES: Final = lazy_pattern(r"chang", re.IGNORECASE)
_FALLS: Final = lazy_pattern(rf"(?:{ALL.falls})", re.IGNORECASE)
_PERCENT: Final = lazy_pattern(r"%|\bper ?cent", re.IGNORECASE)
_CHANGED: Final = lazy_pattern(rf"\b(?:{ALL.rises}|{ALL.falls}|{ALL.changes})\b", re.IGNORECASE)
_BY_HOW_MUCH: Final = lazy_pattern(r"\s*by (?:how much|how many|what|which)\b", re.IGNORECASE)
_EXTREME: Final = lazy_pattern(
    rf"\b(?P<verb>{ALL.rises}|{ALL.falls})\s+(?:by )?(?:the )?(?P<end>{ALL.most_changed}|{ALL.least_changed})\b"
    r"(?=\s*[?.,]|\s*$|\s+(?:from|between|in|since|of|over|during|among)\b)|"
    rf"\b(?P<size>{ALL.largest_change}|{ALL.smallest_change})\s+"
    rf"(?P<noun>growth|{ALL.rises}|{ALL.falls})\b(?!\s+(?:rate|percentage))",
    re.IGNORECASE,
)
_SMALL: Final = frozenset((*ALL.least_changed.split("|"), *ALL.smallest_change.split("|")))
_NUMBERS: Final = lazy_pattern(r"[\d_–-]+")
_DECIMALS: Final = 9
_FIRST_AND_LAST: Final = 2  # columns between which something changed
_SHORT_YEAR: Final = 2  # digits
_LAST_OF_THIS_CENTURY: Final = 29  # among short years
_OPEN: Final = "the question leaves open between which columns something changed"
_OPENING: Final = frozenset(("by", "how", "much", "many", "percent", "percentage", "per", "cent", "what"))


def asks_change(question: str) -> bool:
    """Whether a question asks by how much something changed, and not between which two values, or what did the most."""
    return _ASKS.match(question) is not None or _EXTREME.search(question) is not None


def change_of(question: str, grid: Grid) -> Found | Unknown | None:
    """The cell of the only row that is named in the table's only column of changes; None if a word is left over.

    A question for a percentage is answered by percentages alone, and none for a fall by a rise.
    """
    match = _ASKS.match(question)
    columns = _of_changes(grid)
    if match is None or len(columns) != 1:
        return None
    (column,) = columns
    head = grid.heads[column]
    wording = Wording(question).within([match.span("verb")])
    named = named_cells(wording, grid)
    rows = set.intersection(*named.by_column.values()) if named.by_column else set()
    of_heads = [at for text in grid.heads.values() for at in wording.meant_by(Head(text))]
    left = wording.with_((*named.used, *of_heads)).left
    if len(rows) != 1 or any(one.text not in _OPENING for one in left):
        return None
    (row,) = rows
    cell = grid.cell(row, column)
    is_percent = _PERCENT.search(f"{head} {cell}") is not None
    if _contradicts(match["verb"], head, grid.columns[column].values.by_row.get(row, 0.0)):
        return Unknown(f"{grid.name(row)} has {cell} below {head}, {NO_CHANGE}{match['verb']}", 3)
    if is_missing(cell) or (bool(match["percent"] or match["share"]) and not is_percent):
        return None
    return Found(cell, f"{grid.name(row)}: {head} {cell}", (row,), is_read=True)


def asks_percent_change(question: str) -> bool:
    """Whether a question asks for a change or a difference in percent."""
    return says_percent(question) and any(one.search(question) for one in (_CHANGED, _BY_HOW_MUCH))


def says_percent(text: str) -> bool:
    """Whether a text speaks of percent."""
    return _PERCENT.search(text) is not None


def lacks_changes(question: str, grid: Grid) -> bool:
    """Whether a question asks what rose or fell the most, and a table has no column of changes."""
    return _EXTREME.search(question) is not None and not _of_changes(grid)


def extreme_change(question: str, grid: Grid) -> Found | Unknown | None:
    """The row whose value rose or fell the most, or the least of those that did, from one column to a later one.

    The columns have the same words and other numbers, such as years; if the table has none of these, a column of
    changes is read. A refusal if a word is left over, or it is open which columns are meant. None if the question asks
    otherwise, or a head has its word: "the biggest gain" may be a number in the column "Gain".
    """
    match = _EXTREME.search(question)
    if match is None:
        return None
    if found := _extreme_of(match, question, grid):
        return found
    words = tokens(match["verb"] or match["noun"])
    return None if any(map(Head(" ".join(grid.heads.values())).means, words)) else Unknown(_OPEN, 1)


def _extreme_of(match: re.Match[str], question: str, grid: Grid) -> Found | Unknown | None:
    """The row with the extreme change that a question asks for; None if its columns or its rows are open."""
    if grid.label is None or grid.has_kinds or _PERCENT.search(question):
        return None
    wording = Wording(question).within([match.span()])
    pair, changes = _pair(wording, grid), _of_changes(grid)
    columns = pair or changes
    if not (pair or len(changes) == 1):
        return None
    titled = (at for at, one in enumerate(wording.tokens) if not one.is_number and grid.calls_rows(one))
    others = () if pair else _changed(wording, changes[0], grid)
    compared = rows_compared(wording.with_(titled), [*columns, *others], grid)
    if compared is None:
        return None
    rows, limits = compared
    known = {row: one for row, one in _differences(columns, grid).items() if row in rows}
    word = _direction(match["verb"] or match["noun"])
    sizes = {row: abs(one) for row, one in known.items() if one and (word == "change" or (one < 0) == (word == "fall"))}
    if not sizes:
        return Unknown(f"no row{limits} has such a change, {NO_CHANGE}{word}", 3)
    is_small = (match["end"] or match["size"]).casefold() in _SMALL
    chosen = at_end(sizes, is_highest=not is_small)
    others = changes if pair else ()
    if contrary := [at for at in others if not _are_at_end(chosen, at, sizes, grid, is_highest=not is_small)]:
        return Unknown(f"the rows have another order by {grid.heads[contrary[0]]}; either may be meant", 3)
    note = without_values(len(rows) - len(known))
    place = f"the {'smallest' if is_small else 'largest'} {word} of {counted(len(known), 'row')}{limits}{note}"
    return named_rows(question, grid, chosen, columns, place)


def _direction(verb: str) -> str:
    """What a verb or noun of a change means: a change, a fall or a rise."""
    return "change" if _CHANGES.match(verb) else "fall" if _FALLS.fullmatch(verb) else "rise"


def _are_at_end(chosen: Sequence[int], column: int, rows: Iterable[int], grid: Grid, *, is_highest: bool) -> bool:
    """Whether the chosen of some rows have the highest or the lowest value by a column, without signs."""
    values = grid.columns[column].values.by_row
    return set(chosen) <= set(at_end({one: abs(values.get(one, 0.0)) for one in rows}, is_highest=is_highest))


def _of_changes(grid: Grid) -> tuple[int, ...]:
    """The columns of changes by their heads."""
    columns = grid.columns.items()
    return tuple(at for at, one in columns if _OF_CHANGES.search(one.plain_head) and not one.values.problem)


def _changed(wording: Wording, column: int, grid: Grid) -> tuple[int, ...]:
    """The column of numbers that a question names, if that of changes may be of it: its head names nothing else."""
    rest = Head(_OF_CHANGES.sub(" ", _PERCENT.sub(" ", grid.columns[column].plain_head))).meanings
    others = {at: one.head for at, one in grid.columns.items() if at != column and not one.values.problem}
    chosen = choose(wording, others).column
    return () if chosen is None or not rest <= {one.meaning for one in wording.tokens} else (chosen,)


def _pair(wording: Wording, grid: Grid) -> tuple[int, int] | None:
    """The two columns, first and last, between which a question asks for changes; None if these are open.

    Their order is that of the question, or of their numbers.
    """
    columns = {at: Head(one.head) for at, one in grid.columns.items() if not one.values.problem}
    groups: dict[frozenset[str], list[int]] = {}
    for at, head in columns.items():
        if head.numbers:
            groups.setdefault(head.meanings, []).append(at)
    several = {one[0]: _NUMBERS.sub(" ", grid.heads[one[0]]) for one in groups.values() if len(one) > 1}
    chosen = choose(wording, several).column
    group = groups.get(frozenset() if chosen is None else columns[chosen].meanings, [])  # heads may be years alone
    places = {at: _place(wording, columns[at]) for at in group}
    named = sorted((place, at) for at, place in places.items() if place >= 0)
    if len(named) == _FIRST_AND_LAST:
        return named[0][1], named[1][1]
    if named or len(places) != _FIRST_AND_LAST:
        return None
    first, last = sorted(places, key=lambda at: _years(grid.heads[at]))
    return first, last


def _place(wording: Wording, head: Head) -> int:
    """Where a question has all numbers of a head; -1 if it lacks one."""
    at = [at for at, one in enumerate(wording.tokens) if one.is_number and head.means(one)]
    found = {number for number in head.numbers for one in at if Head(number).means(wording.tokens[one])}
    return at[0] if found == head.numbers else -1


def _years(head: str) -> list[int]:
    """The numbers of a head; years of two digits in full.

    >>> _years("incidents_85_99"), _years("incidents_00_14")
    ([1985, 1999], [2000, 2014])
    """
    return [_in_full(one.text) for one in tokens(head) if one.is_number and one.text.isdigit()]


def _in_full(year: str) -> int:
    if len(year) == _SHORT_YEAR:
        return (2000 if int(year) <= _LAST_OF_THIS_CENTURY else 1900) + int(year)
    return int(year)


def _differences(columns: Sequence[int], grid: Grid) -> dict[int, float]:
    """The change of each row that has it: from the first column to the last, or the number of the only one."""
    first, last = (grid.columns[at].values for at in (columns[0], columns[-1]))
    if len(columns) == 1:
        sign = -1 if _OF_FALLS.search(grid.heads[columns[0]]) else 1
        return {row: sign * value for row, value in first.by_row.items()}
    if first.unit != last.unit:
        return {}
    both = [row for row in first.by_row if row in last.by_row]
    return {row: round(last.by_row[row] - first.by_row[row], _DECIMALS) for row in both}


def _contradicts(verb: str, head: str, value: float) -> bool:
    """Whether a value is of the other direction than the verb of a question.

    >>> _contradicts("fall", "Change %", 5.0), _contradicts("fall", "Decrease", 5.0)
    (True, False)
    """
    is_of_falls = _OF_FALLS.search(head) is not None
    rises = (value > 0) != is_of_falls
    asks_fall = _FALLS.fullmatch(verb) is not None
    asks_rise = not _CHANGES.match(verb) and _RISES.fullmatch(verb) is not None
    return bool(value) and (asks_rise or asks_fall) and asks_rise != rises
