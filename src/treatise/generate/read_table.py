"""Answers by a trained reader of tables, which weighs every reading of a question: look-ups, extremes, counts, sums.

The rules of `generate/tabular` know one reading of a question, and refuse where a word is left over. The reader knows
the words with which people ask, and how likely it is to be right.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.core.ports import TableReader
from treatise.core.table import Row
from treatise.core.table_answer import TableAnswer
from treatise.generate.asked import Asked, asked
from treatise.generate.not_found import doubted, is_doubted
from treatise.generate.tabular.answered import answer_found, is_tabular
from treatise.generate.tabular.bounds import bound_in, ends_in
from treatise.generate.tabular.changes import asks_percent_change, lacks_changes, says_percent
from treatise.generate.tabular.grid import Grid, grid_of, whole_tables
from treatise.generate.tabular.numbers import are_unlike, is_free
from treatise.generate.tabular.result import (
    NO_COLUMN,
    NO_LEGEND,
    NO_SUM,
    SEVERAL_COLUMNS,
    Found,
    is_decided,
)
from treatise.generate.tabular.selected import column_of_form
from treatise.generate.tabular.superlatives import asks_extreme_place, lacking_sense
from treatise.generate.tabular.words import languages_of

_LEAST: Final = 0.5
"""Probability from which an answer is given: docs/log/tables.md has what is right and wrong above others."""
_LEAST_IN_PROSE: Final = 0.6
"""The same for a table within text, which may answer as well."""
_WORDS_OF_SENTENCE: Final = 8
_LEAST_ROWS: Final = 2
_QUARTER: Final = lazy_pattern(r"\bq[1-4]\b|\bquarter", re.IGNORECASE)
_FEWEST: Final = lazy_pattern(r"\bfewest\b", re.IGNORECASE)
_BY_HIGHEST: Final = lazy_pattern(r", by the highest\b")
_COMPARES: Final = lazy_pattern(
    r"\b(?:highest|lowest|total|average|difference|between|above|below|at least|at most|from [\d.,]+ to)\b"
)
_OF_TWO: Final = lazy_pattern(r"\bbetween\b")
_SEEKS_LOW: Final = lazy_pattern(r"\b(?:lowest|average|below|at most)\b")
_VERDICTS: Final = frozenset(("yes", "no", "y", "n", "true", "false"))
_MAX_CELLS: Final = 20_000
"""Larger tables are left to the rules: reading one takes a second."""
_MAX_TABLES: Final = 8
_PASSAGES_OF_PROSE: Final = 3


@dataclass(frozen=True, eq=False)
class TableReading:
    """What the reader of tables makes of a question.

    Attributes:
        found: The likeliest answer.
        grid: The table that it is from.
        is_of_best: Whether the best passage is of the same document.
    """

    found: TableAnswer
    grid: Grid
    is_of_best: bool = True

    @property
    def is_of_sheet(self) -> bool:
        """Whether nearly all of the document is tables."""
        return is_tabular(self.grid.document)

    @property
    def is_sure(self) -> bool:
        """Whether it is likely enough to be given; never if its numbers cannot be compared."""
        return not self._is_incomparable and self.found.probability >= (_LEAST if self.is_of_sheet else _LEAST_IN_PROSE)

    @property
    def comes_first(self) -> bool:
        """Whether it is given before passages are read: what is computed from a table of the best document.

        Not if sentences in its cells have the question's words, since they may answer themselves; nor the number of all
        rows of a table within text, which may show only some.
        """
        if not (self.is_sure and self.is_of_best and self.found.is_computed) or self.found.is_of_text:
            return False
        return self.is_of_sheet or self.found.values != (str(len(self.grid.rows)),)

    def answer(self, evidence: Evidence) -> Answer:
        """The answer with its rows."""
        found = self.found
        result = Found(", ".join(found.values), found.statement, found.rows, is_read=not found.is_computed)
        return answer_found(evidence, self.grid, result, found.probability)

    def beside(self, read: Answer, evidence: Evidence, documents: Sequence[Document]) -> Answer:
        """The answer, where another one was read in passages, or none.

        A reader of passages sees single rows of a sheet, and takes what it sees: two in three of such answers are
        wrong, so they must be likely readings of the table, or part of a cell that is a sentence. Within text the
        likelier answer is given. What was read in another table or document stays.
        """
        if not read.found:
            return self.answer(evidence) if self.is_sure and is_doubted(read) else read
        if not self._is_of_rows(read):
            return read
        if self._is_incomparable and self.found.probability >= _LEAST:
            return self._doubted(evidence, documents, read)
        is_likelier = self.found.probability > (read.direct.confidence if read.direct else 0.0)
        if not self.is_of_sheet:
            return self.answer(evidence) if self.is_sure and is_likelier else read
        if self._has(read) or self._is_within_cell(read) or (self._is_of_same_row(read) and not is_likelier):
            return read
        if self.is_sure:
            return self.answer(evidence)
        return self._doubted(evidence, documents, read)

    def _doubted(self, evidence: Evidence, documents: Sequence[Document], read: Answer) -> Answer:
        return replace(doubted(evidence, documents, self.found.probability), nearest=read.citations)

    @property
    def _is_incomparable(self) -> bool:
        """Whether a cell exceeds the numbers compared or added, or they are in several currencies, scales or units."""
        return self.found.is_exceeded or _compares_unlike(self.found, self.grid)

    def _is_of_same_row(self, read: Answer) -> bool:
        rows = [self.grid.rows[row] for row in self.found.rows]
        return any(_overlaps(row, one.span) for row in rows for one in read.citations[:1])

    def _is_of_rows(self, read: Answer) -> bool:
        """Whether an answer was read in this table."""
        rows, cited = self.grid.rows, read.citations[:1]
        is_here = [one.document == self.grid.document.id for one in cited]
        return all(is_here) and all(_overlaps(Span(rows[0].start, rows[-1].end), one.span) for one in cited)

    def _has(self, read: Answer) -> bool:
        text = _plain(read.direct.text if read.direct else read.text)
        return any(_has_words(one, text) or _has_words(text, one) for one in map(_plain, self.found.likely))

    def _is_within_cell(self, read: Answer) -> bool:
        """Whether the short answer is part of a cell of a row that is cited, and the cell a sentence."""
        text = _plain(read.direct.text) if read.direct else ""
        cited = [one.span for one in read.citations]
        rows = [at for at, row in enumerate(self.grid.rows) if any(_overlaps(row, one) for one in cited)]
        cells = [_plain(one) for at in rows for one in self.grid.cells[at].values()]
        sentences = [one for one in cells if len(one.split()) >= _WORDS_OF_SENTENCE]
        return bool(text) and any(text in one and text != one for one in sentences)


def _overlaps(row: Row | Span, span: Span) -> bool:
    """Whether a quotation has part of a row; it may begin before its first cell: "| Tea | 5 |"."""
    return span.start < row.end and row.start < span.end


def is_open(refused: Answer) -> bool:
    """Whether a rule's refusal leaves it open what the table says.

    It does not if a column or legend is lacking, several are meant, a sum says nothing, or a change went the other way.
    """
    return not any(
        note.startswith((NO_COLUMN, NO_LEGEND, SEVERAL_COLUMNS)) or note.endswith(NO_SUM) or is_decided(note)
        for note in refused.notes
    )


def read_tables(evidence: Evidence, documents: Sequence[Document], reader: TableReader) -> TableReading | None:
    """The likeliest answer of the tables that the evidence is from; None if there is none, or the question is why.

    The reader knows no scale such as "million", and computes no change in percent. A fact is confirmed by a cell that
    says yes or no, and by nothing else. In a document with other text only the
    tables of its best passages are read.
    """
    question = evidence.question
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    wants = asked(question)
    limit, _ = bound_in(question)
    if best is None or wants is Asked.REASON or languages_of(question) or (limit and limit.scale != 1.0):
        return None
    found = [
        TableReading(answer, grid, grid.document.id == best.document)
        for grid in _grids(evidence, documents)
        if not _is_beyond(question, grid)
        and (answer := reader.read(question, *_texts(grid)))
        and _is_of_place(question, grid, answer)
        and (not asks_percent_change(question) or says_percent(answer.statement))
        and not (answer.is_of_all and limit)
        and not (_FEWEST.search(question) and _BY_HIGHEST.search(answer.statement))
    ]
    likeliest = max(found, key=lambda one: one.found.probability, default=None)
    is_fact = wants is Asked.YES_NO and " or " not in question
    if likeliest and is_fact and not all(one.casefold() in _VERDICTS for one in likeliest.found.values):
        return None
    return likeliest


def _is_beyond(question: str, grid: Grid) -> bool:
    """Whether no cell of a table says what a question asks, so that the likeliest reading would be another question."""
    lacks_column = lacks_changes(question, grid) or lacking_sense(question, grid) is not None
    return lacks_column or _needs_quarters(question, grid)


def _compares_unlike(found: TableAnswer, grid: Grid) -> bool:
    """Whether an answer compares or adds numbers of a column in several currencies, scales or units, or seeks the
    lowest of a column where something is free of charge.
    """
    if not _COMPARES.search(found.statement):
        return False
    compared = [one.cells for one in grid.columns.values() if one.head and one.head in found.statement]
    if _OF_TWO.search(found.statement):
        compared = [[cells[row] for row in found.rows if row < len(cells)] for cells in compared]
    is_low = _SEEKS_LOW.search(found.statement) is not None
    return any(are_unlike(cells) or (is_low and any(map(is_free, cells))) for cells in compared)


def _needs_quarters(question: str, grid: Grid) -> bool:
    """Whether a question is of a quarter of a year, and the table names none: the reader does not count their days."""
    ends = ends_in(question)
    if ends is None or not ends.is_quarter:
        return False
    texts = (*grid.heads.values(), *(cell for cells in grid.cells for cell in cells.values()))
    return not any(map(_QUARTER.search, texts))


def _is_of_place(question: str, grid: Grid, answer: TableAnswer) -> bool:
    """Whether an answer is a place if the question asks where something is the most; else true."""
    if not asks_extreme_place(question) or (column := column_of_form(question, grid)) is None:
        return True
    return {one.casefold().strip("* ") for one in answer.values} <= {
        one.casefold().strip("* ") for one in grid.columns[column].cells
    }


def _texts(grid: Grid) -> tuple[list[str], list[list[str]]]:
    """The heads of a table and the cells of its rows, left to right."""
    columns = range(max(grid.heads, default=-1) + 1)
    heads = [grid.heads.get(at, "") for at in columns]
    return heads, [[cells.get(at, "") for at in columns] for cells in grid.cells]


def _grids(evidence: Evidence, documents: Sequence[Document]) -> Iterator[Grid]:
    """The tables to read, at most eight."""
    ranked = sorted(evidence.passages, key=lambda one: -one.score)
    ids = list(dict.fromkeys(one.document for one in ranked))
    by_id = {one.id: one for one in documents}
    n = 0
    for document in (by_id[one] for one in ids if one in by_id):
        places = [one.span.start for one in ranked[:_PASSAGES_OF_PROSE] if one.document == document.id]
        for parts in whole_tables(document):
            is_near = any(part.start <= at < part.end for part in parts for at in places)
            if not (is_near or is_tabular(document)) or n == _MAX_TABLES:
                continue
            grid = grid_of(document, parts)
            if grid and len(grid.rows) >= _LEAST_ROWS and len(grid.rows) * len(grid.heads) <= _MAX_CELLS:
                n += 1
                yield grid


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _has_words(text: str, part: str) -> bool:
    """Whether whole words of a text are the part: 4 is no part of 14."""
    return f" {part} " in f" {text} "
