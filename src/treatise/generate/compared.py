"""Look-ups that compare the rows of a table: the highest of a column, or the row before or after another one.

A reader of passages sees a row and not the column, so it cannot know which row has the most of something, nor which one
follows. Here the rows of the best passage's table are compared instead. It is strict: the question must name the column
that is compared, the row must be the only one, and every number of the question must stand in the table.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Row, Table, caption_text, column_texts, head_texts, table_within
from treatise.generate.citations import as_statement, cite
from treatise.generate.mismatch import mismatch
from treatise.generate.row_answer import n_shared

_CONFIDENCE: Final = 0.8
"""Share of such answers that are right; docs/log/reader.md has the count."""

_MOST: Final = lazy_pattern(r"\b(?:most|highest|largest|greatest|biggest|longest|tallest|heaviest|maximum)\b", re.I)
_LEAST: Final = lazy_pattern(r"\b(?:least|lowest|smallest|fewest|shortest|lightest|minimum)\b", re.I)
_AFTER: Final = lazy_pattern(r"\b(?:next after|after|below|following|follows?|succeeded|next)\b", re.I)
_BEFORE: Final = lazy_pattern(r"\b(?:before|above|prior to|preceded|previous to|previous)\b", re.I)
_OTHERWISE: Final = lazy_pattern(
    r"\b(?:first|earliest|oldest|last|latest|most recent|final|newest|at (?:most|least)|than|two|three|four|five)\b",
    re.I,
)
_THING: Final = lazy_pattern(r"\b(?:which|what|whose|name an?)\s+((?:\w+\s+){0,3}\w+)", re.I)
_TIME: Final = lazy_pattern(r"\b(?:when|(?:what|which) year)\b", re.I)
_WHO: Final = lazy_pattern(r"\bwho\b", re.I)
_OF_TIME: Final = lazy_pattern(r"\b(?:year|date|season)", re.I)
_OF_PERSONS: Final = lazy_pattern(
    r"\b(?:name|player|driver|winner|person|member|artist|author|rider|athlete|candidate|president|coach|champion)",
    re.I,
)
_OF_RANKS: Final = lazy_pattern(r"\b(?:rank|position|place|pick|pos|no|seed|#)\b", re.I)
_TOTAL: Final = lazy_pattern(r"(?:grand )?(?:total|sum|average|mean)s?\b", re.I)
_NUMBER: Final = lazy_pattern(r"[-−]?\d[\d,]*(?:\.\d+)?")
_DIGITS: Final = lazy_pattern(r"\d+")
_YEAR: Final = lazy_pattern(r"\b(?:1[5-9]|20)\d\d\b")
_LETTERS: Final = lazy_pattern(r"[^\W\d_]{2}")
_WORD: Final = lazy_pattern(r"\w")
_EMPTY_WORDS: Final = frozenset(
    ("the", "a", "an", "of", "in", "on", "at", "to", "for", "and", "or", "is", "was", "has")
)
_QUOTES: Final = " \"'“”„‘’«»"
_MOSTLY: Final = 0.6
_LEAST_ROWS: Final = 3
_MOST_ROWS: Final = 3_000


@dataclass(frozen=True, slots=True)
class _Grid:
    """The body of a table by columns.

    Attributes:
        heads: The heads over each column.
        rows: The rows, without totals.
        cells: The texts of each row, by column.
    """

    heads: dict[int, str]
    rows: list[Row]
    cells: list[dict[int, str]]

    def cell(self, row: int, column: int) -> str:
        return self.cells[row].get(column, "")

    def values(self, rows: Sequence[int], column: int) -> dict[int, float]:
        """The numbers of a column by row; empty if a text among them is none."""
        texts = {row: self.cell(row, column) for row in rows if _WORD.search(self.cell(row, column))}
        found = {row: _NUMBER.search(text) for row, text in texts.items()}
        return {row: _value(match[0]) for row, match in found.items() if match} if all(found.values()) else {}


def answer_by_comparison(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The value of the row that the question means by an extreme, or by the row next to it, with that row cited.

    None if it asks for nothing of the kind, the best passage is not of a table, or the table leaves it open.
    """
    question = evidence.question
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    if best is None or not _compares(question) or mismatch(question, documents):
        return None
    document = next(one for one in documents if one.id == best.document)
    table = table_within(document.tables, best.span.start)
    if table is None or best.span.start < table.start:
        return None
    grid = _grid(document.text, table)
    if grid is None or not _has_numbers(question, table, document.text):
        return None
    is_whole = not (part := table_within(document.tables, table.end)) or not part.is_continued
    found = (_extreme(question, grid) if is_whole else None) or _neighbour(question, grid)
    return _answer(evidence, document, *found) if found else None


def _compares(question: str) -> bool:
    return not _OTHERWISE.search(question) and any(one.search(question) for one in (_MOST, _LEAST, _AFTER, _BEFORE))


def _answer(evidence: Evidence, document: Document, row: Row, value: str) -> Answer:
    citation = cite(document, Span(row.start, row.end))
    statement = Statement(as_statement(citation.quote), (0,), Support.QUOTED)
    direct = DirectAnswer(value, "span", _CONFIDENCE, (0,))
    return Answer(evidence.question, statement.text, (statement,), (citation,), evidence, found=True, direct=direct)


def _grid(text: str, table: Table) -> _Grid | None:
    """The table by columns; None if its rows are of groups or few, or do not begin the table."""
    is_whole = not table.is_continued and all(row.parent < 0 for row in table.rows)
    if not (is_whole and table.heads and _LEAST_ROWS <= len(table.rows) <= _MOST_ROWS):
        return None
    texts = [(row, column_texts(text, row)) for row in table.rows]
    kept = [(row, cells) for row, cells in texts if not any(_TOTAL.match(one) for one in cells.values())]
    heads = head_texts(text, table)
    return _Grid(heads, [row for row, _ in kept], [cells for _, cells in kept]) if len(kept) >= _LEAST_ROWS else None


def _has_numbers(question: str, table: Table, text: str) -> bool:
    """Whether the table has every number of the question: it may limit the rows that are compared."""
    known = set(_DIGITS.findall(f"{caption_text(text, table)} {text[table.start : table.end]}"))
    return known.issuperset(_DIGITS.findall(question))


# --- the highest and the lowest -------------------------------------------------------------------------------------


def _extreme(question: str, grid: _Grid) -> tuple[Row, str] | None:
    """The row with the only highest or lowest value among those whose cells the question names."""
    most = _MOST.search(question)
    match = most or _LEAST.search(question)
    if match is None or _AFTER.search(question) or _BEFORE.search(question):
        return None
    asked = _asked_column(question, grid)
    if asked is not None and _OF_RANKS.search(grid.heads[asked]):
        return None
    measure = _measure(question[match.end() :], grid, asked)
    rows = _named_rows(question, grid)
    if measure is None or len(rows) < _LEAST_ROWS:
        return None
    values = grid.values(rows, measure)
    if len(values) < _LEAST_ROWS:
        return None
    highest = (max if most else min)(values.values())
    found = [row for row, value in values.items() if value == highest]
    column = _first_of_names(grid, measure) if asked is None else asked
    if len(found) > 1 or column is None or not _WORD.search(grid.cell(found[0], column)):
        return None
    return grid.rows[found[0]], grid.cell(found[0], column)


def _measure(named: str, grid: _Grid, asked: int | None) -> int | None:
    """The column whose head alone shares most words with what follows the superlative; None for ranks."""
    shared = {column: n_shared(named, head) for column, head in grid.heads.items() if column != asked}
    most = max(shared.values(), default=0)
    best = [column for column, n in shared.items() if n == most]
    return best[0] if most and len(best) == 1 and not _OF_RANKS.search(grid.heads[best[0]]) else None


def _named_rows(question: str, grid: _Grid) -> list[int]:
    """The rows that have every cell that the question names, of the columns in which not every row has one."""
    rows = set(range(len(grid.rows)))
    named: dict[int, set[int]] = {}
    for row, column in _named_cells(question, grid):
        named.setdefault(column, set()).add(row)
    for of_column in named.values():
        if len(of_column) < len(grid.rows):
            rows &= of_column
    return sorted(rows)


def _first_of_names(grid: _Grid, measure: int) -> int | None:
    """The first column if it has words, else the first one that has words without numbers."""
    columns = sorted({column for cells in grid.cells for column in cells} - {measure})
    if columns and not _OF_TIME.search(grid.heads.get(columns[0], "")) and _mostly(_LETTERS.search, grid, columns[0]):
        return columns[0]
    return next((one for one in columns if _mostly(_is_name, grid, one)), None)


def _mostly(holds: Callable[[str], object], grid: _Grid, column: int) -> bool:
    return sum(bool(holds(cells.get(column, ""))) for cells in grid.cells) > _MOSTLY * len(grid.cells)


def _is_name(text: str) -> bool:
    return bool(_LETTERS.search(text)) and not _DIGITS.search(text)


# --- the row before or after ----------------------------------------------------------------------------------------


def _neighbour(question: str, grid: _Grid) -> tuple[Row, str] | None:
    """The row after or before the only one that the question names, in a table that does not run back in time."""
    after, before = _AFTER.search(question), _BEFORE.search(question)
    match = after or before
    if match is None or (after and before) or _MOST.search(question) or _LEAST.search(question) or _runs_back(grid):
        return None
    named = [one for one in _named_cells(question[match.end() :], grid) if _LETTERS.search(grid.cell(*one))]
    longest = max((len(grid.cell(*one)) for one in named), default=0)
    of_rows = {row: column for row, column in named if len(grid.cell(row, column)) == longest}
    if len(of_rows) != 1:
        return None
    ((row, column),) = of_rows.items()
    if any(at != column for _, at in _named_cells(question, grid)):
        return None  # the row next to it may lack what else is named
    asked = _asked_column(question, grid)
    found = row + (1 if after else -1)
    if not 0 <= found < len(grid.rows) or (asked is None and not _is_name(grid.cell(row, column))):
        return None
    column = column if asked is None else asked
    value = grid.cell(found, column)
    return (grid.rows[found], value) if _WORD.search(value) and value != grid.cell(row, column) else None


def _runs_back(grid: _Grid) -> bool:
    """Whether a column of years falls from row to row."""
    for column in (column for column, head in grid.heads.items() if _OF_TIME.search(head)):
        years = [_YEAR.search(cells.get(column, "")) for cells in grid.cells]
        known = [int(match[0]) for match in years if match]
        if len(known) == len(years) and known[0] != known[-1]:
            return all(one >= other for one, other in pairwise(known))
    return False


# --- what the question names ----------------------------------------------------------------------------------------


def _asked_column(question: str, grid: _Grid) -> int | None:
    """The column that the question asks for: by its head, or the persons or times that "who" and "when" mean."""
    if match := _THING.search(question):
        words = [word for word in match[1].split() if word.casefold() not in _EMPTY_WORDS]
        for word in words[:2]:
            if (column := next((at for at, head in grid.heads.items() if n_shared(word, head)), None)) is not None:
                return column
    for asks, has in ((_WHO, _OF_PERSONS), (_TIME, _OF_TIME)):
        if asks.search(question):
            return next((at for at, head in grid.heads.items() if has.search(head)), None)
    return None


def _named_cells(question: str, grid: _Grid) -> Iterator[tuple[int, int]]:
    """Row and column of each cell whose whole text stands in the question."""
    asked = question.casefold()
    for row, cells in enumerate(grid.cells):
        for column, cell in cells.items():
            text = cell.casefold().strip(_QUOTES)
            is_named = len(text) > 1 and text in asked and text not in _EMPTY_WORDS
            if is_named and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", asked):
                yield row, column


def _value(number: str) -> float:
    return float(number.replace(",", "").replace("−", "-"))
