"""One reading of a question: an operation on rows and columns of a table, with its result."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.programs.conditions import Rows
from treatise.programs.sheet import Column

Value = str | float
"""A cell, or a head, as written; or a computed number."""


class Op(StrEnum):
    """What is done with the rows."""

    CELL = "cell"
    """The value of the only row."""
    ONE_VALUE = "one value"
    """That of several rows which have the same."""
    VALUES = "values"
    COUNT = "count"
    DISTINCT = "distinct"
    """How many different values."""
    COMMONEST = "commonest"
    RAREST = "rarest"
    FIRST = "first"
    LAST = "last"
    NTH = "nth"
    FIRST_ROWS = "first rows"
    NEXT = "next"
    """The row after the last of them."""
    PREVIOUS = "previous"
    HIGHEST = "highest"
    """A column of the row with the highest key."""
    LOWEST = "lowest"
    NTH_HIGHEST = "nth highest"
    NTH_LOWEST = "nth lowest"
    TOP = "top"
    """The first rows by the key."""
    BOTTOM = "bottom"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    TOTAL = "total"
    AVERAGE = "average"
    DIFFERENCE = "difference"
    """Of the highest and the lowest."""
    HIGHEST_GROUP = "highest group"
    """The value of a column whose rows have the highest sum."""
    LOWEST_GROUP = "lowest group"
    MORE_ROWS = "more rows"
    """Which of two values more rows have."""
    FEWER_ROWS = "fewer rows"
    ROWS_DIFFERENCE = "rows difference"
    COLUMN_DIFFERENCE = "column difference"
    """Of two columns of a row."""
    LARGER_COLUMN = "larger column"
    """Which of two columns of a row has more."""
    SMALLER_COLUMN = "smaller column"
    HIGHEST_COLUMN = "highest column"
    LOWEST_COLUMN = "lowest column"
    ROW_TOTAL = "row total"
    EXCEEDING = "exceeding"
    """Rows in which one column has more than another."""
    N_EXCEEDING = "number exceeding"
    NONE = "none"
    """The table does not answer."""


class Family(StrEnum):
    """Operations that choose their columns in the same way."""

    CELLS = "cells"
    NUMBERS = "numbers"
    VALUES = "values"
    PLACES = "places"
    NEIGHBOURS = "neighbours"
    EXTREMES = "extremes"
    SUMS = "sums"
    GROUPS = "groups"
    OF_ROW = "of row"
    COLUMNS = "columns"
    COMPARED = "compared"


_FAMILIES = {
    Family.CELLS: (Op.CELL, Op.ONE_VALUE, Op.VALUES),
    Family.NUMBERS: (Op.COUNT, Op.DISTINCT, Op.ROWS_DIFFERENCE),
    Family.VALUES: (Op.COMMONEST, Op.RAREST, Op.MORE_ROWS, Op.FEWER_ROWS),
    Family.PLACES: (Op.FIRST, Op.LAST, Op.NTH, Op.FIRST_ROWS),
    Family.NEIGHBOURS: (Op.NEXT, Op.PREVIOUS),
    Family.EXTREMES: (Op.HIGHEST, Op.LOWEST, Op.NTH_HIGHEST, Op.NTH_LOWEST, Op.TOP, Op.BOTTOM),
    Family.SUMS: (Op.MAXIMUM, Op.MINIMUM, Op.TOTAL, Op.AVERAGE, Op.DIFFERENCE),
    Family.GROUPS: (Op.HIGHEST_GROUP, Op.LOWEST_GROUP),
    Family.OF_ROW: (Op.COLUMN_DIFFERENCE, Op.ROW_TOTAL),
    Family.COLUMNS: (Op.LARGER_COLUMN, Op.SMALLER_COLUMN, Op.HIGHEST_COLUMN, Op.LOWEST_COLUMN),
    Family.COMPARED: (Op.EXCEEDING, Op.N_EXCEEDING),
}
_FAMILY_OF = {op: family for family, ops in _FAMILIES.items() for op in ops}


@dataclass(frozen=True, eq=False)
class Program:
    """One reading of a question.

    Attributes:
        op: The operation.
        rows: The rows it works on.
        column: The column whose cell is the answer, if any.
        key: The column by which rows are compared or which is computed with, if any.
        result: The answer: cells as written, or one number.
        used: The rows that the result comes from.
    """

    op: Op
    rows: Rows
    result: tuple[Value, ...]
    column: Column | None = None
    key: Column | None = None
    used: tuple[int, ...] = ()

    @property
    def family(self) -> Family:
        """The family of its operation."""
        return _FAMILY_OF[self.op]

    @property
    def name(self) -> str:
        """The operation, and whether it is on dates."""
        is_dated = self.key is not None and self.key.is_of_dates
        return f"{self.op} of dates" if is_dated else str(self.op)
