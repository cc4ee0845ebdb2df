"""A table as programs see it: typed columns, and where its words stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.programs.cells import MISSING, date_of, is_time, is_year, number_of, slashed_dates, stem_of, words_of

_WORDY: Final = lazy_pattern(r"[^\W\d_]{3}")
_MEASURES: Final = {
    "money": lazy_pattern(r"[£$€¥]|\b(?:EUR|USD|GBP|CHF|SEK)\b"),
    "share": lazy_pattern(r"%|\bpct\b"),
}
_MOSTLY: Final = 0.6
_NEARLY: Final = 0.7
_SAMPLE: Final = 12
_LEAST_ORDERED: Final = 4


class Kind(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    NUMBER = "number"
    MIXED = "mixed"
    """Numbers with words."""
    YEAR = "year"
    DATE = "date"


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a table.

    Attributes:
        at: Its place, from 0.
        head: What stands over it; may be empty.
        cells: The text of each row; empty if blank.
    """

    at: int
    head: str
    cells: Sequence[str] = field(repr=False)

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """The words of each cell."""
        return [words_of(one) for one in self.cells]

    @cached_property
    def head_words(self) -> tuple[str, ...]:
        """The words of the head."""
        return words_of(self.head.replace("_", " "))

    @cached_property
    def head_stems(self) -> tuple[str, ...]:
        """The same without endings."""
        return tuple(map(stem_of, self.head_words))

    @cached_property
    def plain(self) -> list[str]:
        """The cells in lower case."""
        return [one.strip().casefold() for one in self.cells]

    @cached_property
    def filled(self) -> list[int]:
        """The rows with a value."""
        return [row for row, text in enumerate(self.plain) if text not in MISSING]

    @cached_property
    def kind(self) -> Kind:
        """What most cells are."""
        if self._dates:
            return Kind.YEAR if all(is_year(self.cells[row]) for row in self._dates) else Kind.DATE
        n_wordy = sum(bool(_WORDY.search(self.cells[row])) for row in self.filled)
        if len(self._numbers) < _MOSTLY * max(1, len(self.filled)):
            return Kind.TEXT
        if n_wordy <= len(self.filled) / 2:
            return Kind.NUMBER
        return Kind.MIXED if len(self._numbers) == len(self.filled) else Kind.TEXT

    @cached_property
    def values(self) -> Mapping[int, float]:
        """The number or date of each row that has one, if the column is of these."""
        if self.is_of_dates:
            return self._dates
        return self._numbers if self.kind in (Kind.NUMBER, Kind.MIXED) else {}

    @property
    def is_of_dates(self) -> bool:
        """Whether its values are dates or years."""
        return self.kind in (Kind.YEAR, Kind.DATE)

    @cached_property
    def measure(self) -> str:
        """What its numbers measure by their signs, ``"money"``, ``"share"`` or ``"time"``; else if they are whole."""
        if not self.values or self.is_of_dates:
            return "none"
        written = [self.cells[row].strip() for row in self.values]
        for name, pattern in _MEASURES.items():
            if sum(bool(pattern.search(one)) for one in written) > len(written) / 2 or pattern.search(self.head):
                return name
        if sum(map(is_time, written)) > len(written) / 2:
            return "time"
        return "whole" if all(value.is_integer() for value in self.values.values()) else "decimal"

    @cached_property
    def is_unique(self) -> bool:
        """Whether no two of its values are the same."""
        return len({self.plain[row] for row in self.filled}) == len(self.filled) > 1

    @cached_property
    def order(self) -> str:
        """``"up"`` or ``"down"`` if its numbers are in this order."""
        values = list(self.values.values())
        if self.kind is not Kind.NUMBER or len(values) < _LEAST_ORDERED:
            return ""
        return "up" if values == sorted(values) else "down" if values == sorted(values, reverse=True) else ""

    @cached_property
    def _dates(self) -> dict[int, float]:
        """The dates by row, if most cells are dates."""
        filled = {row: self.cells[row] for row in self.filled}
        slashed = slashed_dates(filled)
        if filled and len(slashed) >= _NEARLY * len(filled):
            return slashed
        sample = self.filled[:_SAMPLE]
        if sum(date_of(self.cells[row]) is not None for row in sample) < max(1.0, _MOSTLY * len(sample)):
            return {}
        dates = {row: date for row, text in filled.items() if (date := date_of(text)) is not None}
        return dates if len(dates) >= _NEARLY * len(filled) else {}

    @cached_property
    def _numbers(self) -> dict[int, float]:
        found = {row: number_of(self.cells[row]) for row in self.filled}
        return {row: number for row, number in found.items() if number is not None}


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table: one row of heads over rows of cells.

    Attributes:
        heads: The heads, left to right.
        rows: The cells of each row; short rows end in blanks.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]] = field(repr=False)

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return len(self.rows)

    @cached_property
    def columns(self) -> list[Column]:
        """Its columns, left to right."""
        return [
            Column(at, head, [row[at] if at < len(row) else "" for row in self.rows])
            for at, head in enumerate(self.heads)
        ]

    @cached_property
    def keys(self) -> list[Column]:
        """The columns whose values can be ordered."""
        return [one for one in self.columns if one.values]

    @cached_property
    def label(self) -> Column:
        """The column that names the rows: the first of words, else the first."""
        return next((one for one in self.columns if one.kind is Kind.TEXT), self.columns[0])

    @cached_property
    def whole(self) -> dict[tuple[str, ...], dict[int, list[int]]]:
        """The rows of each cell's words, by column."""
        found: dict[tuple[str, ...], dict[int, list[int]]] = {}
        for column in self.columns:
            for row, words in enumerate(column.words):
                if words:
                    found.setdefault(words, {}).setdefault(column.at, []).append(row)
        return found

    @cached_property
    def longest(self) -> int:
        """Words of the longest cell."""
        return max(map(len, self.whole), default=0)

    @cached_property
    def stems(self) -> dict[str, dict[int, set[int]]]:
        """The rows in which each stem stands, by column; those of plain numbers left out."""
        found: dict[str, dict[int, set[int]]] = {}
        for column in self.columns:
            if column.kind in (Kind.TEXT, Kind.MIXED, Kind.DATE):
                for row, words in enumerate(column.words):
                    for one in set(map(stem_of, words)):
                        found.setdefault(one, {}).setdefault(column.at, set()).add(row)
        return found
