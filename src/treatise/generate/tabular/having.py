"""The rows that have a value, listed or counted: "Which rooms are on floor 1?", "How many people work in Sales?"."""

import re
from collections.abc import Iterable
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.plurals import counted
from treatise.generate.tabular.asked import Computation, Op, asked_thing, compares, is_bare
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.measured import understood
from treatise.generate.tabular.named import Named, choose, doubtful, named_cells, thing_column
from treatise.generate.tabular.numbers import is_missing
from treatise.generate.tabular.result import Found, Unknown, joined
from treatise.generate.tabular.selected import NOT_COMPUTED, column_of_form, limits_of, names_range
from treatise.generate.tabular.words import Head, Wording, tokens

_LISTS: Final = lazy_pattern(rf"\s*(?:{ALL.lists})\b", re.I)
_LOCATED: Final = lazy_pattern(rf"\s*(?:{ALL.located})\b", re.I)
_PHRASE: Final = lazy_pattern(
    r"\s*(?:all )?(?:the )?(?P<thing>\w[\w -]*?s) (?:of|for|in|on|at|from|by|with|under)\b", re.I
)
_HAVE: Final = lazy_pattern(rf"\b(?:{ALL.have})\b", re.I)
_YES: Final = frozenset((*ALL.yes.split("|"), "x", "✓", "✔"))
_NO: Final = frozenset((*ALL.no.split("|"), "✗", "✘"))
_WHO: Final = lazy_pattern(rf"\s*(?:{ALL.who})\b", re.I)
_HOW_MANY_PERSONS: Final = lazy_pattern(rf"\s*(?:{ALL.how_many}) (?P<persons>{ALL.persons})\b", re.I)
_OF_NAMES: Final = lazy_pattern(rf"\b(?:{ALL.of_names}|{ALL.persons})\b", re.I)
_PERSON: Final = lazy_pattern(r"[^\W\d_][\w.'’-]*,?(?: [^\W\d_][\w.'’-]*){1,3}")
_MOSTLY: Final = 0.6
_RELATING: Final = frozenset(ALL.relating.split("|"))
"""Verbs between a thing and the value that it has."""
_EXTREMES: Final = lazy_pattern(rf"\b(?:{ALL.highest}|{ALL.lowest}|best|worst|only|ever)\b", re.I)
_BESIDE: Final = lazy_pattern(
    rf"\b(?:{ALL.beside})(?: (?:{ALL.articles}|von))? (?P<head>[^\W\d][\w -]{{0,40}}?) \d", re.I
)
"""What takes a value as a limit after the head of its column: "under floor 3"."""
_MAX_LISTED: Final = 30


def asks_rows(question: str) -> bool:
    """Whether a question may ask for the rows that have a value."""
    is_list = _LISTS.match(question) or _HOW_MANY_PERSONS.match(question) or _phrase(question)
    return is_list is not None and not (compares(question) or _EXTREMES.search(question))


def asks_beside(question: str) -> bool:
    """Whether a question asks for the rows over or under a value: "Which rooms are under floor 3?"."""
    return _BESIDE.search(question) is not None and (is_bare(question) or _LISTS.match(question) is not None)


def rows_beside(question: str, grid: Grid) -> Unknown | None:
    """A refusal if a question asks for the rows over or under a value of a column; else None."""
    match = _BESIDE.search(question) if asks_beside(question) else None
    if match is None or not any(
        set(map(Head(head).means, tokens(match["head"]))) == {True}
        for column, head in grid.heads.items()
        if not grid.columns[column].is_text
    ):
        return None
    return Unknown(NOT_COMPUTED, 2)


def _phrase(question: str) -> re.Match[str] | None:
    """The several things of a phrase without a verb: "Invoices of Huber?"."""
    return _PHRASE.match(question) if is_bare(question) else None


def rows_having(question: str, grid: Grid) -> Found | None:
    """The names of the rows, or the cells of another column, that have what the question names.

    None if it asks otherwise, or has a word that is not understood.
    """
    phrase = _phrase(question)
    if not asks_rows(question) or _HOW_MANY_PERSONS.match(question):
        return None
    plain = Wording(question)
    named = named_cells(plain, grid)
    span = phrase.span("thing") if phrase else asked_thing(question)
    thing = thing_column(plain.with_(named.used), span, grid)
    if not named.by_column and _HAVE.search(question):
        named = flagged(plain.with_(thing.used), grid)
    column = thing.column
    if column is None and _WHO.match(question):
        column = _column_of_persons(question, grid)
    elif column is None and _LOCATED.match(question):
        column = grid.label
    if column is None or column in named.by_column or not _is_of_names(grid, column):
        return None
    rows = _rows(question, grid, named, thing.used)
    names = list(dict.fromkeys(text for row in rows if not is_missing(text := grid.cell(row, column))))
    if not names or len(names) > _MAX_LISTED:
        return None
    text = joined(names)
    return Found(text, f"{counted(len(rows), 'row')}{limits_of(named, grid)}: {text}", rows, is_read=len(names) == 1)


def persons_having(question: str, grid: Grid) -> Found | None:
    """The number of the rows, which are persons, that have what the question names; None if it asks otherwise."""
    match = _HOW_MANY_PERSONS.match(question)
    if match is None or compares(question) or not _are_persons(grid):
        return None
    wording = Wording(question)
    named = named_cells(wording, grid)
    if not named.by_column and _HAVE.search(question):
        named = flagged(wording, grid)
    rows = _rows(question, grid, named, wording.within([match.span("persons")]).understood)
    return Found(f"{len(rows):,}", f"{counted(len(rows), 'row')}{limits_of(named, grid)}", rows) if rows else None


def _rows(question: str, grid: Grid, named: Named, used: Iterable[int]) -> tuple[int, ...]:
    """The rows that have all that is named; empty if a column has several such values, or a word is not understood."""
    plain = Wording(question)
    heads = [at for one in {*named.by_column, *grid.naming} for at in plain.meant_by(Head(grid.heads[one]))]
    every = understood(question, Computation(Op.CELL), grid).with_((*named.used, *used, *heads))
    is_open = any(len(texts) > 1 for texts in named.texts.values()) or names_range(question, named, grid)
    is_open = is_open or bool(doubtful(plain.with_(used), grid))
    if is_open or not named.by_column or any(one.text not in _RELATING for one in every.left):
        return ()
    return tuple(sorted(set.intersection(*named.by_column.values())))


def _are_persons(grid: Grid) -> bool:
    """Whether most rows are named by a first name and a surname, and not like a place."""
    if grid.label is None or not _OF_NAMES.search(grid.heads[grid.label].replace("_", " ")):
        return False
    names = [grid.cell(row, grid.label) for row in range(len(grid.rows))]
    return sum(_PERSON.fullmatch(one) is not None for one in names) > _MOSTLY * len(names)


def flagged(wording: Wording, grid: Grid) -> Named:
    """The rows with a yes in the column of yes and no that the question names: "Which rooms have a projector?"."""
    chosen = choose(wording, {column: head for column, head in grid.heads.items() if _is_of_flags(grid, column)})
    if chosen.column is None:
        return Named({}, (), {}, ())
    rows = {row for row in range(len(grid.rows)) if grid.cell(row, chosen.column).casefold() in _YES}
    return Named({chosen.column: rows}, chosen.used, {chosen.column: ["yes"]}, ())


def _is_of_flags(grid: Grid, column: int) -> bool:
    found = {cells.get(column, "").strip().casefold() for cells in grid.cells}
    return not found.isdisjoint(_YES) and all(one in _YES or one in _NO or is_missing(one) for one in found)


def _column_of_persons(question: str, grid: Grid) -> int | None:
    is_of_persons = grid.label is not None and _OF_NAMES.search(grid.heads[grid.label].replace("_", " "))
    return grid.label if is_of_persons or column_of_form(question, grid) == grid.label else None


def _is_of_names(grid: Grid, column: int) -> bool:
    return grid.columns[column].is_text or grid.columns[column].is_key or grid.columns[column].is_code
