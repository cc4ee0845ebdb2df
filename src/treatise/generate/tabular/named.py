"""The columns and rows of a table that a question names."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.claims.words import FUNCTION_WORDS
from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.places import Places
from treatise.generate.tabular.words import Head, Wording, named_runs, tokens
from treatise.generate.tabular.written import is_as_written, may_end, stands_alone

_ALTERING_TEXT: Final = (
    "change growth grow increase decrease difference margin rank percent rate ratio share average index"
)
_ALTERING: Final = frozenset(one.meaning for one in tokens(_ALTERING_TEXT))
"""Words of a head that make another measure of what the rest names: a change of turnout is no turnout."""

_NAMES: Final = frozenset(("name", "names", "title", "official", "s"))
_CODES: Final = lazy_pattern(rf"(?:\W*\b(?:{ALL.numbering})\b|#)\W*$", re.IGNORECASE)
_OF_TITLES: Final = lazy_pattern(rf"(?:{ALL.of_titles})", re.IGNORECASE)
_COMMON: Final = 0.6


@dataclass(frozen=True, slots=True)
class Choice:
    """The column that a question names.

    Attributes:
        column: The only one; None if it names none, or several.
        among: The columns that it may mean, if several.
        used: Indices of the question's words that name it or them.
    """

    column: int | None = None
    among: tuple[int, ...] = ()
    used: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Match:
    column: int
    used: tuple[int, ...]
    n_words: int
    n_numbers: int
    n_light: int
    is_exact: bool
    is_literal: bool
    is_altered: bool

    @property
    def score(self) -> tuple[int, int]:
        return self.n_words + self.n_numbers, self.n_light


def choose(wording: Wording, heads: dict[int, str], without: Collection[int] = ()) -> Choice:
    """The column whose head shares most words with what is not yet understood of the question.

    A year that stands in a head must be the column's, and one that the question does not name in full leaves the column
    out. Of several columns that share as much, one whose head is named in full is meant; else it is left open.
    """
    found = [one for column, head in heads.items() if column not in without and (one := _match(wording, column, head))]
    if not any(one.n_words or one.n_numbers for one in found):
        found = [one for one in found if one.is_exact]
    most_numbers = max((one.n_numbers for one in found), default=0)
    found = [one for one in found if one.n_numbers == most_numbers]
    best = max((one.score for one in found), default=(0, 0))
    found = [one for one in found if one.score == best]
    exact = [one for one in found if one.is_exact]
    for preferred in (
        exact,
        [one for one in exact if one.is_literal and all({*one.used} & {*other.used} for other in exact)],
        [one for one in found if not one.is_altered],
        found,
    ):
        if len(preferred) == 1:
            return Choice(preferred[0].column, (), preferred[0].used)
    used = tuple(sorted({at for one in found for at in one.used}))
    return Choice(None, tuple(one.column for one in found), used)


def _match(wording: Wording, column: int, text: str) -> _Match | None:
    head = Head(text)
    used = [at for at in wording.meant_by(head) if at not in wording.understood]
    words = [wording.tokens[at] for at in used]
    named = {one.meaning for one in words if not one.is_number}
    strong = {one.meaning for one in words if one.text not in wording.light} & named & head.meanings
    light = named - strong
    numbers = [one for one in words if one.is_number]
    known = {number for number in head.numbers if any(Head(number).means(one) for one in numbers)}
    if not (strong or light or (numbers and not head.meanings)) or (known and known != head.numbers):
        return None
    rest = head.meanings - strong - light
    whole = head.text and used and not rest and known == head.numbers
    n_numbers = len({one.text for one in numbers})
    asked = {one.text for one in wording.tokens}
    is_literal = all(one.text in asked for one in tokens(text))  # "very satisfied" is not "satisfied"
    is_altered = bool(rest & _ALTERING)
    return _Match(column, tuple(used), len(strong), n_numbers, len(light), bool(whole), is_literal, is_altered)


def rivals(wording: Wording, grid: Grid, chosen: int) -> tuple[int, ...]:
    """Columns besides the chosen one that a light word names which is not understood: "won" beside "games"."""
    free = [one for at, one in enumerate(wording.tokens) if at not in wording.understood and one.text in wording.light]
    free = [one for one in free if one.text not in FUNCTION_WORDS]
    heads = {column: Head(text) for column, text in grid.heads.items() if column not in (chosen, grid.label)}
    return tuple(column for column, head in heads.items() if any(one.meaning in head.meanings for one in free))


def thing_column(wording: Wording, span: tuple[int, int], grid: Grid, *, is_counted: bool = False) -> Choice:
    """The column of what a question asks for, by the words after "which": the names of the rows, or another column.

    A word that most names of rows have ("County") means these too.
    """
    inside = [at for at, one in enumerate(wording.tokens) if span[0] <= one.start and one.end <= span[1]]
    others = [at for at in range(len(wording.tokens)) if at not in inside]
    known = wording.with_(others)
    chosen = choose(known, grid.heads)
    ids = [one for one in chosen.among if one in grid.naming and one != grid.label]
    if len(ids) == 1 and _CODES.search(grid.heads[ids[0]].replace("_", " ")):  # an order is an "order_id"
        chosen = Choice(ids[0], (), tuple(known.meant_by(Head(grid.heads[ids[0]]))))
    if grid.label in chosen.among and not is_counted:
        head = Head(grid.heads[grid.label or 0])
        chosen = Choice(grid.label, (), tuple(at for at in chosen.used if head.means(wording.tokens[at])))
    names = _common_words(grid) if inside else set()
    common = [at for at in inside if wording.tokens[at].meaning in names]
    if chosen.column is not None and not _is_called(
        grid.heads[chosen.column], wording, chosen.used, is_code=is_counted or chosen.column in grid.naming
    ):
        chosen = Choice()
    if common and chosen.column in (None, grid.label) and not chosen.among:
        chosen = Choice(grid.label, (), tuple(sorted({*chosen.used, *common})))
    if chosen.column is None and not chosen.among:
        return _thing_of_rows(wording, inside, grid)
    return chosen


def _thing_of_rows(wording: Wording, inside: Sequence[int], grid: Grid) -> Choice:
    """The column of the names or codes of rows if the thing is called like the table or its codes; else no column.

    The rows of "orders.csv" are orders, and "INV-003" is an invoice.
    """
    nouns = [at for at in inside if wording.tokens[at].text not in wording.light]
    if not nouns and len(inside) == 1:
        return _named_by_noun(wording.tokens[inside[0]].meaning, inside[0], grid)
    if not nouns or grid.key is None:
        return Choice()
    if not grid.calls_rows(wording.tokens[nouns[-1]]):
        return Choice()
    has_names = grid.label is not None and _OF_TITLES.fullmatch(grid.columns[grid.label].plain_head) is not None
    return Choice(grid.label if has_names else grid.key, (), (nouns[-1],))


def _named_by_noun(meaning: str, at: int, grid: Grid) -> Choice:
    """The column that names the rows if its head ends with a light word: "years" for "Fiscal Year"."""
    first = min(grid.heads)
    words = [one.meaning for one in tokens(grid.columns[first].plain_head)]
    is_of = grid.columns[first].is_key and len(words) > 1 and words[-1] == meaning
    return Choice(first, (), (at,)) if is_of else Choice()


def _is_called(text: str, wording: Wording, used: Collection[int], *, is_code: bool) -> bool:
    """Whether the question has the noun of a head: "Home team" is a team, but "Game site" is no game.

    What is counted or named may have numbers or codes: "Invoice no" counts invoices.
    """
    if is_code:
        text = _CODES.sub("", Head(text).in_words.replace("_", " "))
    nouns = [one.meaning for one in tokens(text.partition("(")[0]) if not one.is_number and one.text not in _NAMES]
    return not nouns or nouns[-1] in {wording.tokens[at].meaning for at in used}


def _common_words(grid: Grid) -> set[str]:
    """Words that most names of rows have."""
    counts = Counter(
        word for row in range(len(grid.rows)) for word in {one.meaning for one in tokens(_named_in_words(grid, row))}
    )
    return {word for word, n in counts.items() if n > _COMMON * len(grid.rows) and not word.isdigit()}


def _named_in_words(grid: Grid, row: int) -> str:
    return "" if grid.label is None else grid.cell(row, grid.label)


@dataclass(frozen=True, slots=True)
class Named:
    """What the question names of the cells.

    Attributes:
        by_column: The rows of each column that have a cell that is named.
        used: Indices of the question's words that name them.
        texts: What is named, by column.
        order: The rows that names or codes of rows name, in the question's order.
    """

    by_column: dict[int, set[int]]
    used: tuple[int, ...]
    texts: dict[int, list[str]]
    order: tuple[tuple[int, int], ...]

    def beside(self, other: "Named") -> "Named":
        """What one or the other names; they name cells of different columns."""
        return Named(
            {**self.by_column, **other.by_column},
            tuple(sorted({*self.used, *other.used})),
            {**self.texts, **other.texts},
            tuple(sorted({*self.order, *other.order})),
        )


def numbered_cells(wording: Wording, grid: Grid) -> Named:
    """The cells of numbers that stand in the question beside the head of their column: "floor 2", "5 users"."""
    return _named(wording, grid, grid.number_places)


def named_cells(wording: Wording, grid: Grid) -> Named:
    """The cells of words that stand in the question whole, with a word that is not yet understood.

    The name of a row may lack what follows its comma ("Cuyahoga County" for "Cuyahoga County, Ohio"). Years count as
    words in a column that is not computed with; other numbers must stand beside the head of their column.
    """
    return _named(wording, grid, grid.places)


def _named(wording: Wording, grid: Grid, known: Places) -> Named:
    by_column: dict[int, set[int]] = {}
    texts: dict[int, list[str]] = {}
    used: set[int] = set()
    order: list[tuple[int, int]] = []
    for first, last, words in named_runs(wording, known):
        cells = _meant(wording, first, last, grid, known[words])
        if not cells:
            continue
        used.update(range(first, last))
        for row, column in cells:
            by_column.setdefault(column, set()).add(row)
            if column in grid.naming:
                order.append((first, row))
        for column in {column for _, column in cells}:
            inside = [one for one in wording.tokens[first:last] if one.is_number or not grid.is_measured(column)]
            texts.setdefault(column, []).append(wording.text[inside[0].start : inside[-1].end])
    return Named(by_column, tuple(sorted(used)), texts, tuple(sorted(order)))


def _meant(
    wording: Wording, first: int, last: int, grid: Grid, cells: Sequence[tuple[int, int]]
) -> Sequence[tuple[int, int]]:
    """The cells that a run of words names: of light words and letters, those that are written the same."""
    if all(at in wording.understood for at in range(first, last)):
        return ()
    if wording.tokens[first].is_number and first in wording.understood and last - first > 1:
        return ()  # a number of a limit or of rows: "more than 5 users", "the 3 mills"
    if not _looks_light(wording, first, last):
        return cells
    return [place for place in cells if is_as_written(wording, first, last, grid.cell(*place))]


def _looks_light(wording: Wording, first: int, last: int) -> bool:
    is_letter = wording.tokens[last - 1].end - wording.tokens[first].start == 1
    return is_letter or all(at in wording.understood or _is_light(wording, at) for at in range(first, last))


def doubtful(wording: Wording, grid: Grid) -> str:
    """A cell that the question may name by words that are written otherwise ("in it?" for "IT"); empty if none."""
    ends = range(len(wording.tokens))
    if not any(_looks_light(wording, at, at + 1) and may_end(wording, at + 1) for at in ends):
        return ""
    known = grid.places
    for first, last, words in named_runs(wording, known):
        is_open = not all(at in wording.understood for at in range(first, last)) and stands_alone(wording, first, last)
        is_open = is_open and _looks_light(wording, first, last)
        if is_open and not _meant(wording, first, last, grid, known[words]):
            return grid.cell(*known[words][0])
    return ""


def _is_light(wording: Wording, at: int) -> bool:
    return wording.tokens[at].text in wording.light
