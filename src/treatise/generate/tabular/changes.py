"""The cell of a column of changes: "By how much did sales fall in Leeds?"."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.named import named_cells
from treatise.generate.tabular.numbers import is_missing
from treatise.generate.tabular.result import NO_CHANGE, Found, Unknown
from treatise.generate.tabular.words import Head, Wording

_ASKS: Final = lazy_pattern(
    rf"\s*by (?:how much|how many (?P<percent>per ?cent)|what (?P<share>percentage|per ?cent))\b.*?"
    rf"\b(?P<verb>{ALL.rises}|{ALL.falls}|change)\b(?!.*\b(?:{ALL.from_}|{ALL.between}|{ALL.than})\b)",
    re.IGNORECASE,
)
_OF_CHANGES: Final = lazy_pattern(r"\b(?:change|growth|increase|decrease)\b", re.IGNORECASE)
_OF_FALLS: Final = lazy_pattern(r"\bdecrease\b", re.IGNORECASE)
_RISES: Final = lazy_pattern(rf"(?:{ALL.rises})", re.IGNORECASE)
_CHANGES: Final = lazy_pattern(r"chang", re.IGNORECASE)
_FALLS: Final = lazy_pattern(rf"(?:{ALL.falls})", re.IGNORECASE)
_PERCENT: Final = lazy_pattern(r"%|\bper ?cent", re.IGNORECASE)
_OPENING: Final = frozenset(("by", "how", "much", "many", "percent", "percentage", "per", "cent", "what"))


def asks_change(question: str) -> bool:
    """Whether a question asks by how much something changed, and not between which two values."""
    return _ASKS.match(question) is not None


def change_of(question: str, grid: Grid) -> Found | Unknown | None:
    """The cell of the only row that is named in the table's only column of changes; None if a word is left over.

    A question for a percentage is answered by percentages alone, and none for a fall by a rise.
    """
    match = _ASKS.match(question)
    columns = [at for at, one in grid.columns.items() if _OF_CHANGES.search(one.plain_head) and not one.values.problem]
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
