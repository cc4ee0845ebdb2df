"""The row with the highest or lowest value of a column, all rows that share it, or the first of a ranking."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.asked import Computation, Op, adds_up
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.locations import locations
from treatise.generate.tabular.result import MAX_SHOWN, Found, Unknown, joined, listing, shared
from treatise.generate.tabular.selected import Selected
from treatise.generate.tabular.words import LIGHT, Head, tokens

_OF_DEVIATIONS: Final = lazy_pattern(r"variance|deviation|difference", re.IGNORECASE)
_OF_SIZES: Final = lazy_pattern(rf"\b(?:{ALL.sizes})\b", re.IGNORECASE)
_AMOUNT: Final = lazy_pattern(r"\b(?:number|amount|value|figure|level)\b", re.IGNORECASE)
_RANKS: Final = {1: "", 2: "second ", 3: "third ", 4: "fourth ", 5: "fifth "}


def extreme_of(question: str, selected: Selected, numbers: dict[int, float], note: str) -> Found | Unknown:
    """The row with the extreme of some values, all rows that share it, or the first of a ranking."""
    asked, grid, measure = selected.asked, selected.grid, selected.measure
    assert measure is not None
    head = grid.heads[measure]
    if problem := _problem_of_extreme(question, selected, numbers):
        return problem
    extreme = str(asked.op)
    if _is_of_sizes(question, asked, head, numbers):
        numbers = {row: abs(value) for row, value in numbers.items()}
        extreme = "farthest from zero" if asked.op is Op.HIGHEST else "closest to zero"
    sign = -1 if asked.op is Op.HIGHEST else 1
    ranked = sorted(numbers, key=lambda row: sign * numbers[row])
    chosen = ranked[asked.rank - 1 : asked.rank - 1 + asked.n]
    if tied := _tied(chosen, ranked, numbers):
        if asked.n > 1 or asked.rank > 1 or len(tied) > MAX_SHOWN:
            value = grid.cell(tied[0], measure)
            return Unknown(f"{len(tied):,} rows share the value {value} of {head}: {_names(grid, tied)}", 3)
        chosen = tied
    return _named_extreme(selected, chosen, f"{_RANKS[asked.rank]}{extreme} of {selected.of_rows}{note}")


def _problem_of_extreme(question: str, selected: Selected, numbers: dict[int, float]) -> Unknown | None:
    """Why the rows cannot be compared, or it is open which are; None if they can."""
    asked, grid, measure = selected.asked, selected.grid, selected.measure
    head = grid.heads[measure or 0]
    if grid.columns[measure or 0].is_of_ranks:
        return Unknown(f"the column {head} is of ranks or codes, of which none is the {asked.op}", 3)
    if selected.thing is None or len(numbers) < max(2, asked.n + 1, asked.rank):
        return Unknown("the table has too few such rows to compare", 2)
    is_of_sums = adds_up(question) and not adds_up(head)
    if (is_of_sums or not asked.wants_value) and (repeated := repeated_things(question, selected, numbers)):
        return repeated
    if asked.wants_value and not _is_named_whole(question, head):
        return Unknown(f"the question may ask for a row, or for the {asked.op} {head} itself", 3)
    thing = grid.columns[selected.thing]
    if thing.values.by_row and not (thing.is_of_years or thing.is_key or selected.thing in locations(grid)):
        return Unknown(f"the column {grid.heads[selected.thing]} is of numbers, not of names", 2)
    return None


def _named_extreme(selected: Selected, chosen: Sequence[int], place: str) -> Found | Unknown:
    """What is asked for of the chosen rows, with their values and what they are the extreme of."""
    asked, grid, measure, thing = selected.asked, selected.grid, selected.measure or 0, selected.thing or 0
    head = grid.heads[measure]
    named = [grid.cell(row, thing).strip() for row in chosen]
    if not all(named):
        return Unknown(f"the row with the {asked.op} {head} has no name", 3)
    cells = [grid.cell(row, measure) for row in chosen]
    has_own = thing in locations(grid) and thing != grid.label
    place_of = [f"{grid.heads[thing]} {text}, " if has_own else "" for text in named]
    about = "; ".join(
        f"{grid.name(row) or text}: {at}{head} {cell}"
        for row, text, at, cell in zip(chosen, named, place_of, cells, strict=True)
    )
    if asked.n > 1:
        text = listing(f"{one} ({cell})" for one, cell in zip(named, cells, strict=True))
        return Found(text, f"{about}: the {asked.n} {place}", tuple(chosen))
    text = cells[0] if asked.wants_value else joined(list(dict.fromkeys(named)))
    return Found(text, f"{about}, {shared(len(chosen))}the {place}", tuple(chosen), is_read=len(chosen) == 1)


def _is_of_sizes(question: str, asked: Computation, head: str, numbers: dict[int, float]) -> bool:
    """Whether values are compared without their signs: "the smallest variance" is the one closest to zero."""
    words = " ".join(question[start:end] for start, end in asked.spans)
    return bool(_OF_SIZES.search(words) and _OF_DEVIATIONS.search(head)) and min(numbers.values()) < 0


def repeated_things(question: str, selected: Selected, rows: Iterable[int]) -> Unknown | None:
    """A refusal if what is asked for has several rows, which may have to be added up; else None.

    If the question also names what the rows are ("the river with the longest bridge"), each row counts alone.
    """
    grid, column = selected.grid, selected.thing
    assert column is not None
    first, last = selected.asked.thing
    others = [one for one in tokens(question) if not first <= one.start < last and one.text not in LIGHT]
    if grid.label is not None and any(map(Head(grid.heads[grid.label]).means, others)):
        column = grid.label
    names = [grid.cell(row, column) for row in rows]
    if len(set(names)) == len(names):
        return None
    return Unknown(f"a {grid.heads[column]} may have several rows, which are not added up here", 3)


def _is_named_whole(question: str, head: str) -> bool:
    """Whether the question has all words of a head, or says that it asks for a number."""
    asked = {one.meaning for one in tokens(question)}
    return _AMOUNT.search(question) is not None or Head(head).meanings <= asked


def _tied(chosen: Sequence[int], ranked: Sequence[int], numbers: dict[int, float]) -> list[int]:
    """Rows that share the value at which the chosen ones end, or begin, if others have it too."""
    for row in (chosen[0], chosen[-1]):
        same = [one for one in ranked if math.isclose(numbers[one], numbers[row], rel_tol=1e-12)]
        if not set(same) <= set(chosen):
            return same
    return []


def _names(grid: Grid, rows: Sequence[int]) -> str:
    return listing(grid.name(row) for row in rows)
