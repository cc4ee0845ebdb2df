"""What a trained reader of tables found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The likeliest answer of a table to a question.

    Attributes:
        values: Cells as written, or one computed number.
        statement: The answer with how it comes from the table.
        rows: The rows that it comes from, from 0.
        is_computed: Whether it is no cell: a count, a sum, a difference.
        probability: That it is right, 0 to 1.
        is_of_text: Whether its rows were found by some words of cells that are sentences, which may answer themselves.
        is_of_all: Whether no row of the table was left out before it was found.
        is_exceeded: Whether it is the highest of numbers, or a sum, and a cell beside them says "unlimited".
        likely: Values of all answers with a probability of .1 or more.
    """

    values: tuple[str, ...]
    statement: str
    rows: tuple[int, ...]
    is_computed: bool
    probability: float
    is_of_text: bool = False
    is_of_all: bool = False
    is_exceeded: bool = False
    likely: frozenset[str] = frozenset()
