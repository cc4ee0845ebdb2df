"""Answers by a trained reader of tables, which weighs every reading of a question: look-ups, extremes, counts, sums.

The rules of `generate/tabular` know one reading of a question, and refuse where a word is left over. The reader knows
the words with which people ask, and how likely it is to be right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.ports import TableReader
from treatise.core.table_answer import TableAnswer
from treatise.generate.not_found import doubted
from treatise.generate.tabular.answered import answer_found, is_tabular
from treatise.generate.tabular.grid import Grid, grid_of, whole_tables
from treatise.generate.tabular.result import Found

_LEAST: Final = 0.5
"""Probability from which an answer is given: docs/log/tables.md has what is right and wrong above others."""
_LEAST_IN_PROSE: Final = 0.6
"""The same for a table within text, which may answer as well."""
_LEAST_AGREEING: Final = 0.1
"""Probability from which it may confirm what was read in passages."""
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
    """

    found: TableAnswer
    grid: Grid

    @property
    def is_of_sheet(self) -> bool:
        """Whether nearly all of the document is tables."""
        return is_tabular(self.grid.document)

    @property
    def is_sure(self) -> bool:
        """Whether it is likely enough to be given."""
        return self.found.probability >= (_LEAST if self.is_of_sheet else _LEAST_IN_PROSE)

    @property
    def comes_first(self) -> bool:
        """Whether it is given before passages are read: not a cell of a table within text, which passages show too."""
        return self.is_sure and (self.is_of_sheet or self.found.is_computed)

    def answer(self, evidence: Evidence) -> Answer:
        """The answer with its rows."""
        found = self.found
        result = Found(", ".join(found.values), found.statement, found.rows, is_read=not found.is_computed)
        return answer_found(evidence, self.grid, result, found.probability)

    def beside(self, read: Answer, evidence: Evidence, documents: Sequence[Document]) -> Answer:
        """The answer, where another one was read in passages, or none.

        A reader of passages sees single rows of a sheet, and takes what it sees: two in three of such answers are
        wrong, so they must be among the cells that were found. Within text the likelier answer is given.
        """
        if not read.found:
            return self.answer(evidence) if self.is_sure else read
        if self.is_of_sheet:
            doubt = doubted(evidence, documents, self.found.probability)
            return read if self._has(read) else replace(doubt, nearest=read.citations)
        confidence = read.direct.confidence if read.direct else 0.0
        return self.answer(evidence) if self.is_sure and self.found.probability > confidence else read

    def _has(self, read: Answer) -> bool:
        text = _plain(read.direct.text if read.direct else read.text)
        cells = [_plain(one) for one in self.found.values]
        return self.found.probability >= _LEAST_AGREEING and any(text in one or one in text for one in cells)


def read_tables(evidence: Evidence, documents: Sequence[Document], reader: TableReader) -> TableReading | None:
    """The likeliest answer of the tables that the evidence is from; None if there is none.

    In a document with other text only the tables of its best passages are read.
    """
    found = [
        TableReading(answer, grid)
        for grid in _grids(evidence, documents)
        if (answer := reader.read(evidence.question, *_texts(grid)))
    ]
    return max(found, key=lambda one: one.found.probability, default=None)


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
            if grid and grid.rows and len(grid.rows) * len(grid.heads) <= _MAX_CELLS:
                n += 1
                yield grid


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
