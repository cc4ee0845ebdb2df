"""A whole table by columns: its parts joined, its totals apart."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, takewhile
from typing import Final

from treatise.core.dates import month_number
from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Row, Table, caption_text, column_texts, head_texts, table_within
from treatise.generate.tabular.column import Column
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.numbers import read_values
from treatise.generate.tabular.places import Places, places_of_numbers, places_of_words
from treatise.generate.tabular.words import Token, tokens

MAX_CELLS: Final = 200_000
"""Larger tables are not read: it would take seconds."""

_NAMED_TOTAL: Final = r"(?:grand |overall |sub-?\s?)?totals?\b|.+\btotals?$"
_TOTAL: Final = lazy_pattern(
    rf"(?:(?:{ALL.of_totals})\W*$|(?:grand |overall |sub-?\s?)?totals?\b(?:\s*[(:,–-]|\s+(?:for|of|in)\b))",
    re.IGNORECASE,
)
_TOTAL_OF: Final = lazy_pattern(
    rf"{_NAMED_TOTAL}|all \w+$|(?:year|quarter|month) to date\b|"
    r"[ymq]td\b|(?:full|whole) year\b",
    re.IGNORECASE,
)
_CALLED: Final = lazy_pattern(_NAMED_TOTAL, re.IGNORECASE)
"""Names of rows of totals, in which a number may be rounded or wrong."""
_SUBTOTAL: Final = lazy_pattern(r"sub-?\s?totals?\b", re.IGNORECASE)
_MOST_SUBTOTALLED: Final = 30
"""Rows above a subtotal, the last ones of which it may sum up."""
_OF_TOTALS: Final = lazy_pattern(r"grand|overall|sub|(?:sub)?totals?|sum|for|of|in|the", re.IGNORECASE)
_PERIOD: Final = lazy_pattern(
    r"(?:(?P<quarter>q[1-4]|(?:first|second|third|fourth|[1-4](?:st|nd|rd|th)) quarter)|h[12]|(?:first|second) half)\b",
    re.IGNORECASE,
)
"""Names of quarters and halves, whose rows may be the sums of the months above them."""
_QUARTER, _HALF = 3, 6
_NOTE: Final = lazy_pattern(r"[*†‡(]|(?:notes?|sources?|key|legend|codes?)\b|[^\s=:]{1,4}\s*[=:]\s", re.IGNORECASE)
"""How a row below a table begins that says something of it: "Source: …", "W = weekdays only"."""
_MOST_IN_LEGEND: Final = 2
"""Columns of a table whose rows may all be of one cell and its explanation."""
_CODE_LETTERS: Final = lazy_pattern(r"[^\W\d_]{2,}")
_MARKS: Final = "*†‡§ \u00a0"
_MAX_NOTE_CHARS: Final = 100
_LINK: Final = lazy_pattern(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LEAST_SUMMED: Final = 3
_MOST_SUMMED: Final = 10_000
_TIMES_SUMMED: Final = 3
"""Rows that are summed up to find totals: so many, and so many times all rows: a bound on time."""
_LEAST_OF_KIND: Final = 2


@dataclass(frozen=True, eq=False)
class Grid:
    """The body of a table by columns.

    Attributes:
        document: Where it is.
        table: Its first part, which has the caption.
        heads: The heads over each column.
        rows: The rows, without totals.
        cells: The texts of each row, by column.
        totals: The texts of the rows of totals.
        total_rows: These rows.
        limit: What the rows have in common, in words, if they are not all of the table.
    """

    document: Document = field(repr=False)
    table: Table = field(repr=False)
    heads: dict[int, str]
    rows: list[Row] = field(repr=False)
    cells: list[dict[int, str]] = field(repr=False)
    totals: list[dict[int, str]] = field(repr=False)
    total_rows: list[Row] = field(default_factory=list, repr=False)
    limit: str = field(default="", repr=False)

    def cell(self, row: int, column: int) -> str:
        """The text of a cell; empty if it is blank."""
        return self.cells[row].get(column, "")

    @cached_property
    def columns(self) -> dict[int, Column]:
        """The columns that have a head."""
        first, caption = min(self.heads), f"{self.title}\n{self._line_before}"
        return {
            at: Column(head, [cells.get(at, "") for cells in self.cells], at == first, caption)
            for at, head in self.heads.items()
        }

    @property
    def _line_before(self) -> str:
        """The line before the table, which may state its scale: "Figures in thousands"; empty if it is long."""
        before = self.document.text[max(0, self.table.start - _MAX_NOTE_CHARS) : self.table.start].rstrip("| \n")
        _, is_whole, line = before.rpartition("\n")
        return line if is_whole or self.table.start <= _MAX_NOTE_CHARS else ""

    def name(self, row: int) -> str:
        """What the row is about, without the marks of footnotes: its number if it shares its name with others."""
        first = min(self.heads)
        column = first if self.has_kinds and first in self.naming else self.label
        return "" if column is None else self.cell(row, column).strip(_MARKS)

    @cached_property
    def of_totals(self) -> "Grid":
        """The rows of totals as a table of their own."""
        return Grid(self.document, self.table, self.heads, self.total_rows, self.totals, [])

    def total_names(self, row: int) -> set[str]:
        """Meanings of the words by which a row of this table is called, without those for totals."""
        called = tokens(" ".join(self.cell(row, at) for at in sorted(self.heads)[:2]))
        return {one.meaning for one in called if not (one.is_number or _OF_TOTALS.fullmatch(one.text))}

    @cached_property
    def label(self) -> int | None:
        """The column that names the rows: the first of words, else that of their codes; None if there is none."""
        columns = [(at, one) for at, one in sorted(self.columns.items()) if not one.is_of_ranks]
        codes = (at for at, one in columns if one.is_key and one.is_of_codes)
        return next((at for at, one in columns if one.is_text), next(codes, None))

    @cached_property
    def title(self) -> str:
        """Its caption, or its headings."""
        headings = " > ".join(self.document.section_path(self.table.start))
        return caption_text(self.document.text, self.table) or headings

    @cached_property
    def naming(self) -> frozenset[int]:
        """The columns whose cells name the rows, or are a code, a number or a year of each."""
        at = min(self.heads)
        first = self.columns[at]
        codes = [at] if first.is_key and (first.is_of_codes or first.is_numbered) else []
        return frozenset([*codes, *([] if self.label is None else [self.label])])

    @cached_property
    def key(self) -> int | None:
        """The first column if it has a code or number for each row; None if it does not, or has years."""
        at = min(self.heads)
        first = self.columns[at]
        return at if first.is_key and (first.is_of_codes or first.is_code) and not first.is_of_years else None

    def calls_rows(self, token: Token) -> bool:
        """Whether a word is one of its titles, or a row's code abbreviates it: "INV-003" is an invoice."""
        return token.meaning in self._title_words or (
            bool(self._letters_of_codes) and token.text.startswith(self._letters_of_codes)
        )

    @cached_property
    def _letters_of_codes(self) -> str:
        """The letters with which the codes of the rows begin; empty if these are fewer than two, or differ."""
        codes = () if self.key is None else self.columns[self.key].cells
        found = {match[0].casefold() if (match := _CODE_LETTERS.match(one)) else "" for one in codes}
        return found.pop() if len(found) == 1 else ""

    @cached_property
    def _title_words(self) -> frozenset[str]:
        """Meanings of the words of its title, and of the document's title and file name."""
        source = self.document.source.replace("\\", "/").rpartition("/")[2]
        return frozenset(one.meaning for one in tokens(f"{self.title} {self.document.title} {source}"))

    @cached_property
    def has_kinds(self) -> bool:
        """Whether the first column of words does not name each row, but says of which kind it is."""
        if self.label is None:
            return len(self.rows) > 1
        names = [text.strip(_MARKS) for text in self.columns[self.label].cells]
        return len(set(names)) < len(names)

    def is_measured(self, column: int) -> bool:
        """Whether a column is of numbers that measure something: neither words nor names, codes or years of rows."""
        of = self.columns[column]
        return not (of.is_text or of.is_of_years or of.is_of_codes or of.is_of_letters or column in self.naming)

    @cached_property
    def number_places(self) -> Places:
        """Row and column of each whole number that measures something, by the head of its column and itself."""
        return places_of_numbers({at: one for at, one in self.columns.items() if self.is_measured(at)})

    @cached_property
    def places(self) -> Places:
        """Row and column of each cell that a question may name, by its words."""
        words = {at: one for at, one in self.columns.items() if not self.is_measured(at)}
        return {**self.number_places, **places_of_words(words, self.label, self.heads.values())}


def whole_tables(document: Document) -> Iterator[list[Table]]:
    """The parts of each table, in text order."""
    parts: list[Table] = []
    for table in document.tables:
        if parts and not table.is_continued:
            yield parts
            parts = []
        parts.append(table)
    if parts:
        yield parts


def parts_at(document: Document, start: int) -> list[Table]:
    """The parts of the table with the row that begins at ``start``; empty if there is none.

    The bar before the first head is of the table.
    """
    part = table_within(document.tables, start)
    if part is None or document.text[start : part.start].strip("| "):
        return []
    return next(parts for parts in whole_tables(document) if part in parts)


def grid_of(document: Document, parts: Sequence[Table]) -> Grid | None:
    """A table by columns; None if it has no heads, groups of rows, other heads further down, or too many cells."""
    text, first = document.text, parts[0]
    rows = [row for part in parts for row in part.rows]
    if not first.heads or first.is_continued or sum(len(row.cells) for row in rows) > MAX_CELLS:
        return None
    heads = head_texts(text, first)
    if any(row.parent >= 0 for row in rows) or any(head_texts(text, part).items() - heads.items() for part in parts):
        return None
    texts = [_in_words(column_texts(text, row)) for row in rows]
    n_rows = len(rows) - (_n_notes(texts) if len(heads) > _MOST_IN_LEGEND else 0)
    rows, texts = rows[:n_rows], texts[:n_rows]
    left_out = {at for at, head in heads.items() if Column(head, ()).is_never_added}
    is_total = _totals([_without(cells, left_out) for cells in texts], sorted(heads)[:2])
    if heads and 0 not in heads and all(0 in cells for cells in texts):
        heads[0] = ""  # the corner above the names of the rows is often blank
    body = [at for at, total in enumerate(is_total) if not total]
    totals = [at for at, total in enumerate(is_total) if total]
    body_rows, body_texts = [rows[at] for at in body], [texts[at] for at in body]
    return Grid(
        document,
        first,
        heads,
        body_rows,
        body_texts,
        totals=[texts[at] for at in totals],
        total_rows=[rows[at] for at in totals],
    )


def _in_words(cells: dict[int, str]) -> dict[int, str]:
    """The texts of a row, links by their words: "[263,554](https://…)" is a number."""
    return {at: _LINK.sub(r"\1", one) if "](" in one else one for at, one in cells.items()}


def _n_notes(rows: Sequence[dict[int, str]]) -> int:
    """Number of the last rows, but for the first of all, that say something of the table: notes, or its legend."""
    return sum(1 for _ in takewhile(_is_note, reversed(rows[1:])))


def _is_note(cells: dict[int, str]) -> bool:
    return len(cells) == 1 and _NOTE.match(next(iter(cells.values()))) is not None


def _totals(rows: Sequence[dict[int, str]], labels: Sequence[int]) -> list[bool]:
    """Whether each row is of totals: by its label, or since its numbers are the sums of a block of others."""
    of_kinds = _sums_of_kinds(rows, labels)
    found = [at in of_kinds or any(_TOTAL.match(one.get(label, "")) for label in labels) for at, one in enumerate(rows)]
    n_left = _MOST_SUMMED + _TIMES_SUMMED * len(rows)
    for at in (at for at, is_total in enumerate(found) if not is_total):
        is_called = any(_CALLED.match(rows[at].get(label, "")) for label in labels)
        for block, least in _blocks(at, rows, found, labels) if n_left > 0 or at == len(rows) - 1 else ():
            n_left -= len(block)
            if _is_sum(rows[at], block, least, mostly=is_called):
                found[at] = True
                break
    return found


def _blocks(
    at: int, rows: Sequence[dict[int, str]], found: Sequence[bool], labels: Sequence[int]
) -> Iterator[tuple[Sequence[dict[int, str]], int]]:
    """The rows whose sums a row may have by its label or place, and how many of them that takes.

    The last row and what is called a total may sum up all others, the latter also those since the total above it; a
    quarter or half of a year sums up the months above it.
    """
    names = [rows[at].get(label, "") for label in labels]
    may_sum_up = any(map(_TOTAL_OF.match, names))
    if may_sum_up:
        yield rows[max((one for one in range(at) if found[one]), default=-1) + 1 : at], _LEAST_OF_KIND
    if any(map(_SUBTOTAL.match, names)):  # of the last rows above it
        first = max(max((one for one in range(at) if found[one]), default=-1) + 1, at - _MOST_SUBTOTALLED)
        yield from ((rows[start:at], _LEAST_OF_KIND) for start in range(first + 1, at - 1))
    if may_sum_up or at == len(rows) - 1:
        yield [one for other, one in enumerate(rows) if other != at and not found[other]], _LEAST_SUMMED
    for label, period in zip(labels, map(_PERIOD.match, names), strict=True):
        if period:
            above = (rows[one] for one in range(at - 1, -1, -1) if not found[one])
            months = list(islice(above, _QUARTER if period["quarter"] else _HALF))
            if all(month_number(one.get(label, "")) for one in months):
                yield months, _LEAST_SUMMED


def _sums_of_kinds(rows: Sequence[dict[int, str]], labels: Sequence[int]) -> set[int]:
    """Rows that a cell further right calls the total of the others of their name: "Ann, Red, Total, 12"."""
    kinds: dict[str, list[int]] = {}
    for at, cells in enumerate(rows):
        kinds.setdefault(cells.get(labels[0], "") if labels else "", []).append(at)
    found: set[int] = set()
    for name, members in kinds.items():
        totals = [one for one in members if any(map(_TOTAL.fullmatch, _without(rows[one], labels).values()))]
        if name and len(totals) == 1:
            others = [rows[one] for one in members if one not in totals]
            found.update(one for one in totals if _is_sum(_without(rows[one], labels), others, _LEAST_OF_KIND))
    return found


def _without(cells: dict[int, str], columns: Collection[int]) -> dict[int, str]:
    return {column: text for column, text in cells.items() if column not in columns}


def _is_sum(last: dict[int, str], others: Sequence[dict[int, str]], least: int, *, mostly: bool = False) -> bool:
    """Whether every number of the last row is the sum of the others, or ``mostly`` more than half of them."""
    if len(others) < least:
        return False
    are_sums: list[bool] = []
    for column, text in last.items():
        cells = {at: row.get(column, "") for at, row in enumerate(others)}
        numbers = dict(read_values({**cells, -1: text}).by_row)
        total = numbers.pop(-1, None)
        if total is not None and not read_values(cells).problem:
            is_one = abs(sum(numbers.values()) - total) <= 1e-6 * max(1.0, abs(total))
            if not is_one and not mostly:
                return False
            are_sums += [is_one] if total or not is_one else []
    return sum(are_sums) > len(are_sums) / 2
