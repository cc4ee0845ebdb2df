"""Answers by a trained reader of tables, which weighs every reading of a question: look-ups, extremes, counts, sums.

The rules of `generate/tabular` know one reading of a question, and refuse where a word is left over. The reader knows
the words with which people ask, and how likely it is to be right.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.ports import TableReader
from treatise.generate.tabular.answered import answer_found, is_tabular
from treatise.generate.tabular.grid import Grid, grid_of, whole_tables
from treatise.generate.tabular.result import Found

_LEAST: Final = 0.5
"""Probability from which an answer is given: docs/log/tables.md has what is right and wrong above others."""
_LEAST_IN_PROSE: Final = 0.6
"""The same for a table within text, which may answer as well."""
_MAX_CELLS: Final = 20_000
"""Larger tables are left to the rules: reading one takes a second."""
_MAX_TABLES: Final = 8
_PASSAGES_OF_PROSE: Final = 3


def answer_by_table(evidence: Evidence, documents: Sequence[Document], reader: TableReader) -> Answer | None:
    """The likeliest answer of the tables that the evidence is from; None if none is likely enough.

    In a document with other text only the tables of its best passages are read, and the best one must be of a table.
    """
    found = [
        (answer, grid)
        for grid in _grids(evidence, documents)
        if (answer := reader.read(evidence.question, *_texts(grid)))
        and answer.probability >= (_LEAST if is_tabular(grid.document) else _LEAST_IN_PROSE)
    ]
    if not found:
        return None
    answer, grid = max(found, key=lambda one: one[0].probability)
    text = ", ".join(answer.values)
    result = Found(text, answer.statement, answer.rows, is_read=not answer.is_computed)
    return answer_found(evidence, grid, result, answer.probability)


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
