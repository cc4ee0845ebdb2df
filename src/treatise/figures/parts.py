"""Figures of a part of a company: a segment, region or product that tables name beside a line."""

import re
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.statements import Statement
from treatise.core.table import Row, Table, caption_text
from treatise.figures.columns import dated, group_of, label_of, scale_of, value_in
from treatise.figures.lines import LINES, Line
from treatise.figures.sheet import Entry, Sheet, entry_of

_PART: Final = r"(?: (?:segment|division|region|business|sales|revenues?))?"


@dataclass(frozen=True)
class PartSheet(Sheet):
    """The lines of a part of the company, whose name is as the question has it."""

    @property
    def is_named(self) -> bool:
        """Whether a row of a table has the name as its label."""
        text = self.document.text
        return any(self._is_part(label_of(text, one, row)) for one in self.document.tables for row in one.rows)

    def entry(self, name: str, year: int) -> Entry | None:
        """The value of a line of the part in a year; None if no table has it, or several do that differ.

        A row of a primary statement counts before those of other tables, which give parts of parts as well.
        """
        line = LINES.get(name)
        if line is None:
            return None
        primary = [(table, row) for one in Statement for _, table, row, _ in self.rows(one)]
        others = [(table, row) for table in self.document.tables for row in table.rows]
        for rows in (primary, others):
            entries = [self._entry(name, year, table, row) for table, row in rows if self._has(line, table, row)]
            found = [one for one in entries if one is not None]
            if found:
                return found[0] if len({one.value for one in found}) == 1 else None
        return None

    def _has(self, line: Line, table: Table, row: Row) -> bool:
        """Whether a row has the line within the part, or the part within the line."""
        text = self.document.text
        label, group = label_of(text, table, row), group_of(text, table, row)
        if self._is_part(label):
            return _is_line(line, group) or (not group and line.words.search(caption_text(text, table)) is not None)
        is_within = self._is_part(group) or self._is_part(caption_text(text, table))
        return is_within and _is_line(line, label)

    def _is_part(self, text: str) -> bool:
        return re.fullmatch(rf"{re.escape(self.part)}{_PART}", text, re.IGNORECASE) is not None

    def _entry(self, name: str, year: int, table: Table, row: Row) -> Entry | None:
        text = self.document.text
        ((_, years),) = dated(text, [table])
        found = value_in(text, table, row, years, year)
        if found is None:
            return None
        entry = entry_of(name, year, label_of(text, table, row), found, row)
        scale = scale_of(text, [table])
        return replace(entry, value=entry.value * scale / self.scale) if scale and self.scale else entry


def _is_line(line: Line, label: str) -> bool:
    return any(pattern.fullmatch(label) for pattern in line.labels)
