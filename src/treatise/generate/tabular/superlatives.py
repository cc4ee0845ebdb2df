"""The row that a superlative means by its sense: the oldest person was born first, the coldest place has the lowest
temperature.

A superlative that names no measure is understood by the kinds of columns that it may be of, best first. What it is
limited by ("with a balcony", "in Leeds") must be cells of the table.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import currencies_in
from treatise.generate.tabular.asked import Op, asked_of_table, asked_thing
from treatise.generate.tabular.column import Column
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.having import flagged
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.locations import ASKS_WHERE, asked_locations
from treatise.generate.tabular.named import choose, named_cells
from treatise.generate.tabular.result import (
    MAX_SHOWN,
    NO_COLUMN,
    Found,
    Unknown,
    joined,
    listing,
    several_columns,
    shared,
)
from treatise.generate.tabular.selected import column_of_form, limits_of
from treatise.generate.tabular.words import Head, Token, Wording, tokens

_MADE: Final = (
    r"built|year built|construction|founded|founding|established|opened|opening|released?|introduced|launched|year"
)
_WORKS: Final = lazy_pattern(
    r"\b(?:album|book|bridge|building|car|castle|church|film|game|house|model|movie|novel|painting|play|poem|release|ship|"
    r"show|song|version)s?\b",
    re.IGNORECASE,
)
"""What the year beside its name may be the age of; of a winner, or of a place of games, it is not."""
_AGE, _BIRTH = "age", r"(?:date of )?birth(?: ?date|day)?|born|d\.?o\.?b\.?"
_SIZE: Final = r"size|area|floor ?space|diameter|square (?:feet|metres|meters)"
_TIME: Final = r"time|duration|seconds|minutes"
_PRICE: Final = r"(?:[a-z]+ )?(?:price|cost|rent|fee|fare|premiums?)"
_SPENT: Final = r"amount|actual|spent|paid|expenditure|expenses?|budget(?:ed)?|planned|estimated?"
_OF_SPENDING: Final = lazy_pattern(r"\b(?:budget(?:ed)?|spent|paid|expenses?|expenditure)\b", re.IGNORECASE)
_INCOME: Final = lazy_pattern(r"\b(?:income|revenue|receipts|earnings)\b", re.IGNORECASE)
"""What a row of a budget may be of that is no expense."""
_SPEED: Final = r"(?:top |average |max(?:imum)? )?speed"
_HEAT: Final = r"(?:mean |average |avg )?temp(?:erature)?"
_SENSES: Final[dict[str, tuple[tuple[str, bool], ...]]] = {
    "oldest": ((_AGE, True), (_BIRTH, False), (_MADE, False)),
    "youngest": ((_AGE, False), (_BIRTH, True)),
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
    "cheapest": ((_PRICE, False), (_SPENT, False)),
    "most expensive": ((_PRICE, True), (_SPENT, True)),
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
_OF_AGE: Final = lazy_pattern(rf"\b(?:{ALL.of_age})\b", re.IGNORECASE)
_OF_PRICE: Final = lazy_pattern(r"\b(?:cheapest|(?:most|least) expensive|priciest|dearest)\b", re.IGNORECASE)
_MAY_BE_PRICES: Final = lazy_pattern(
    r"pric|cost|rent|fee|fare|premium|rate|budget|spent|paid|charge|bill|expen|value|worth|total|spend|salary|wage|"
    r"dollar|euro|pound|cent|toll|tax|tuition|msrp|deposit|monthly|yearly|annual",
    re.IGNORECASE,
)
_OF_PERSONS: Final = lazy_pattern(r"\s*who(?:se)?\b", re.IGNORECASE)
_BARE_YEAR: Final = lazy_pattern(r"(?:years?|seasons?|editions?)", re.IGNORECASE)
_INHABITANTS: Final = lazy_pattern(r"(?:population|inhabitants|residents)\b", re.IGNORECASE)
"""Heads of another size, which "the largest city" may mean as well."""
_STANDING: Final = frozenset(ALL.standing.split("|"))
_LEAST_ROWS: Final = 2
_OPEN: Final = lazy_pattern(
    rf"\b(?:{ALL.negation}|{ALL.compares}|second|third|(?:two|three|four|five|\d+) (?:{'|'.join(_SENSES)}))\b", re.I
)


def asks_superlative(question: str) -> bool:
    """Whether a question has one superlative of a known sense, or a verb before "first" or "last", and no exception."""
    if _ASKS.match(question) is None or _ASKS_VALUE.match(question) or _OPEN.search(_FIRST.sub("", question)):
        return False
    return len(_SUPERLATIVE.findall(question)) + len(_FIRST.findall(question)) == 1


def _measure(question: str, grid: Grid) -> tuple[tuple[int, int], tuple[int, ...], bool] | None:
    """The place of the superlative, its columns, and whether the highest value is meant; None if that is open.

    Several columns, such as the plan and the result of a budget, are meant together unless the question names one.
    """
    if match := _FIRST.search(question):
        (verb,) = tokens(match["verb"])
        dated = [at for at, one in grid.columns.items() if one.dates and Head(one.plain_head).means(verb)]
        return (match.span(), (dated[0],), match["end"].casefold() == "last") if len(dated) == 1 else None
    match = _SUPERLATIVE.search(question)
    for head, is_highest in _SENSES[match[0].casefold()] if match else ():
        if match and (columns := [one for one in _columns(grid, head) if _may_be_of(question, head, grid, one)]):
            chosen = choose(Wording(question).within([match.span()]), {one: grid.heads[one] for one in columns}).column
            return match.span(), tuple(columns) if chosen is None else (chosen,), is_highest
    return None


def _may_be_of(question: str, head: str, grid: Grid, column: int) -> bool:
    """Whether a column with one of the heads of a sense may have it in a question.

    No year of a win is an age of the winner, and "the largest city" may have most inhabitants.
    """
    if head == _MADE:
        of = grid.columns[column]
        is_own = not _BARE_YEAR.fullmatch(of.plain_head) or (not of.is_first and _WORKS.search(question) is not None)
        return is_own and not _OF_PERSONS.match(question)
    if head == _SPENT:
        of = grid.columns[column]
        is_of_money = currencies_in(f"{of.unit} {of.head}") or any(map(_OF_SPENDING.search, grid.heads.values()))
        return bool(is_of_money) and not any(_INCOME.search(cell) for cells in grid.cells for cell in cells.values())
    return head != _SIZE or not _has_inhabitants(grid)


def lacking_sense(question: str, grid: Grid) -> Unknown | None:
    """A refusal if a table has no column of what a superlative means by its sense, or by "where"; else None.

    Of ages it has none if persons are asked for, or if all its dates are years of something else.
    """
    if asks_extreme_place(question) and column_of_form(question, grid) is None:
        found = asked_locations(question, grid)
        return several_columns(grid, found) if found else _no_column(grid, "of places")
    if _OF_PRICE.search(question) and not any(map(_has_prices, grid.columns.values())):
        return _no_column(grid, "of prices")
    match = _OF_AGE.search(question)
    if match is None or any(map(Head(match[0]).means, tokens(" ".join(grid.heads.values())))):
        return None
    of_persons = [at for head in (_AGE, _BIRTH) for at in _columns(grid, head)]
    made = [at for at in _columns(grid, _MADE) if _may_be_of(question, _MADE, grid, at)]
    dated = [one for one in grid.columns.values() if one.dates or one.is_of_years]
    is_of_years = bool(dated) and all(_BARE_YEAR.fullmatch(one.plain_head) for one in dated)
    if of_persons or made or not (is_of_years or (dated and _OF_PERSONS.match(question))):
        return None
    return _no_column(grid, "of ages or of when each began")


def _has_prices(column: Column) -> bool:
    """Whether a column may say what something costs."""
    return bool(currencies_in(f"{column.unit} {column.head}")) or _MAY_BE_PRICES.search(column.plain_head) is not None


def asks_extreme_place(question: str) -> bool:
    """Whether a question asks where something is the most: "Where is the cheapest item?"."""
    if ASKS_WHERE.match(question) is None:
        return False
    asked = asked_of_table(question)
    return asks_superlative(question) or (asked is not None and asked.op in (Op.HIGHEST, Op.LOWEST))


def _no_column(grid: Grid, of: str) -> Unknown:
    return Unknown(f"{NO_COLUMN} {of}, but {listing(head for _, head in sorted(grid.heads.items()))}", 3)


def by_sense(question: str, grid: Grid) -> Found | Unknown | None:
    """The name or place of the row that a superlative means; None if a word is left over or no single row is meant.

    A refusal if the table has no column of the sense.
    """
    if lacking := lacking_sense(question, grid):
        return lacking
    if grid.label is None or grid.has_kinds or not asks_superlative(question):
        return None
    measure = _measure(question, grid)
    compared = rows_compared(Wording(question).within([measure[0]]), measure[1], grid) if measure else None
    if measure is None or compared is None:
        return None
    _, columns, is_highest = measure
    rows, limits = compared
    values = [_values(grid, column) for column in columns]
    if len(rows) < _LEAST_ROWS or not all(rows <= one.keys() for one in values):
        return None
    chosen = [at_end({row: one[row] for row in rows}, is_highest=is_highest) for one in values]
    if any(one != chosen[0] for one in chosen):
        return several_columns(grid, columns)
    words = ("latest", "earliest") if grid.columns[columns[0]].dates else ("highest", "lowest")
    return named_rows(question, grid, chosen[0], columns, f"the {words[not is_highest]} of {len(rows):,} rows{limits}")


def at_end(values: Mapping[int, float], *, is_highest: bool) -> list[int]:
    """The rows that share the highest or the lowest value."""
    best = max(values.values()) if is_highest else min(values.values())
    return [row for row, value in values.items() if value == best]


def named_rows(
    question: str, grid: Grid, rows: Sequence[int], columns: Iterable[int], place: str
) -> Found | Unknown | None:
    """The names of the rows that share an extreme, or their cells that the question's form asks for, such as places.

    A refusal if they are many; None if one has no name.
    """
    if len(rows) > MAX_SHOWN:
        return Unknown(f"{len(rows):,} rows share that value: {listing(map(grid.name, rows))}", 3)
    asked = column_of_form(question, grid)
    is_name = asked is None or asked == grid.label
    texts = [grid.name(row) if is_name else grid.cell(row, asked or 0) for row in rows]
    shown = [*columns] if is_name else [asked or 0, *columns]
    about = (
        f"{grid.name(row)}: {', '.join(f'{grid.heads[one]} {grid.cell(row, one)}' for one in shown)}" for row in rows
    )
    if not all(text.strip() for text in texts):
        return None
    text = joined(list(dict.fromkeys(texts)))
    return Found(text, f"{'; '.join(about)}, {shared(len(rows))}{place}", tuple(rows), is_read=len(rows) == 1)


def rows_compared(wording: Wording, columns: Sequence[int], grid: Grid) -> tuple[set[int], str] | None:
    """The rows that are compared in some columns, and what they have in common; None if a word is left over."""
    thing = _of_rows(wording, grid, asked_thing(wording.text))
    named = named_cells(wording.with_(thing), grid)
    named = named.beside(flagged(wording.with_((*thing, *named.used)), grid))
    known = [at for one in (*columns, *named.by_column) for at in wording.meant_by(Head(grid.heads[one]))]
    left = [one.text for one in wording.with_((*thing, *named.used, *known)).left]
    if ASKS_WHERE.match(wording.text):
        left = [one for one in left if one not in _STANDING]
    if left or not named.by_column.keys().isdisjoint(columns):
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
