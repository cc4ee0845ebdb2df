"""What a table answers, or why it does not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.generate.tabular.grid import Grid

MAX_SHOWN: Final = 6
"""Names of columns or rows in one sentence."""
MAX_CITED: Final = 30
"""Rows that an answer cites; of more, an answer over all rows cites the heads and the ends of the table."""


NO_COLUMN: Final = "the table has no column"
"""How the refusal begins of a question for what no column has."""
NO_LEGEND: Final = "no legend explains the code"
"""How the refusal begins of a question for the meaning of a code."""
NO_SUM: Final = "whose sum says nothing"
"""How the reason ends why shares, averages and the like are not added."""
NO_PERCENT: Final = "so there is no change in percent"
"""How the reason ends why a change is not computed in percent."""
NO_SCALE: Final = "whose scale leaves open what is meant by"
"""How the reason goes on why a limit is not compared."""
NO_UNIT: Final = "are not in"
"""How the reason goes on why a limit is of other units than a column."""
NO_CHANGE: Final = "so it is no "
"""How the reason goes on why a rise does not answer a question for a fall."""
SEVERAL_COLUMNS: Final = "the question may mean several columns"
"""How the refusal begins of a question that leaves open which."""


_OF_NO_OTHER_CELL: Final = (NO_CHANGE, NO_SCALE, NO_PERCENT, NO_UNIT)


def is_decided(reason: str) -> bool:
    """Whether a reason says that no cell of a table answers either: of a change, a percentage, a scale or a unit."""
    return any(one in reason for one in _OF_NO_OTHER_CELL)


@dataclass(frozen=True, slots=True)
class Found:
    """An answer from a table.

    Attributes:
        text: The answer in a few words.
        statement: The same with the computation; empty if the row is quoted instead.
        rows: Indices of the rows that it is read from; empty for all rows.
        is_read: Whether the text is that of a cell.
    """

    text: str
    statement: str
    rows: tuple[int, ...] = ()
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why a table does not answer a question that was put to it.

    Attributes:
        reason: In one line.
        weight: How much of the question the table has; the reason of the table with the highest weight is given.
        columns: Heads of the columns of numbers, if the question names none of them.
    """

    reason: str
    weight: int = 0
    columns: tuple[str, ...] = ()


def several_columns(grid: Grid, columns: Iterable[int]) -> Unknown:
    """The refusal that names the columns that may be meant."""
    return Unknown(f"{SEVERAL_COLUMNS}: {listing(grid.heads[one] for one in columns)}", 3)


def joined(names: Sequence[str]) -> str:
    """All names in one line.

    >>> joined(["Ash", "Elm"]), joined(["Berg, Anna", "Ortiz, Tom"])
    ('Ash, Elm', 'Berg, Anna; Ortiz, Tom')
    """
    return ("; " if any("," in name for name in names) else ", ").join(names)


def without_values(n_rows: int) -> str:
    """The note on rows that are left out since they have no value; empty if there are none.

    >>> without_values(2)
    ' (2 without a value)'
    """
    return f" ({n_rows:,} without a value)" if n_rows else ""


def shared(n_rows: int) -> str:
    """What comes before the extreme that several rows have; empty for one row.

    >>> shared(2), shared(1)
    ('2 rows with ', '')
    """
    return f"{n_rows:,} rows with " if n_rows > 1 else ""


def listing(names: Iterable[str]) -> str:
    """Names in one sentence, the first ones of many.

    >>> listing(["a", "b", "c"]), listing(map(str, range(8)))
    ('a, b and c', '0, 1, 2, 3, 4, 5 and 2 more')
    """
    every = [one for one in names if one]
    shown = every[:MAX_SHOWN] if len(every) > MAX_SHOWN + 1 else every
    last = f"{len(every) - len(shown)} more" if len(shown) < len(every) else shown.pop() if shown else ""
    return f"{', '.join(shown)} and {last}" if shown else last
