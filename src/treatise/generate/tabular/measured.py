"""The column of numbers that a question compares or adds."""

from collections.abc import Collection

from treatise.claims.words import FUNCTION_WORDS
from treatise.generate.tabular.asked import SUMMED, Computation
from treatise.generate.tabular.column import Column
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.named import Choice, choose, named_cells, rivals
from treatise.generate.tabular.ranged import is_in_unit
from treatise.generate.tabular.result import Unknown, listing, several_columns
from treatise.generate.tabular.words import LIGHT, Wording, tokens


def understood(question: str, asked: Computation, grid: Grid) -> Wording:
    """The question with the words of the operation and of the table's title understood."""
    wording = Wording(question).within(asked.spans)
    return wording.with_(at for at, one in enumerate(wording.tokens) if grid.calls_rows(one))


def measure_of(
    question: str, asked: Computation, wording: Wording, grid: Grid, without: Collection[int]
) -> tuple[int, Wording] | Unknown:
    """The column that is compared or summed, and the question with the words that name it understood."""
    chosen = choose(wording, grid.heads, without)
    if chosen.among and any(not grid.columns[one].values.problem for one in chosen.among):
        chosen = choose(
            wording, grid.heads, {*without, *(at for at in chosen.among if grid.columns[at].values.problem)}
        )
    if chosen.column is None and not chosen.among:
        chosen = implied(asked, wording, grid, without)
    if chosen.among:
        return several_columns(grid, chosen.among)
    is_open = chosen.column is None and _names_no_measure(asked, wording)
    if is_open and _names_nothing_else(question, asked, wording, grid):
        amounts = [at for at, one in grid.columns.items() if at not in without and _is_amount(asked, one)]
        if len(amounts) == 1:
            return amounts[0], wording
        return _no_column(grid, without, 3 if amounts and _is_known(question, asked, wording, grid) else 0)
    if chosen.column is None:
        return _no_column(grid, without, 0)
    wording = wording.with_((*chosen.used, *_units(asked, wording, grid.columns[chosen.column])))
    others = rivals(wording, grid, chosen.column)
    return several_columns(grid, (chosen.column, *others)) if others else (chosen.column, wording)


def unmeasured(thing: Choice, grid: Grid) -> set[int]:
    """The columns that are not compared or summed: those of names, of codes, and of what is asked for."""
    named = {at for at in grid.naming if at == grid.label or grid.columns[at].values.problem}
    return named if thing.column is None else {*named, thing.column}


def _units(asked: Computation, wording: Wording, column: Column) -> list[int]:
    """Indices of the words for the column's unit after the number of a limit: "over 100 GiB"."""
    if asked.bound is None or not column.unit:
        return []
    unit, words = column.unit.casefold(), wording.tokens
    return [at for at in range(1, len(words)) if words[at].text == unit and words[at - 1].is_number]


def implied(asked: Computation, wording: Wording, grid: Grid, without: Collection[int]) -> Choice:
    """The column that the words of the operation name: "the longest" names a length."""
    operation = Wording(wording.text).within(asked.spans).understood
    return choose(Wording(wording.text).with_(wording.understood - operation), grid.heads, without)


def _names_no_measure(asked: Computation, wording: Wording) -> bool:
    """Whether a sum or a bound leaves open of what it is: "over 5" does, and "longer than 5" does not."""
    if asked.op in SUMMED:
        return True
    words = (word for start, end in asked.spans for word in tokens(wording.text[start:end]))
    return asked.bound is not None and bool(asked.bound.written) and not any(word.names_measure for word in words)


def _is_amount(asked: Computation, column: Column) -> bool:
    """Whether an operation may be meant of a column of numbers that the question does not name."""
    if asked.op in SUMMED:
        return column.is_summable
    is_number = not (column.values.problem or column.is_code or column.numbers_rows)
    return is_number and (asked.bound is None or is_in_unit(column, asked.bound.unit))


def _no_column(grid: Grid, without: Collection[int], weight: int) -> Unknown:
    numeric = [
        head for column, head in grid.heads.items() if column not in without and not grid.columns[column].values.problem
    ]
    return Unknown(f"the question names no column of numbers; the table has {listing(numeric)}", weight, tuple(numeric))


def _is_known(question: str, asked: Computation, wording: Wording, grid: Grid) -> bool:
    """Whether the table has all that the question names besides a column."""
    used = named_cells(wording, grid).used
    return not understood(question, asked, grid).with_((*wording.understood, *used)).left


def _names_nothing_else(question: str, asked: Computation, wording: Wording, grid: Grid) -> bool:
    """Whether a question for a sum has no light word such as "wins", which names other amounts than the only ones."""
    if any("number" in question[start:end].casefold() for start, end in asked.spans):
        return False  # of what is counted
    used = named_cells(wording, grid).used
    free = {one.text for at, one in enumerate(wording.tokens) if at not in wording.understood and at not in used}
    return free.isdisjoint(LIGHT - FUNCTION_WORDS - {"s"})
