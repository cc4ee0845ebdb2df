"""The statements of one report as values by line and year, each with the row that states it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.statements import Statement, statements_of
from treatise.core.table import Row, Table
from treatise.figures.columns import dated, label_of, scale_of, value_in
from treatise.figures.lines import LINES

_CURRENCY: Final = re.compile(r"[$€£]")
_WORD: Final = re.compile(r"[^\W_]+")
_LEAST: Final = 6  # letters of a label that names a line by itself
_ENUMERATES: Final = re.compile(r",.*\band\b")
_GAIN: Final = "benefit"  # in the label of an amount whose sign counts: "provision for (benefit from) taxes"


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a statement.

    Attributes:
        line: The name of its line in `figures.lines`.
        year: The calendar year in which its period ends.
        value: In the unit of the statement.
        shown: Its digits as printed, without sign and currency.
        row: Where the row that states it stands.
    """

    line: str
    year: int
    value: float
    shown: str
    row: Span


@dataclass(frozen=True)
class Sheet:
    """The primary statements of a report.

    Attributes:
        document: The report.
        part: The part of the company whose lines are read; empty for the whole.
    """

    document: Document
    part: str = ""

    @cached_property
    def _tables(self) -> Mapping[Statement, Sequence[Table]]:
        return statements_of(self.document)

    @cached_property
    def _columns(self) -> Mapping[Statement, list[tuple[Table, dict[int, int]]]]:
        """By statement, its parts with the year of each column of values."""
        return {one: list(dated(self.document.text, tables)) for one, tables in self._tables.items()}

    @cached_property
    def years(self) -> list[int]:
        """All years that a statement has, in order."""
        parts = [years for of_one in self._columns.values() for _, years in of_one]
        return sorted({year for years in parts for year in years.values()})

    @cached_property
    def scale(self) -> float | None:
        """What the values count: 1e6 for "in millions"; None if no statement says so."""
        return scale_of(self.document.text, (table for parts in self._tables.values() for table in parts))

    @cached_property
    def currency(self) -> str:
        """``"$"``, ``"€"`` or ``"£"``, as the statements write it; else empty."""
        tables = [table for tables in self._tables.values() for table in tables]
        found = (_CURRENCY.search(self.document.text, table.start, table.end) for table in tables)
        return next((one[0] for one in found if one), "")

    def entry(self, name: str, year: int) -> Entry | None:
        """The value of a line in a year; None if the statements lack it, or several rows of that label differ."""
        if name not in LINES:
            return self._labelled(name, year)
        text, line = self.document.text, LINES[name]
        for pattern in line.labels:
            for label, table, row, years in self.rows(line.statement):
                if pattern.fullmatch(label) and (found := value_in(text, table, row, years, year)):
                    return entry_of(name, year, label, found, row)
        return None

    def labels_in(self, question: str) -> tuple[str, ...]:
        """The labels of rows that a question has word for word, in lower case, sorted."""
        asked = _worded(question.casefold())
        labels = {_plain(label) for rows in self._rows.values() for label, *_ in rows}
        return tuple(sorted(one for one in labels if len(one) >= _LEAST and _worded(one) in asked))

    def _labelled(self, name: str, year: int) -> Entry | None:
        """The value of the rows with that label, if all of them have the same."""
        text, found = self.document.text, []
        for label, table, row, years in (one for rows in self._rows.values() for one in rows):
            if _plain(label) == name and (number := value_in(text, table, row, years, year)):
                found.append(Entry(name, year, *number, Span(row.start, row.end)))
        return found[0] if len({one.value for one in found}) == 1 else None

    def rows(self, statement: Statement) -> Sequence[tuple[str, Table, Row, Mapping[int, int]]]:
        """The rows of a statement with their label and the years of their columns."""
        return self._rows[statement]

    @cached_property
    def _rows(self) -> Mapping[Statement, list[tuple[str, Table, Row, dict[int, int]]]]:
        return {
            one: [
                (label_of(self.document.text, table, row), table, row, years)
                for table, years in self._columns.get(one, ())
                for row in table.rows
            ]
            for one in Statement
        }


def _worded(text: str) -> str:
    """The words of a text, each between blanks."""
    return f" {' '.join(_WORD.findall(text))} "


def _plain(label: str) -> str:
    """A label in lower case without what stands after a comma or in brackets ("Deferred revenue, net of current")."""
    return re.split(r",| \(", label.casefold())[0].strip() if not _ENUMERATES.search(label) else label.casefold()


def entry_of(name: str, year: int, label: str, number: tuple[float, str], row: Row) -> Entry:
    """The entry of a row; the sign of an amount counts only if its label says that it may be a gain."""
    value, shown = number
    is_amount = LINES[name].is_amount and _GAIN not in label.casefold()
    return Entry(name, year, abs(value) if is_amount else value, shown, Span(row.start, row.end))
