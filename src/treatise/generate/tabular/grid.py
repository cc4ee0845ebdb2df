"""A whole table by columns: its parts joined, its totals apart."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from itertools import pairwise
from typing import Final

from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Row, Table, caption_text, column_texts, head_texts, table_within
from treatise.generate.tabular.numbers import TIME, Values, is_missing, read_values

Places = dict[tuple[str, ...], list[tuple[int, int]]]
"""Rows and columns of cells by the words that name them."""

MAX_CELLS: Final = 200_000
"""Larger tables are not read: it would take seconds."""

_TOTAL: Final = lazy_pattern(
    r"(?:grand |overall |sub-?\s?)?"
    r"(?:(?:totals?|sum|averages?|mean|median)\W*$|totals?\b(?:\s*[(:,–-]|\s+(?:for|of|in)\b))|"
    r"(?:.*\bsub-?\s?totals?|(?:amount|balance|total) due)\W*$",
    re.IGNORECASE,
)
_TOTAL_OF: Final = lazy_pattern(r"(?:grand |overall |sub-?\s?)?totals?\b|all \w+$", re.IGNORECASE)
_YEAR: Final = lazy_pattern(r"(?:1[5-9]|20)\d\d")
OF_RANKS: Final = lazy_pattern(
    r"\b(?:rank|ranking|position|place|pick|pos|no(?!\W+\w)|seed|codes?|id|charts?)\b|#$|^#", re.IGNORECASE
)
"""Heads of columns that number the rows."""
OF_CODES: Final = lazy_pattern(
    r"\b(?:phones?|telephone|tel|mobile (?:phone|number)|fax|ext|extension|pin|zip|zip ?code|post ?code|plz|"
    r"postleitzahl|durchwahl|telefon|telefonnummer|handy|handynummer|kennziffer|"
    r"(?:account|card|customer|employee|house|invoice|order|room|serial|staff) (?:number|no|nr))\b|"
    r"(?:konto|kunden|personal|rechnungs|haus|zimmer|artikel|bestell)(?:nummer|nr)\b|\bnr\b\W*$|"
    r"^(?:birth |founding |hire |opening |start )?(?:year|jahr)$",
    re.IGNORECASE,
)
"""Heads of columns of numbers that nobody adds, such as those of telephones."""
OF_TIMES: Final = lazy_pattern(r"\b(?:years?|dates?|seasons?)\b", re.IGNORECASE)
"""Heads of columns of times."""
OF_AVERAGES: Final = lazy_pattern(
    r"average|\bavg\b|\bmean\b|median|percent|\bpct\b|%|\brate\b|per[ _]|\bunit (?:price|cost)\b", re.IGNORECASE
)
"""Heads of columns whose sum says nothing."""
_COUNTED: Final = lazy_pattern(r"\W*\d")
_LETTERS: Final = lazy_pattern(r"[^\W\d_]{2}")
_LETTER: Final = lazy_pattern(r"[^\W\d_][+−-]?")
_CODE: Final = lazy_pattern(
    r"[^\W\d_]{1,4}[ ./-]?\d[\w./-]*(?: \d{4})?|\d{4}[ ./-]?[^\W\d_]{1,2}\d{1,2}", re.IGNORECASE
)
_MARKS: Final = "*†‡§ \u00a0"
_MOSTLY: Final = 0.6
_LEAST_SUMMED: Final = 3
_LEAST_DIGITS: Final = 3


def _kept(test: "Callable[[Grid, int], bool]") -> "Callable[[Grid, int], bool]":
    """The test of a column, made once: a question asks for it again and again."""

    @wraps(test)
    def found(grid: "Grid", column: int) -> bool:
        key = test.__name__, column
        if key not in grid.facts:
            grid.facts[key] = test(grid, column)
        return grid.facts[key]

    return found


@dataclass(frozen=True)
class Grid:
    """The body of a table by columns.

    Attributes:
        document: Where it is.
        table: Its first part, which has the caption.
        heads: The heads over each column.
        rows: The rows, without totals.
        cells: The texts of each row, by column.
        totals: The texts of the rows of totals.
        known: What is known of the cells, by its name: each place once.
        facts: What is known of each column.
    """

    document: Document = field(repr=False)
    table: Table = field(repr=False)
    heads: dict[int, str]
    rows: list[Row] = field(repr=False)
    cells: list[dict[int, str]] = field(repr=False)
    totals: list[dict[int, str]] = field(repr=False)
    _values: dict[int, Values] = field(default_factory=dict, repr=False, compare=False)
    known: dict[str, Places] = field(default_factory=dict, repr=False, compare=False)
    facts: dict[tuple[str, int], bool] = field(default_factory=dict, repr=False, compare=False)

    def cell(self, row: int, column: int) -> str:
        """The text of a cell; empty if it is blank."""
        return self.cells[row].get(column, "")

    def values(self, column: int) -> Values:
        """The numbers of a column."""
        if column not in self._values:
            self._values[column] = read_values({row: self.cell(row, column) for row in range(len(self.rows))})
        return self._values[column]

    def name(self, row: int) -> str:
        """What the row is about, without the marks of footnotes: its number if it shares its name with others."""
        first = min(self.heads)
        column = first if self.has_kinds and first in self.naming else self.label
        return "" if column is None else self.cell(row, column).strip(_MARKS)

    @cached_property
    def label(self) -> int | None:
        """The column that names the rows: the first of words, else that of their codes; None if there is none."""
        columns = [one for one in sorted(self.heads) if not OF_RANKS.search(self.heads[one].replace("_", " "))]
        codes = (one for one in columns if self.is_key(one) and self.is_of_codes(one))
        return next((one for one in columns if self._is_of_words(one)), next(codes, None))

    @cached_property
    def title(self) -> str:
        """Its caption, or its headings."""
        headings = " > ".join(self.document.section_path(self.table.start))
        return caption_text(self.document.text, self.table) or headings

    @_kept
    def is_key(self, column: int) -> bool:
        """Whether it is the first column, and no two of its cells are the same: it numbers or names the rows."""
        texts = [self.cell(row, column) for row in range(len(self.rows))]
        return len(set(texts)) == len(texts) and column == min(self.heads)

    @cached_property
    def naming(self) -> frozenset[int]:
        """The columns whose cells name the rows, or are a code, a number or a year of each."""
        first = min(self.heads)
        codes = [first] if self.is_key(first) and (self.is_of_codes(first) or self.is_numbered(first)) else []
        return frozenset([*codes, *([] if self.label is None else [self.label])])

    @_kept
    def is_of_codes(self, column: int) -> bool:
        """Whether most cells are codes of letters before digits, such as "Q1" and "R-101", and no amounts."""
        filled = [text for cells in self.cells if not is_missing(text := cells.get(column, ""))]
        n_codes = sum(_CODE.fullmatch(text.strip()) is not None for text in filled)
        return n_codes > _MOSTLY * len(filled) > 0 and bool(self.values(column).problem)

    @_kept
    def is_numbered(self, column: int) -> bool:
        """Whether the cells are numbers of the rows, such as years, and measure nothing."""
        return self.is_code(column) and all(cells.get(column, "").isdigit() for cells in self.cells)

    @_kept
    def is_code(self, column: int) -> bool:
        """Whether a column numbers the rows or has a code for each."""
        if OF_RANKS.search(self.heads[column].replace("_", " ")):
            return True
        texts = [self.cell(row, column) for row in range(len(self.rows))]
        return self.is_key(column) and (not self.is_counted(column) or _are_codes(texts))

    @_kept
    def is_summable(self, column: int) -> bool:
        """Whether a column is of numbers that may be added: no codes, ranks, years, times, shares or averages."""
        head, values = self.heads[column].replace("_", " "), self.values(column)
        is_amount = not values.problem and values.unit not in (TIME, "%", "‰")
        is_number = self.is_code(column) or self.is_key(column) or self.is_of_years(column)
        is_other = OF_RANKS.search(head) or OF_CODES.search(head) or OF_AVERAGES.search(head)
        return is_amount and not (is_number or is_other)

    @cached_property
    def has_kinds(self) -> bool:
        """Whether the first column of words does not name each row, but says of which kind it is."""
        if self.label is None:
            return len(self.rows) > 1
        names = [self.cell(row, self.label).strip(_MARKS) for row in range(len(self.rows))]
        return len(set(names)) < len(names)

    def is_text(self, column: int) -> bool:
        """Whether most cells of a column are words."""
        return self._is_of_words(column)

    @_kept
    def is_of_letters(self, column: int) -> bool:
        """Whether all cells of a column are single letters, such as grades."""
        found = {cells.get(column, "") for cells in self.cells}
        return any(map(_LETTER.fullmatch, found)) and all(_LETTER.fullmatch(one) or is_missing(one) for one in found)

    @_kept
    def is_counted(self, column: int) -> bool:
        """Whether most cells of a column begin with a number."""
        filled = [text for cells in self.cells if not is_missing(text := cells.get(column, ""))]
        return sum(bool(_COUNTED.match(one)) for one in filled) > _MOSTLY * len(filled) > 0

    @_kept
    def is_of_years(self, column: int) -> bool:
        """Whether all cells of a column are years."""
        filled = [text for row in range(len(self.rows)) if (text := self.cell(row, column))]
        return bool(filled) and all(_YEAR.fullmatch(one) for one in filled)

    @_kept
    def _is_of_words(self, column: int) -> bool:
        filled = [text for cells in self.cells if not is_missing(text := cells.get(column, ""))]
        return sum(bool(_LETTERS.search(one)) for one in filled) > _MOSTLY * len(filled) > 0


def _are_codes(texts: Sequence[str]) -> bool:
    """Whether numbers count on, or have at least three digits and the same length."""
    if not all(map(str.isdigit, texts)):
        return False
    counts_on = all(int(after) - int(before) == 1 for before, after in pairwise(texts))
    return counts_on or (len({*map(len, texts)}) == 1 and len(texts[0]) >= _LEAST_DIGITS)


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


def grid_at(document: Document, start: int) -> Grid | None:
    """The whole table with the row that begins at ``start``, by columns; None as of `grid_of`, or if there is none.

    The bar before the first head is of the table.
    """
    part = table_within(document.tables, start)
    if part is None or document.text[start : part.start].strip("| "):
        return None
    return grid_of(document, next(parts for parts in whole_tables(document) if part in parts))


def grid_of(document: Document, parts: Sequence[Table]) -> Grid | None:
    """A table by columns; None if it has no heads, groups of rows, other heads further down, or too many cells."""
    text, first = document.text, parts[0]
    rows = [row for part in parts for row in part.rows]
    if not first.heads or first.is_continued or sum(len(row.cells) for row in rows) > MAX_CELLS:
        return None
    heads = head_texts(text, first)
    if any(row.parent >= 0 for row in rows) or any(head_texts(text, part).items() - heads.items() for part in parts):
        return None
    texts = [column_texts(text, row) for row in rows]
    is_total = _totals(texts, sorted(heads)[:2])
    if heads and 0 not in heads and all(0 in cells for cells in texts):
        heads[0] = ""  # the corner above the names of the rows is often blank
    body = [at for at, total in enumerate(is_total) if not total]
    totals = [cells for cells, total in zip(texts, is_total, strict=True) if total]
    return Grid(document, first, heads, [rows[at] for at in body], [texts[at] for at in body], totals)


def _totals(rows: Sequence[dict[int, str]], labels: Sequence[int]) -> list[bool]:
    """Whether each row is of totals: by its label, or by its numbers if it is the last or its label leaves it open."""
    found = [any(_TOTAL.match(cells.get(label, "")) for label in labels) for cells in rows]
    for at, cells in enumerate(rows):
        is_open = at == len(rows) - 1 or any(_TOTAL_OF.match(cells.get(label, "")) for label in labels)
        if is_open and not found[at]:
            found[at] = _is_sum(cells, [one for other, one in enumerate(rows) if other != at and not found[other]])
    return found


def _is_sum(last: dict[int, str], others: Sequence[dict[int, str]]) -> bool:
    """Whether every number of the last row is the sum of the others."""
    if len(others) < _LEAST_SUMMED:
        return False
    checked = 0
    for column, text in last.items():
        cells = {at: row.get(column, "") for at, row in enumerate(others)}
        numbers = dict(read_values({**cells, -1: text}).by_row)
        total = numbers.pop(-1, None)
        if total is not None and not read_values(cells).problem:
            if abs(sum(numbers.values()) - total) > 1e-6 * max(1.0, abs(total)):
                return False
            checked += bool(total)
    return checked > 0
