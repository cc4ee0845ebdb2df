"""Look-ups that compare the rows of a table: the highest of a column, or the row before or after another one.

A reader of passages sees a row and not the column, so it cannot know which row has the most of something, nor which one
follows. Here the table of the best passage is computed with as `generate/tabular` does with documents that are tables;
what is open is left to the reader and not refused, since the text around the table may answer it.
"""

from collections.abc import Sequence

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.generate.mismatch import mismatch
from treatise.generate.tabular.answered import answer_found, is_tabular
from treatise.generate.tabular.asked import Op, asked_of_table
from treatise.generate.tabular.computed import compute
from treatise.generate.tabular.grid import grid_at
from treatise.generate.tabular.neighbours import asks_neighbour, neighbour_of
from treatise.generate.tabular.result import Found


def answer_by_comparison(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The cell that the question means by an extreme, or by the row next to another one.

    None if it asks for nothing of the kind, the best passage is not of a table, or the table leaves it open.
    """
    question = evidence.question
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    asked = asked_of_table(question)
    is_extreme = asked is not None and asked.op in (Op.HIGHEST, Op.LOWEST)
    if best is None or not (is_extreme or asks_neighbour(question)):
        return None
    document = next(one for one in documents if one.id == best.document)
    grid = grid_at(document, best.span.start)
    if grid is None or mismatch(question, documents):
        return None
    in_prose = not is_tabular(document)
    found = compute(question, asked, grid, in_prose=in_prose) if asked else neighbour_of(question, grid)
    return answer_found(evidence, grid, found) if isinstance(found, Found) else None
