"""Look-ups over several cells of a table: the highest of a column, the row before or after another one, the difference
between two cells, and the rows of one name, which are added.

A reader of passages sees a row and not the column, so it cannot know which row has the most of something, which one
follows, nor how many have a name. Here the table of the best passage is computed with as `generate/tabular` does with
documents that are tables; what is open is left to the reader and not refused, since the text around the table may
answer it.
"""

from collections.abc import Sequence

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.table import head_texts
from treatise.generate.mismatch import mismatch
from treatise.generate.not_found import refusal_because
from treatise.generate.tabular.answered import answer_found, is_tabular
from treatise.generate.tabular.asked import SUMMED, Computation, Op, asked_of_table, asks_cell, speaks_of_average
from treatise.generate.tabular.cells import several_rows
from treatise.generate.tabular.grid import Grid, grid_of, parts_at, whole_tables
from treatise.generate.tabular.limited import without_limit
from treatise.generate.tabular.neighbours import asks_neighbour
from treatise.generate.tabular.result import Found, Unknown, is_decided
from treatise.generate.tabular.superlatives import asks_superlative
from treatise.generate.tabular.whole import asks_bounded, found_within_text
from treatise.generate.tabular.words import tokens


def answer_by_comparison(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The cell that the question means by an extreme, or by the row next to another one; a difference; a sum of rows.

    A refusal if it asks for one value of what several rows have, or for rows within a bound that has none. None if it
    asks for nothing of the kind, the best passage is not of a table, or the table leaves it open.
    """
    question = evidence.question
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    if best is None:
        return None
    document = next(one for one in documents if one.id == best.document)
    parts = parts_at(document, best.span.start)
    if not parts:
        return None
    asked = asked_of_table(question)
    compares_cells = asked is not None and asked.op in (Op.HIGHEST, Op.LOWEST, Op.DIFFERENCE)
    is_sum = asked is not None and asked.op in SUMMED
    may_be_cell = asked is None and asks_cell(question)
    is_superlative = asks_superlative(question) or asks_superlative(without_limit(question))
    is_bounded = asks_bounded(question)
    if not (compares_cells or is_sum or may_be_cell or asks_neighbour(question) or is_superlative or is_bounded):
        return None
    grid = grid_of(document, parts)
    if grid is None or mismatch(question, documents):
        return None
    if may_be_cell and (refused := several_rows(question, grid) or several_rows(question, _with_equal(grid, question))):
        return refusal_because(evidence, refused.reason, several=len(documents) > 1)
    found = found_within_text(question, grid, in_prose=not is_sum and not is_tabular(document))
    if reason := _why_not(found, is_bounded=is_bounded):
        return refusal_because(evidence, reason, several=len(documents) > 1)
    if not isinstance(found, Found):
        return None
    if is_sum and not found.rows and not _is_only_average(asked, document):
        return None
    return answer_found(evidence, grid, found)


def _why_not(found: Found | Unknown | None, *, is_bounded: bool) -> str:
    """Why neither the table nor one of its cells answers: no row is within a bound, or a scale is open; else empty."""
    if isinstance(found, Unknown):
        return found.reason if is_decided(found.reason) else ""
    return found.statement if found and is_bounded and not found.rows else ""


def _is_only_average(asked: Computation | None, document: Document) -> bool:
    """Whether an average over a whole table is asked for, and the text around tables speaks of none itself."""
    ends = [0, *(one.end for one in document.tables)]
    starts = [*(one.start for one in document.tables), len(document.text)]
    around = " ".join(document.text[end:start] for end, start in zip(ends, starts, strict=True))
    return asked is not None and asked.op in (Op.AVERAGE, Op.MEDIAN) and not speaks_of_average(around)


def _with_equal(grid: Grid, question: str) -> Grid:
    """The table with the rows of the others in its document that have the same heads.

    Alone if the question has a word of a title by which the tables differ.
    """
    document = grid.document
    parts = [one for one in whole_tables(document) if head_texts(document.text, one[0]).items() <= grid.heads.items()]
    if len(parts) == 1:
        return grid
    equal = [one for one in (grid_of(document, few) for few in parts) if one and one.heads == grid.heads]
    titles = [{word.meaning for word in tokens(one.title)} for one in equal]
    differing = titles[0].union(*titles) - titles[0].intersection(*titles)
    if differing & {word.meaning for word in tokens(question)}:
        return grid
    rows = [row for one in equal for row in one.rows]
    cells = [texts for one in equal for texts in one.cells]
    return Grid(document, grid.table, grid.heads, rows, cells, [])
