"""The row that a superlative means by its sense: the oldest person was born first, the coldest place has the lowest
temperature.

A superlative that names no measure is understood by the kinds of columns that it may be of, best first. What it is
limited by ("with a balcony", "in Leeds") must be cells of the table.
"""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.asked import asked_thing
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.having import flagged
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.named import named_cells
from treatise.generate.tabular.result import Found
from treatise.generate.tabular.selected import limits_of
from treatise.generate.tabular.words import Head, Token, Wording, tokens

_MADE: Final = (
    r"built|year built|construction|founded|founding|established|opened|opening|released?|introduced|launched|year"
)
_SIZE: Final = r"size|area|floor ?space|diameter|square (?:feet|metres|meters)"
_TIME: Final = r"time|duration|seconds|minutes"
_PRICE: Final = r"price|cost|rent|fee|fare|premiums?"
_SPEED: Final = r"(?:top |average |max(?:imum)? )?speed"
_HEAT: Final = r"(?:mean |average |avg )?temp(?:erature)?"
_SENSES: Final[dict[str, tuple[tuple[str, bool], ...]]] = {
    "oldest": (("age", True), (r"(?:date of )?birth(?: ?date|day)?|born|d\.?o\.?b\.?", False), (_MADE, False)),
    "youngest": (("age", False), (r"(?:date of )?birth(?: ?date|day)?|born|d\.?o\.?b\.?", True)),
    "newest": ((_MADE, True),),
    "coldest": ((_HEAT, False),),
    "coolest": ((_HEAT, False),),
    "hottest": ((_HEAT, True),),
    "warmest": ((_HEAT, True),),
    "largest": ((_SIZE, True),),
    "biggest": ((_SIZE, True),),
    "smallest": ((_SIZE, False),),
    "fastest": ((_SPEED, True), (_TIME, False)),
    "quickest": ((_SPEED, True), (_TIME, False)),
    "slowest": ((_SPEED, False), (_TIME, True)),
    "cheapest": ((_PRICE, False),),
    "most expensive": ((_PRICE, True),),
}
"""Heads of the columns that a superlative may be of, and whether it is their highest value."""
_PATTERNS: Final = {head: re.compile(rf"(?:{head})\b", re.I) for one in _SENSES.values() for head, _ in one}
_SUPERLATIVE: Final = lazy_pattern(rf"\b(?:{'|'.join(_SENSES)})\b", re.IGNORECASE)
_FIRST: Final = lazy_pattern(r"\b(?P<verb>[^\W\d_]+ed|began|built)\s+(?P<end>first|last)\b\W*$", re.IGNORECASE)
"""A verb that the head of a column of dates has: "Who joined last?"."""
_ASKS: Final = lazy_pattern(r"\s*(?:which|who|whose|what|where|name)\b", re.IGNORECASE)
_ASKS_VALUE: Final = lazy_pattern(
    rf"\s*what (?:does|do|did)\b|.*\bof (?:the|our|your|their|its) (?:{'|'.join(_SENSES)})\b", re.IGNORECASE
)
"""Asks for a value of the row and not for its name: "What does the cheapest item cost?"."""
_OF_PERSONS: Final = lazy_pattern(r"\s*who(?:se)?\b", re.IGNORECASE)
_INHABITANTS: Final = lazy_pattern(r"(?:population|inhabitants|residents)\b", re.IGNORECASE)
"""Heads of another size, which "the largest city" may mean as well."""
_LEAST_ROWS: Final = 2
_OPEN: Final = lazy_pattern(
    rf"\b(?:{ALL.negation}|{ALL.compares}|second|third|(?:two|three|four|five|\d+) (?:{'|'.join(_SENSES)}))\b", re.I
)


def asks_superlative(question: str) -> bool:
    """Whether a question has one superlative of a known sense, or a verb before "first" or "last", and no exception."""
    if _ASKS.match(question) is None or _ASKS_VALUE.match(question) or _OPEN.search(_FIRST.sub("", question)):
        return False
    return len(_SUPERLATIVE.findall(question)) + len(_FIRST.findall(question)) == 1


def _measure(question: str, grid: Grid) -> tuple[tuple[int, int], int, bool] | None:
    """The place of the superlative, its column, and whether the highest value is meant; None if that is open."""
    if match := _FIRST.search(question):
        (verb,) = tokens(match["verb"])
        dated = [at for at, one in grid.columns.items() if one.dates and Head(one.plain_head).means(verb)]
        return (match.span(), dated[0], match["end"].casefold() == "last") if len(dated) == 1 else None
    match = _SUPERLATIVE.search(question)
    for head, is_highest in _SENSES[match[0].casefold()] if match else ():
        if (head == _MADE and _OF_PERSONS.match(question)) or (head == _SIZE and _has_inhabitants(grid)):
            continue
        if match and (columns := _columns(grid, head)):
            return (match.span(), columns[0], is_highest) if len(columns) == 1 else None
    return None


def by_sense(question: str, grid: Grid) -> Found | None:
    """The name of the row that a superlative means; None if a word is left over, or no row or several are meant."""
    if grid.label is None or grid.has_kinds or not asks_superlative(question):
        return None
    measure = _measure(question, grid)
    rows = _rows(question, measure[0], measure[1], grid) if measure else None
    if measure is None or rows is None:
        return None
    _, column, is_highest = measure
    values = _values(grid, column)
    known = {row: values[row] for row in rows[0] if row in values}
    if len(known) < max(_LEAST_ROWS, len(rows[0])):
        return None
    best = max(known.values()) if is_highest else min(known.values())
    chosen = [row for row, value in known.items() if value == best]
    if len(chosen) != 1:
        return None
    name, cell = grid.name(chosen[0]), grid.cell(chosen[0], column)
    words = ("latest", "earliest") if grid.columns[column].dates else ("highest", "lowest")
    place = f"the {words[not is_highest]} of {len(known):,} rows{rows[1]}"
    return Found(name, f"{name}: {grid.heads[column]} {cell}, {place}", (chosen[0],), is_read=True)


def _rows(question: str, span: tuple[int, int], column: int, grid: Grid) -> tuple[set[int], str] | None:
    """The rows that are compared, and what they have in common in words; None if a word is left over."""
    wording = Wording(question).within([span])
    thing = _of_rows(wording, grid, asked_thing(question))
    named = named_cells(wording.with_(thing), grid)
    named = named.beside(flagged(wording.with_((*thing, *named.used)), grid))
    head = wording.meant_by(Head(grid.heads[column]))
    limiting = [at for one in named.by_column for at in wording.meant_by(Head(grid.heads[one]))]
    if wording.with_((*thing, *named.used, *head, *limiting)).left or column in named.by_column:
        return None
    if any(len(texts) > 1 for texts in named.texts.values()):
        return None
    return set(range(len(grid.rows))).intersection(*named.by_column.values()), limits_of(named, grid)


def _columns(grid: Grid, head: str) -> list[int]:
    return [at for at, one in grid.columns.items() if _PATTERNS[head].match(one.plain_head) and _values(grid, at)]


def _has_inhabitants(grid: Grid) -> bool:
    return any(_INHABITANTS.match(one.plain_head) for one in grid.columns.values())


def _values(grid: Grid, column: int) -> dict[int, float]:
    """The numbers of a column by row; of dates their days; empty if it is of neither."""
    of = grid.columns[column]
    if not of.values.problem:
        return dict(of.values.by_row)
    lengths = {len(one) for one in of.dates.values()}
    return {row: float(one.replace("-", "")) for row, one in of.dates.items()} if len(lengths) == 1 else {}


def _of_rows(wording: Wording, grid: Grid, span: tuple[int, int]) -> list[int]:
    """Indices of the words that say that rows are asked for: the head of their names, or what the table calls them."""
    label = Head(grid.heads[grid.label or 0])

    def calls(token: Token) -> bool:
        is_asked = span[0] <= token.start < span[1] or span == (0, 0)
        return label.means(token) or (is_asked and grid.calls_rows(token))

    return [at for at, one in enumerate(wording.tokens) if calls(one)]
