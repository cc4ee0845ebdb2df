"""Look-ups over several rows of a table: the highest of a column, the row before or after another one, and the rows of
one name, which are added.

A reader of passages sees a row and not the column, so it cannot know which row has the most of something, which one
follows, nor how many have a name. Here the table of the best passage is computed with as `generate/tabular` does with
documents that are tables; what is open is left to the reader and not refused, since the text around the table may
answer it.
"""

from collections.abc import Sequence

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.generate.mismatch import mismatch
from treatise.generate.not_found import refusal_because
from treatise.generate.tabular.answered import answer_found, is_tabular
from treatise.generate.tabular.asked import Op, asked_of_table, asks_cell
from treatise.generate.tabular.cells import several_rows
from treatise.generate.tabular.computed import compute
from treatise.generate.tabular.grid import Grid, grid_at
from treatise.generate.tabular.neighbours import asks_neighbour, neighbour_of
from treatise.generate.tabular.result import Found
from treatise.generate.tabular.selected import SUMMED


def answer_by_comparison(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The cell that the question means by an extreme, or by the row next to another one; the sum of the rows it names.

    A refusal if it asks for one value of what several rows have. None if it asks for nothing of the kind, the best
    passage is not of a table, or the table leaves it open.
    """
    question = evidence.question
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    asked = asked_of_table(question)
    is_extreme = asked is not None and asked.op in (Op.HIGHEST, Op.LOWEST)
    is_sum = asked is not None and asked.op in SUMMED
    may_be_cell = asked is None and asks_cell(question)
    if best is None or not (is_extreme or is_sum or may_be_cell or asks_neighbour(question)):
        return None
    document = next(one for one in documents if one.id == best.document)
    grid = grid_at(document, best.span.start)
    if grid is None or mismatch(question, documents):
        return None
    if may_be_cell and (refused := several_rows(question, grid)):
        return refusal_because(evidence, refused.reason, several=len(documents) > 1)
    in_prose = not is_sum and not is_tabular(document)
    found = compute(question, asked, grid, in_prose=in_prose) if asked else _neighbour(question, grid)
    if not isinstance(found, Found) or (is_sum and not found.rows):
        return None
    return answer_found(evidence, grid, found)


def _neighbour(question: str, grid: Grid) -> Found | None:
    return neighbour_of(question, grid) if asks_neighbour(question) else None
