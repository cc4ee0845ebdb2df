"""The statements of one report as values by line and year, each with the row that states it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.periods import Length, length_of, period_of
from treatise.core.statements import Statement, row_label, statements_of
from treatise.core.table import Row, Table, caption_text, head_texts
from treatise.figures.lines import LINES

_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_SCALE: Final = re.compile(r"\b(thousand|million|billion)s\b", re.IGNORECASE)
_NUMBER: Final = re.compile(
    r"(?P<sign>\()?[-–−]?\s*[$€£]?\s*(?P<minus>[-–−(])?(?P<digits>\d[\d,]*(?:\.\d+)?)\)?\s*[$€£]?"
)
_NOTHING: Final = re.compile(r"[$€£]?\s*[—–-]")
_CURRENCY: Final = re.compile(r"[$€£]")
_PART: Final = re.compile(
    r"\b(?:six|nine|6|9) months\b|\b(?:26|39) weeks\b|\b(?:twenty-six|thirty-nine) weeks\b", re.IGNORECASE
)
_SHARE: Final = re.compile(r"%|percent|change|increase|decrease", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(r"\s*\((?:see )?(?:note|notes)\b[^)]*\)|\s*\(\d{1,2}\)|[\s:.$*]+$", re.IGNORECASE)
_GAIN: Final = "benefit"  # in the label of an amount whose sign counts: "provision for (benefit from) taxes"
_ABOVE: Final = 200  # characters above a table that may say in what it counts
_MOST: Final = 0.4  # share of the rows with values from which a column is one of values


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
    """The primary statements of a report."""

    document: Document

    @cached_property
    def _tables(self) -> Mapping[Statement, Sequence[Table]]:
        return statements_of(self.document)

    @cached_property
    def _columns(self) -> Mapping[Statement, list[tuple[Table, dict[int, int]]]]:
        """By statement, its parts with the year of each column of values."""
        return {one: list(self._dated(tables)) for one, tables in self._tables.items()}

    @cached_property
    def years(self) -> list[int]:
        """All years that a statement has, in order."""
        parts = [years for of_one in self._columns.values() for _, years in of_one]
        return sorted({year for years in parts for year in years.values()})

    @cached_property
    def scale(self) -> float | None:
        """What the values count: 1e6 for "in millions"; None if no statement says so."""
        tables = [table for parts in self._tables.values() for table in parts]
        above = (self.document.text[max(0, table.start - _ABOVE) : table.start] for table in tables)
        found = _SCALE.search(" ".join((*map(self._titles, tables), *above)))
        return _SCALES[found[1].casefold()] if found else None

    @cached_property
    def currency(self) -> str:
        """``"$"``, ``"€"`` or ``"£"``, as the statements write it; else empty."""
        tables = [table for tables in self._tables.values() for table in tables]
        found = (_CURRENCY.search(self.document.text, table.start, table.end) for table in tables)
        return next((one[0] for one in found if one), "")

    def entry(self, name: str, year: int) -> Entry | None:
        """The value of a line in a year; None if the statements lack it."""
        line = LINES[name]
        for pattern in line.labels:
            for label, table, row, years in self._rows[line.statement]:
                if pattern.fullmatch(label) and (found := self._value(table, row, years, year)):
                    value, shown = found
                    is_amount = line.is_amount and _GAIN not in label.casefold()
                    return Entry(name, year, abs(value) if is_amount else value, shown, Span(row.start, row.end))
        return None

    @cached_property
    def _rows(self) -> Mapping[Statement, list[tuple[str, Table, Row, dict[int, int]]]]:
        """By statement, its rows with their label and the years of their columns."""
        return {
            one: [
                (self._label(table, row), table, row, years)
                for table, years in self._columns.get(one, ())
                for row in table.rows
            ]
            for one in Statement
        }

    def _label(self, table: Table, row: Row) -> str:
        """The label of a row; a row without one is the total of those that its group has."""
        label = _cleaned(row_label(self.document.text, table, row))
        if label or row.parent < 0:
            return label
        return f"total {_cleaned(row_label(self.document.text, table, table.rows[row.parent]))}"

    def _value(self, table: Table, row: Row, years: Mapping[int, int], year: int) -> tuple[float, str] | None:
        """The first number of a row in a column of that year."""
        for cell in row.cells:
            if cell.column >= table.n_labels and years.get(cell.column) == year:
                number = _number(self.document.text[cell.start : cell.end])
                if number:
                    return number
        return None

    def _titles(self, table: Table) -> str:
        return " ".join((caption_text(self.document.text, table), *head_texts(self.document.text, table).values()))

    def _dated(self, tables: Sequence[Table]) -> Iterator[tuple[Table, dict[int, int]]]:
        """The parts with their years; one without heads has those of the part before it."""
        before: list[int] = []
        for table in tables:
            columns = self._value_columns(table)
            dated = self._by_order(table, columns, before) or self._by_head(table, columns)
            before = sorted(set(dated.values()), key=list(dated.values()).index) or before
            yield table, dated

    def _value_columns(self, table: Table) -> list[int]:
        """The columns in which many rows have a number."""
        text = self.document.text
        counts: dict[int, int] = {}
        n_rows = 0
        for row in table.rows:
            columns = {c.column for c in row.cells if c.column >= table.n_labels and _number(text[c.start : c.end])}
            n_rows += bool(columns)
            for column in columns:
                counts[column] = counts.get(column, 0) + 1
        heads = head_texts(text, table)
        most = [column for column, n in counts.items() if n >= _MOST * n_rows]
        return sorted(column for column in most if not _SHARE.search(heads.get(column, "")))

    def _by_order(self, table: Table, columns: Sequence[int], before: Sequence[int]) -> dict[int, int]:
        """Years in the order of their columns, if there are as many; empty if quarters stand beside years."""
        heads = [head for _, head in sorted(head_texts(self.document.text, table).items())]
        if any(_is_of_part(head) for head in (*heads, caption_text(self.document.text, table))):
            return {}
        years = _years(heads) or _years([caption_text(self.document.text, table)]) or list(before)
        return dict(zip(columns, years, strict=True)) if len(years) == len(columns) else {}

    def _by_head(self, table: Table, columns: Sequence[int]) -> dict[int, int]:
        """The year of each column whose head names one, and no quarter."""
        heads = head_texts(self.document.text, table)
        found: dict[int, int] = {}
        for column in columns:
            period = period_of(heads.get(column, ""))
            if len(period.years) == 1 and not _is_of_part(heads[column]):
                found[column] = next(iter(period.years))
        return found


def _is_of_part(head: str) -> bool:
    """Whether a head names a quarter or several, not a year."""
    return length_of(head) is Length.QUARTER or bool(_PART.search(head))


def _years(texts: Sequence[str]) -> list[int]:
    """The years that texts name, each once, in order."""
    found = (int(year) for text in texts for year in re.findall(r"(?<!\d)((?:19|20)\d\d)(?!\d)", text))
    return list(dict.fromkeys(found))


def _cleaned(label: str) -> str:
    """A label without the numbers of its notes and the signs after it."""
    before = None
    while before != label:
        before, label = label, _FOOTNOTE.sub("", label)
    return label.strip()


def _number(text: str) -> tuple[float, str] | None:
    """The value and the digits of a cell; None if it is no number."""
    text = " ".join(text.split())
    if _NOTHING.fullmatch(text):
        return 0.0, "0"
    found = _NUMBER.fullmatch(text)
    if not found:
        return None
    digits = found["digits"]
    is_negative = bool(found["sign"] or found["minus"]) or text[:1] in "-–−"
    value = float(digits.replace(",", ""))
    return (-value if is_negative else value), digits
