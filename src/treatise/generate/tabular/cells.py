"""Cells by row and column, and differences between two of them."""

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.asked import DIFFERENCE, Computation, Op, asked_thing, is_bare, total_words
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.measured import implied, understood
from treatise.generate.tabular.named import Choice, Named, choose, named_cells, rivals, thing_column
from treatise.generate.tabular.numbers import TIME, is_missing, shown
from treatise.generate.tabular.result import NO_CHANGE, NO_PERCENT, Found, Unknown, listing, several_columns
from treatise.generate.tabular.selected import NOT_COMPUTED, names_range
from treatise.generate.tabular.words import Head, Token, Wording, has_whole_head, tokens, without_ending

_THAN: Final = lazy_pattern(rf"\b(?:{ALL.than}|{ALL.and_})\b", re.I)
_TO: Final = lazy_pattern(rf"\b(?:{ALL.to}|{ALL.and_})\b", re.I)
_FROM: Final = lazy_pattern(rf"\b(?:{ALL.from_}|{ALL.between})\b", re.I)
_CHANGES: Final = lazy_pattern(r"chang", re.I)
_DECIMALS: Final = 2  # of percent
_SEVERAL_NAMED: Final = lazy_pattern(rf",|&|\b(?:{ALL.and_})\b", re.I)
_EACH: Final = lazy_pattern(rf"\b(?:{ALL.each})\b", re.I)
_COUNTS: Final = lazy_pattern(rf"\b(?:{ALL.how_measured})\b", re.I)
_VALUE_IS: Final = lazy_pattern(rf"\s*(?:{ALL.value_is})\b", re.I)
_VALUE_OF: Final = lazy_pattern(rf"(?:.*?\b(?:{ALL.articles}) )?(?P<noun>[\w -]+?) (?:{ALL.of})\b", re.I)
_HOW_MANY: Final = lazy_pattern(rf"\s*(?:{ALL.how_many}|{ALL.how_much})\b", re.I)
_DID: Final = lazy_pattern(
    rf"\s*(?:{ALL.how_many}|{ALL.how_much})\b.+?\b(?:{ALL.did})\b.*?\s(?P<verb>[^\W\d_]+)"
    r"(?:\s(?:in|during|since|altogether|overall|at)\b.*)?\W*$",
    re.I,
)
_OF_SIGNED: Final = lazy_pattern(rf"\b(?:{ALL.of_signed})\b", re.I)
"""Names of what may be above or below zero, so that its sign counts."""
_OF_QUANTITIES: Final = lazy_pattern(rf"(?:{ALL.of_quantities})\.?", re.I)
_IN_STOCK: Final = frozenset(ALL.in_stock.split("|"))
_IN_RANGES: Final = frozenset(ALL.in_ranges.split("|"))
_MOST_QUOTED: Final = 6
"""Columns of a row that is quoted whole: of a wider one, the column would not be seen."""
_MAX_ROWS: Final = 4
_SEVERAL: Final = 2


def cell_of(question: str, grid: Grid) -> Found | Unknown | None:
    """The cells of the rows and of the only column that a question names; None if it names none, or says more."""
    plain = Wording(question)
    named = named_cells(plain, grid)
    names = set() if grid.label is None or _is_named_by_code(named, grid) else {grid.label}
    if thing_column(plain, asked_thing(question), grid).column in names:
        return None
    if names_range(question, named, grid):
        return _of_range(question, named, grid)
    if not named.order or len({row for _, row in named.order}) > _MAX_ROWS:
        return None
    without = {*named.by_column, *names}
    chosen, is_whole = _asked_column(plain, named, grid, without)
    label = [at for one in without for at in plain.meant_by(Head(grid.heads[one]))]
    every = understood(question, Computation(Op.CELL), grid).with_((*named.used, *chosen.used, *label))
    if every.left and not is_whole:
        return None
    if among := chosen.among or _with_verb(plain, grid, chosen.column):
        return several_columns(grid, among)
    rows = _only(named, grid)
    if chosen.column is None or not rows or (len(rows) > 1 and not _SEVERAL_NAMED.search(question)):
        return None
    column = grid.columns[chosen.column]
    if _COUNTS.search(question) and column.values.problem:
        return None
    if _HOW_MANY.match(question) and (column.is_key or _names_kind(named, grid, chosen.column)):
        return None
    return _shown(grid, chosen.column, rows)


def _asked_column(wording: Wording, named: Named, grid: Grid, without: Collection[int]) -> tuple[Choice, bool]:
    """The column that is asked for, and whether its head of several words stands in the question to the letter."""
    heads = {at: head for at, head in grid.heads.items() if at not in without and _is_marked(head)}
    whole = [at for at, head in heads.items() if has_whole_head(wording.text, head)]
    chosen = choose(wording.with_(named.used), grid.heads, without)
    if len(whole) == 1 and chosen.column != whole[0]:
        chosen = Choice(whole[0], (), tuple(wording.within(_places(wording.text, grid.heads[whole[0]])).understood))
    return chosen, chosen.column is not None and chosen.column in whole


def _shown(grid: Grid, column: int, rows: Sequence[int]) -> Found | Unknown:
    """The cells of a column in some rows; a refusal if one has no value."""
    head = grid.heads[column]
    pairs = [(grid.name(row), grid.cell(row, column)) for row in rows]
    if blank := [name for name, cell in pairs if is_missing(cell)]:
        return Unknown(f"the cell of {blank[0]} under {head} has no value", 3)
    statements = "; ".join(f"{name}: {head} {cell}" for name, cell in pairs)
    if len(pairs) == 1:
        return Found(pairs[0][1], statements if len(grid.heads) > _MOST_QUOTED else "", tuple(rows), is_read=True)
    return Found("; ".join(f"{name}: {cell}" for name, cell in pairs), statements, tuple(rows))


def _with_verb(wording: Wording, grid: Grid, chosen: int | None) -> tuple[int, ...]:
    """The chosen column and others that the verb names: "won" in "How many games did the Bears win?"; else none."""
    match = _DID.match(wording.text)
    if match is None or chosen is None:
        return ()
    verb = match.start("verb")
    others = rivals(wording.with_(at for at, one in enumerate(wording.tokens) if one.start != verb), grid, chosen)
    return (chosen, *others) if others else ()


def _of_range(question: str, named: Named, grid: Grid) -> Unknown | None:
    """A refusal if the question asks for the numbers of a range of rows: "the sales from January to March"."""
    chosen = choose(Wording(question).with_(named.used), grid.heads, named.by_column)
    if chosen.column is None or grid.columns[chosen.column].is_text or grid.columns[chosen.column].values.problem:
        return None
    left = understood(question, Computation(Op.CELL), grid).with_((*named.used, *chosen.used)).left
    return None if any(one.text not in _IN_RANGES for one in left) else Unknown(NOT_COMPUTED, 2)


def quantity_of(question: str, grid: Grid) -> Found | None:
    """The number of pieces in the only row that is named: "How many brass valves are there?".

    None if the table has no column of quantities, or several, or if the question asks otherwise.
    """
    columns = [one for one, head in grid.heads.items() if _OF_QUANTITIES.fullmatch(head.replace("_", " ").strip())]
    if not _HOW_MANY.match(question) or len(columns) != 1:
        return None
    plain = Wording(question)
    named = named_cells(plain, grid)
    rows = _only(named, grid)
    every = understood(question, Computation(Op.CELL), grid).with_(named.used)
    if len(rows) != 1 or set(named.by_column) - grid.naming or any(one.text not in _IN_STOCK for one in every.left):
        return None
    cell = grid.cell(rows[0], columns[0])
    if is_missing(cell) or grid.columns[columns[0]].values.problem:
        return None
    return Found(cell, f"{grid.name(rows[0])}: {grid.heads[columns[0]]} {cell}", tuple(rows), is_read=True)


def stated_total(question: str, totals: Grid) -> Found | Unknown | None:
    """The cell of the only row of totals that a question names: "total income" for "Total income".

    A refusal if several columns may be meant; None if a word is left over, or no row or several are named.
    """
    wording = Wording(question).within(total_words(question))
    named: dict[int, set[int]] = {}
    for row in range(len(totals.rows)):
        names = totals.total_names(row)
        used = {at for at, one in enumerate(wording.tokens) if one.meaning in names and at not in wording.understood}
        if names and {wording.tokens[at].meaning for at in used} == names:
            named[row] = used
    if len(named) != 1:
        return None
    ((row, used),) = named.items()
    numeric = {at: one.head for at, one in totals.columns.items() if not one.values.problem}
    chosen = choose(wording.with_(used), numeric)
    columns = (*chosen.among, *(() if chosen.column is None else (chosen.column,)))
    numbers = [at for at, one in enumerate(wording.tokens) if one.is_number]
    if not columns:
        of_year = {
            at: {one for one in numbers if Head(head).means(wording.tokens[one])} for at, head in numeric.items()
        }
        columns = tuple(at for at in numeric if of_year[at] or not numbers)
        used = used.union(*of_year.values())
    if not columns or wording.with_((*used, *chosen.used)).left:
        return None
    return several_columns(totals, columns) if len(columns) > 1 else _shown(totals, columns[0], [row])


def several_rows(question: str, grid: Grid) -> Unknown | None:
    """A refusal if the question asks for one value of what several rows have in common; else None."""
    asked = _VALUE_OF.match(question) if is_bare(question) or _VALUE_IS.match(question) else None
    if asked is None:
        return None
    plain = Wording(question)
    named = named_cells(plain, grid)
    if not named.by_column:
        return _several_names(question, grid)
    if [len(texts) for texts in named.texts.values()] != [1]:
        return None
    ((column, rows),) = named.by_column.items()
    chosen = choose(plain.with_(named.used), grid.heads, {column, *(() if grid.label is None else (grid.label,))})
    if chosen.column is None or len({grid.cell(row, chosen.column) for row in rows}) < 2:
        return None
    is_of_names = grid.columns[chosen.column].is_text or grid.columns[chosen.column].is_of_codes
    is_list = asked["noun"].casefold().endswith("s") and is_of_names
    of_head = plain.meant_by(Head(grid.heads[column]))
    if is_list or understood(question, Computation(Op.CELL), grid).with_((*named.used, *chosen.used, *of_head)).left:
        return None
    head = grid.heads[chosen.column]
    total = f", or ask for the total of {head}" if grid.columns[chosen.column].is_summable else ""
    return Unknown(f"{len(rows):,} rows have the {grid.heads[column]} {named.texts[column][0]}; name one{total}", 2)


def _several_names(question: str, grid: Grid) -> Unknown | None:
    """A refusal if the question names a row by a part of its name that several rows have; else None."""
    plain = Wording(question)
    if grid.label is None or _EACH.search(question):
        return None
    chosen = choose(plain, grid.heads, {grid.label})
    left = understood(question, Computation(Op.CELL), grid).with_(chosen.used).left
    if chosen.column is None or not left or any(one.is_number for one in left):
        return None
    rows = [row for row in range(len(grid.rows)) if _has_all(left, grid.cell(row, grid.label))]
    if len({grid.cell(row, chosen.column) for row in rows}) < _SEVERAL:
        return None
    part = question[left[0].start : left[-1].end]
    names = listing(grid.cell(row, grid.label) for row in rows)
    return Unknown(f"{len(rows):,} rows have “{part}” in their {grid.heads[grid.label]}: {names}; name one", 2)


def _has_all(parts: Sequence[Token], name: str) -> bool:
    words = {one.text for one in tokens(name)}
    return all(one.text in words or without_ending(one.text, words) in words for one in parts)


def unnamed_row(question: str, grid: Grid) -> Unknown | None:
    """A refusal if the question asks how many there are in a column and names no row; else None."""
    plain = Wording(question)
    if not _HOW_MANY.match(question) or named_cells(plain, grid).used:
        return None
    chosen = choose(plain, grid.heads, {one for one in (grid.label,) if one is not None})
    columns = (*chosen.among, *(() if chosen.column is None else (chosen.column,)))
    if not columns or understood(question, Computation(Op.CELL), grid).with_(chosen.used).left:
        return None
    heads = listing(grid.heads[one] for one in columns)
    return Unknown(f"the question names no row of the table; ask for one, or for the total of {heads}", 2)


def difference_of(question: str, asked: Computation, grid: Grid) -> Found | Unknown:
    """The difference between two rows in a column, or between two columns in a row."""
    if asked.is_negated:
        return Unknown(NOT_COMPUTED)
    plain = Wording(question).within(asked.spans)
    named = named_cells(plain, grid)
    rows = _only(named, grid)
    if len(rows) not in (1, 2):
        return Unknown("the question names no row, or too many rows, of the table to subtract", 0)
    wording = plain.with_(named.used)
    than = _second_half(question, asked)
    if than is None:
        return Unknown("the question does not say between what the difference is", 1)
    halves = [_half(wording, 0, than.start()), _half(wording, than.end(), len(question))]
    label = {one for one in (grid.label,) if one is not None}
    if len(rows) == 2:
        chosen = choose(wording, grid.heads, label)
        if chosen.column is None and not chosen.among:
            chosen = implied(asked, wording, grid, label)
        places = [(row, chosen) for row in rows]
    else:
        columns = [choose(half, grid.heads, label) for half in _completed(wording, halves)]
        if asked.is_change:
            columns = [_of_number(half, grid, one) for half, one in zip(halves, columns, strict=True)]
        places = [(rows[0], one) for one in columns]
    return _subtracted(question, asked, grid, places, [*named.used])


def _second_half(question: str, asked: Computation) -> re.Match[str] | None:
    """What stands before the second of what is subtracted: "than", or the "to" after "from"."""
    start = asked.spans[0][1]
    if not asked.is_change:
        return _THAN.search(question, start)
    first = _FROM.search(question, start)
    return _TO.search(question, first.end()) if first else None


def _subtracted(
    question: str, asked: Computation, grid: Grid, places: list[tuple[int, Choice]], used: list[int]
) -> Found | Unknown:
    """The difference between two cells; a refusal if these are open, or no numbers of one kind."""
    for _, chosen in places:
        if chosen.among:
            return several_columns(grid, chosen.among)
        if chosen.column is None:
            return Unknown("the question names no column of the table to subtract", 1)
    every = understood(question, asked, grid).with_((*used, *(at for _, one in places for at in one.used)))
    cells = [(row, chosen.column or 0) for row, chosen in places]
    if every.left or cells[0] == cells[1]:
        return Unknown("the question does not name two different cells of the table", 2)
    found = [grid.columns[column].values for _, column in cells]
    if any(values.problem for values in found) or found[0].unit != found[1].unit or found[0].unit == TIME:
        return Unknown("the two cells are not numbers of the same kind", 3)
    if any(row not in values.by_row for (row, _), values in zip(cells, found, strict=True)):
        return Unknown("one of the two cells has no value", 3)
    terms = [_Term(row, column, values.by_row[row]) for (row, column), values in zip(cells, found, strict=True)]
    return (_in_percent if asked.is_percent else _difference)(question, asked, grid, terms)


def _of_number(half: Wording, grid: Grid, chosen: Choice) -> Choice:
    """The only column of numbers with the year of a half, if its words name none: "from 2019" is "Revenue 2019"."""
    if chosen.column is not None or chosen.among:
        return chosen
    free = [at for at, one in enumerate(half.tokens) if one.is_number and at not in half.understood]
    of = [at for at, one in grid.columns.items() if not one.values.problem and Head(one.head).numbers]
    found = [at for at in of if free and all(Head(grid.heads[at]).means(half.tokens[one]) for one in free)]
    return Choice(found[0], (), tuple(free)) if len(found) == 1 else chosen


class _Term(NamedTuple):
    """A cell that is subtracted, or subtracted from, and its number."""

    row: int
    column: int
    value: float

    def said(self, grid: Grid) -> str:
        """The cell with its row and head."""
        return f"{grid.name(self.row)}: {grid.heads[self.column]} {grid.cell(self.row, self.column)}"


def _difference(question: str, asked: Computation, grid: Grid, terms: list[_Term]) -> Found | Unknown:
    """The first number without the second, or the other way round as the question has it."""
    unit = grid.columns[terms[0].column].values.unit
    is_open = not asked.spans or DIFFERENCE.search(question) is not None
    if all(one.value < 0 for one in terms):
        is_costs = _are_costs(grid, [(one.row, one.column) for one in terms], unit)
        if is_costs is None and not is_open:
            return Unknown("both values are negative; whether their amounts or they are compared is open", 3)
        terms = [one._replace(value=-one.value) for one in terms] if is_costs else terms
    first, second = reversed(terms) if asked.is_fewer else terms
    if is_open and first.value < second.value:
        first, second = second, first
    text = f"{shown(first.value - second.value)} {'percentage points' if unit == '%' else unit}".strip()
    return Found(text, f"{first.said(grid)} − {second.said(grid)} = {text}", tuple({first.row: 0, second.row: 0}))


def _in_percent(question: str, asked: Computation, grid: Grid, terms: list[_Term]) -> Found | Unknown:
    """The change from the first number to the second in percent of the first; a refusal if it went the other way."""
    first, last = terms
    if grid.columns[first.column].values.unit in ("%", "‰"):
        return Unknown(f"the values of {grid.heads[first.column]} are shares, {NO_PERCENT}", 3)
    if first.value <= 0 or last.value < 0:
        return Unknown(f"{first.said(grid)} and {last.said(grid)} are not both above zero, {NO_PERCENT}", 3)
    rise = 100 * (last.value - first.value) / first.value
    value = rise if asked.is_fewer else -rise
    stated = f"from {first.said(grid)} to {last.said(grid)}"
    if value < 0 and not any(_CHANGES.search(question[start:end]) for start, end in asked.spans):
        return Unknown(f"{stated} is {shown(rise)}%, {NO_CHANGE}{'rise' if asked.is_fewer else 'fall'}", 3)
    text = f"{shown(round(value, _DECIMALS))}%"
    return Found(text, f"{text}, {stated}", tuple({first.row: 0, last.row: 0}))


def _are_costs(grid: Grid, places: Sequence[tuple[int, int]], unit: str) -> bool | None:
    """Whether negative values are amounts of costs, as parentheses mark them; None if that is open."""
    names = [f"{grid.name(row)} {grid.heads[column]}" for row, column in places]
    if unit.startswith("°") or all(map(_OF_SIGNED.search, names)):
        return False
    return True if all(grid.cell(row, column).strip().startswith("(") for row, column in places) else None


def _names_kind(named: Named, grid: Grid, column: int) -> bool:
    """Whether rows are named by a kind alone, such as "unpaid", while a column has a number of its own for each."""
    numbers = [grid.cell(row, column) for row in range(len(grid.rows))]
    return grid.has_kinds and set(named.by_column) == {grid.label} and len(set(numbers)) == len(numbers)


def _is_named_by_code(named: Named, grid: Grid) -> bool:
    """Whether a row is named by its code or number, so that its name may be asked for."""
    return any(column in named.by_column for column in grid.naming if column != grid.label)


def _only(named: Named, grid: Grid) -> list[int]:
    """The rows that the question names, in its order; empty if a name has several rows that no other cell decides."""
    by_name: dict[int, list[int]] = {}
    others = [rows for column, rows in named.by_column.items() if column not in grid.naming]
    for at, row in named.order:
        if all(row in rows for rows in others):
            by_name.setdefault(at, []).append(row)
    if any(len(rows) != 1 for rows in by_name.values()) or len(by_name) < len({at for at, _ in named.order}):
        return []
    return list(dict.fromkeys(rows[0] for rows in by_name.values()))


def _half(wording: Wording, start: int, end: int) -> Wording:
    """The question with the words outside of a half understood."""
    return wording.with_(at for at, one in enumerate(wording.tokens) if not start <= one.start < end)


def _completed(wording: Wording, halves: list[Wording]) -> list[Wording]:
    """Each half with the words of the other, but not its numbers: "in 2023 than in 2017" are two columns of votes.

    Halves without numbers name their columns themselves: "more men than women".
    """
    numbers = [
        {at for at, one in enumerate(half.tokens) if one.is_number and at not in half.understood} for half in halves
    ]
    if not (numbers[0] and numbers[1]):
        return halves
    return [wording.with_(numbers[1]), wording.with_(numbers[0])]


def _is_marked(head: str) -> bool:
    """Whether a head is more than one plain word, so that a question with it to the letter means it."""
    return re.search(r"[_\d]|[a-z][A-Z]|\w\s\w", head) is not None


def _places(question: str, head: str) -> list[tuple[int, int]]:
    return [one.span() for one in re.finditer(re.escape(head), question, re.I)]
