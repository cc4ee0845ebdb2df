"""The column and the rows of a table that a question is about, once everything in it is understood."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.plurals import counted
from treatise.generate.tabular.asked import SUMMED, Computation, Op, asked_of_table, is_bare, without_range
from treatise.generate.tabular.column import OF_TIMES
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.locations import ASKS_WHERE, asked_locations
from treatise.generate.tabular.measured import measure_of, understood, unmeasured
from treatise.generate.tabular.named import Choice, Named, doubtful, named_cells, numbered_cells, thing_column
from treatise.generate.tabular.ranged import IN_ORDER, Ranged, rows_in_range
from treatise.generate.tabular.result import Unknown, listing, several_columns
from treatise.generate.tabular.words import Head, Token, Wording, tokens

NOT_COMPUTED: Final = "the question compares or leaves out rows in a way that is not computed here"
_WHAT: Final = lazy_pattern(rf"\s*(?:{ALL.what})\b", re.IGNORECASE)
_AFTER_MOST: Final = frozenset(ALL.after_most.split("|"))
_WHO: Final = lazy_pattern(rf"\b(?:{ALL.who})\b", re.IGNORECASE)
_WHEN: Final = lazy_pattern(rf"\b(?:{ALL.when})\b", re.IGNORECASE)
_OF_PERSONS: Final = lazy_pattern(rf"\b(?:{ALL.of_persons})\b", re.IGNORECASE)
_RANGE: Final = lazy_pattern(
    rf"\b(?:{ALL.between}|{ALL.since}|{ALL.until}|{ALL.later}|{ALL.earlier}|{ALL.end}|{ALL.beside})\b|\b(?:{ALL.from_})\b.{{1,20}}\b(?:{ALL.to})\b|\d\s?[–-]\s?\d",
    re.IGNORECASE,
)
"""What takes numbers of rows as the ends of a range."""
_BETWEEN: Final = lazy_pattern(rf"\b(?:{ALL.between})(?: \w+){{0,2}}\s*$", re.IGNORECASE)
_TO: Final = lazy_pattern(rf"\s*(?:(?:{ALL.to})\b|[–-])", re.IGNORECASE)
_DASH: Final = lazy_pattern(r"[–-]")
_OF_ALL: Final = lazy_pattern(rf"{ALL.of}|{ALL.all_}|across|over", re.IGNORECASE)
_BEFORE_ROWS: Final = frozenset((*ALL.articles.split("|"), "among", "amongst"))
_N_BETWEEN: Final = 3
"""Words in which "of" or "all" stands before the noun of the rows."""
_PER: Final = lazy_pattern(r"\b(?:per|each|every) \w+", re.IGNORECASE)
_AND: Final = lazy_pattern(rf"\b(?:{ALL.and_})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Selected:
    """What is to be computed with.

    Attributes:
        grid: The table.
        asked: What is asked of it.
        thing: The column of what is asked for: the names of the rows, or another one.
        names_thing: Whether the question names that column.
        measure: The column that is compared or summed; None if only rows are counted.
        rows: The rows that have what the question names.
        limits: What they have in common, in words.
    """

    grid: Grid
    asked: Computation
    thing: int | None
    names_thing: bool
    measure: int | None
    rows: tuple[int, ...]
    limits: str

    @property
    def of_rows(self) -> str:
        """The rows in words: "12 rows of “Bridges” with River Lune"."""
        title = f" of “{self.grid.title}”" if self.grid.title else ""
        return f"{counted(len(self.rows), 'row')}{title}{self.limits}"


@dataclass(frozen=True, slots=True)
class _Operation:
    """What is understood of a question before its column of numbers is known.

    Attributes:
        asked: What is asked.
        thing: The column of what is asked for.
        ranged: The rows within a range.
        numbered: The cells of numbers beside their heads.
        wording: The question with all words of these understood.
    """

    asked: Computation
    thing: Choice
    ranged: Ranged | None
    numbered: Named
    wording: Wording


def select(
    question: str, asked: Computation, grid: Grid, *, wants_measure: bool = True, in_prose: bool = False
) -> Selected | Unknown:
    """What a question is about in a table; a reason if that is open, or if a word of it is not understood.

    ``in_prose`` only numbers must be understood.
    """
    operation = _operation(question, asked, grid)
    if isinstance(operation, Unknown):
        return operation
    asked, thing, ranged = operation.asked, operation.thing, operation.ranged
    chosen: tuple[int | None, Wording] | Unknown = (None, operation.wording)
    if wants_measure:
        chosen = measure_of(question, asked, operation.wording, grid, unmeasured(thing, grid))
    if isinstance(chosen, Unknown):
        return chosen
    measure, wording = chosen
    named = named_cells(wording, grid).beside(operation.numbered)
    if measure in named.by_column:
        return Unknown("the question names a value of the column that is compared", 2)
    plain = without_range(question, asked.ends if ranged else None)
    if problem := _problem_of_rows(plain, asked, wording, named, grid):
        return problem
    every = _with_heads(question, asked, wording, named, grid)
    if left := [one for one in every.left if one.is_number or not in_prose]:
        return Unknown(f"no column or cell of the table is called {_quoted(question, left)}", 1 + (measure is not None))
    column = next((one for one in (thing.column, column_of_form(question, grid)) if one is not None), grid.label)
    rows = _rows_named(asked, named, grid, column, names_thing=thing.column is not None)
    if rows is None:
        return Unknown("the question names several rows or cells, which leaves open what is compared", 2)
    rows = tuple(row for row in rows if ranged is None or row in ranged.rows)
    limits = limits_of(named, grid, ranged.text if ranged else "")
    return Selected(grid, asked, column, thing.column is not None, measure, rows, limits)


def _operation(question: str, asked: Computation, grid: Grid) -> _Operation | Unknown:
    """What is asked for, and within which range; a refusal if that is open or not computed."""
    if _AND.search(without_range(question, asked.ends)[slice(*asked.thing)]):
        return Unknown("the question asks for two things at once", 1)
    if asked.is_negated and not _is_in_head(question, grid):
        return Unknown(NOT_COMPUTED)
    asked = _of_row(question, asked, grid)
    ranged = rows_in_range(question, asked, grid)
    if isinstance(ranged, Unknown):
        return ranged
    wording = Wording(question).within(asked.spans).with_(ranged.used if ranged else ())
    numbered = numbered_cells(wording, grid)
    wording = wording.with_(numbered.used)
    thing = _thing(asked, wording, grid)
    if isinstance(thing, Unknown):
        return thing
    return _Operation(asked, thing, ranged, numbered, wording.with_(thing.used))


def _is_in_head(question: str, grid: Grid) -> bool:
    """Whether the words that would leave something out are of a head: "the lowest price per night"."""
    heads = [" ".join(one.text for one in tokens(head)) for head in grid.heads.values()]
    phrases = list(_PER.finditer(question))
    if not phrases or not all(any(one[0].casefold() in head for head in heads) for one in phrases):
        return False
    plain = asked_of_table(_PER.sub(lambda match: " " * len(match[0]), question))
    return plain is not None and not plain.is_negated


def _with_heads(question: str, asked: Computation, wording: Wording, named: Named, grid: Grid) -> Wording:
    """The question with the heads of named cells understood besides all else; for an extreme that of names too."""
    of_heads = [at for one in named.by_column for at in wording.meant_by(Head(grid.heads[one]))]
    is_of_rows = asked.op in (Op.HIGHEST, Op.LOWEST) or (asked.op is Op.WITHIN and asked.thing == (0, 0))
    if is_of_rows and grid.label is not None:
        of_heads += _of_rows(Wording(question).within(asked.spans), Head(grid.heads[grid.label]))
    return understood(question, asked, grid).with_((*wording.understood, *named.used, *of_heads))


def _of_rows(operation: Wording, label: Head) -> list[int]:
    """Indices of the words for the rows of an extreme: "the cheapest item", "of the cities", and no "one city"."""
    before = {at for at, one in enumerate(operation.tokens) if one.text in _AFTER_MOST or _OF_ALL.fullmatch(one.text)}
    before |= {at for at, one in enumerate(operation.tokens) if one.text in _BEFORE_ROWS} | operation.understood
    return [at for at, one in enumerate(operation.tokens) if label.means(one) and (at - 1 in before)]


def _thing(asked: Computation, operation: Wording, grid: Grid) -> Choice | Unknown:
    """The column of what is asked for; a refusal if there are several, or it only numbers the rows."""
    if asked.op in SUMMED:
        return Choice(grid.label, (), _of_all_rows(operation, grid))
    is_counted = asked.op is Op.COUNT
    thing = thing_column(operation, asked.thing, grid, is_counted=is_counted)
    if thing.among:
        return several_columns(grid, thing.among)
    is_other = thing.column is not None and thing.column not in grid.naming
    if is_other and not is_counted and grid.columns[thing.column or 0].is_of_ranks:
        return Unknown(f"the column {grid.heads[thing.column or 0]} only numbers the rows", 2)
    return thing


def _of_all_rows(operation: Wording, grid: Grid) -> tuple[int, ...]:
    """Indices of the words that say that a sum is of the rows: "of all mills", "der offenen Rechnungen"."""
    heads = [Head(grid.heads[column]) for column in grid.naming]
    before = {at for at, one in enumerate(operation.tokens) if _OF_ALL.fullmatch(one.text)} - operation.understood
    nouns = [
        at
        for at, one in enumerate(operation.tokens)
        if any(head.means(one) for head in heads) and not before.isdisjoint(range(at - _N_BETWEEN, at))
    ]
    return (*before, *nouns) if nouns else ()


def _rows_named(
    asked: Computation, named: Named, grid: Grid, column: int | None, *, names_thing: bool
) -> tuple[int, ...] | None:
    """The rows that have what the question names; None if that is open."""
    is_summed = asked.op in SUMMED
    has_choice = any(len(texts) > 1 for at, texts in named.texts.items() if at != column)
    if has_choice and not names_thing and not is_summed:
        return None
    has_key = grid.key not in (None, grid.label)
    is_of_kinds = grid.has_kinds and (has_key or (asked.op is Op.COUNT and column != grid.label))
    return _limited(named, grid, may_be_kind=is_summed or is_of_kinds)


def _problem_of_rows(question: str, asked: Computation, wording: Wording, named: Named, grid: Grid) -> Unknown | None:
    """Why the rows that are named are not those that are meant; None if they are."""
    is_range = names_range(_without(question, asked.spans), named, grid)
    if is_range or (asked.op in SUMMED and _names_others(wording, named)):
        return Unknown(NOT_COMPUTED, 2)
    if cell := doubtful(wording, grid):
        return Unknown(f"the question may name the cell {cell} or not; write it as the table does", 2)
    return None


def _of_row(question: str, asked: Computation, grid: Grid) -> Computation:
    """Asked for the row if the extreme is one of what the rows, or some of them, are called: "the cheapest item"."""
    if not asked.wants_value or grid.label is None or not asked.spans:
        return asked
    if not (_WHAT.match(question) or is_bare(question)):
        return asked
    rest = (one for one in tokens(question) if one.start >= asked.spans[0][1])
    after = next((one for one in rest if one.text not in _AFTER_MOST), None)
    if after is None:
        return asked
    if Head(grid.heads[grid.label]).means(after) or (grid.key is not None and grid.calls_rows(after)):
        return replace(asked, thing=(after.start, after.end), wants_value=False)
    return replace(asked, wants_value=not _ends_with_cells(question, after, grid))


def _ends_with_cells(question: str, first: Token, grid: Grid) -> bool:
    """Whether a question has cells from a word on, and nothing else: "the cheapest furniture" is a row."""
    wording = Wording(question)
    used = named_cells(wording, grid).used
    outside = (at for at, one in enumerate(wording.tokens) if one.start < first.start)
    return wording.tokens.index(first) in used and not wording.with_((*outside, *used)).left


def names_range(question: str, named: Named, grid: Grid) -> bool:
    """Whether a question names cells as the ends of a range: "since 2019", "from March to May"."""
    if any(_are_ends(question.casefold(), texts) for texts in named.texts.values()):
        return True
    for text in (one for texts in named.texts.values() for one in texts if _DASH.search(one)):
        question = question.replace(text, " ")  # the dash of a code is of no range
    are_ordered = any(
        not grid.columns[column].is_text or any(map(IN_ORDER.search, texts)) for column, texts in named.texts.items()
    )
    return are_ordered and (_RANGE.search(question) is not None or _is_end(question, named))


def _is_end(question: str, named: Named) -> bool:
    """Whether a question has "by" before a month or a day that it names."""
    texts = (one for texts in named.texts.values() for one in texts if IN_ORDER.search(one))
    return any(re.search(rf"\bby {re.escape(one)}", question, re.IGNORECASE) for one in texts)


def _are_ends(question: str, texts: Sequence[str]) -> bool:
    """Whether a question in lower case has "between" before two values of a column, or "to" between them."""
    places = sorted((at, at + len(text)) for text in map(str.casefold, texts) if (at := question.find(text)) >= 0)
    return any(
        _TO.match(question[end:after]) is not None or _BETWEEN.search(question[:first]) is not None
        for (first, end), (after, _) in pairwise(places)
    )


def _without(question: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        question = question[:start] + " " * (end - start) + question[end:]
    return question


def _names_others(wording: Wording, named: Named) -> bool:
    """Whether a question has "and" beside the only value that it names: one of two is not in the table."""
    free = (one.text for at, one in enumerate(wording.tokens) if at not in wording.understood and at not in named.used)
    return sum(map(len, named.texts.values())) == 1 and any(map(_AND.fullmatch, free))


def column_of_form(question: str, grid: Grid) -> int | None:
    """The column of persons for "who", of times for "when", or of places for "where".

    None if the question has none of these words, or the table no such column, or several of places of which none names
    the rows.
    """
    if ASKS_WHERE.match(question):
        found = asked_locations(question, grid)
        return grid.label if grid.label in found else found[0] if len(found) == 1 else None
    for asks, has in ((_WHO, _OF_PERSONS), (_WHEN, OF_TIMES)):
        if asks.search(question):
            return next((one for one, head in sorted(grid.heads.items()) if has.search(head)), None)
    return None


def _quoted(question: str, words: Sequence[Token]) -> str:
    return listing(dict.fromkeys(f"“{question[one.start : one.end]}”" for one in words))


def _limited(named: Named, grid: Grid, *, may_be_kind: bool) -> tuple[int, ...] | None:
    """The rows that have a named cell in each column of which one is named; None if that is open."""
    rows = set(range(len(grid.rows)))
    spans = [(frozenset(of_column), tuple(named.texts[column])) for column, of_column in named.by_column.items()]
    texts = [text for _, of_column in spans for text in of_column]
    if len(texts) != len(set(texts)):
        return None  # the same words are cells of several columns
    if (
        not may_be_kind
        and grid.label in named.by_column
        and not 1 < len(named.by_column[grid.label]) == len(named.texts[grid.label])
    ):
        return None  # one name, or a name of several rows
    for of_column, _ in spans:
        rows &= of_column
    return tuple(sorted(rows))


def limits_of(named: Named, grid: Grid, in_range: str = "") -> str:
    """What the rows have in common, in words; empty if nothing is named."""
    found = [f"{grid.heads[column]} {listing(texts)}" for column, texts in named.texts.items()]
    found = [one for one in (grid.limit, *found, in_range) if one]
    return f" with {listing(found)}" if found else ""
