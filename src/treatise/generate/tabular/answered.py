"""Answers a question over the tables of documents that are tables: sheets and files of rows.

A reader of passages sees single rows, so it takes the extreme, the count or the sum of a table from the row that was
found. Here such a question is computed over all rows, or refused.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.markup import without_markup
from treatise.core.quotation import statement_of
from treatise.core.table import Table, head_texts
from treatise.generate.citations import cite
from treatise.generate.not_found import refusal_because
from treatise.generate.tabular.asked import Op, asked_of_range, asked_of_table, asks_cell, count_of_rows
from treatise.generate.tabular.cells import stated_total
from treatise.generate.tabular.changes import asks_change
from treatise.generate.tabular.grid import Grid, grid_of, whole_tables
from treatise.generate.tabular.having import asks_beside, asks_rows
from treatise.generate.tabular.lacking import lacking_column, lacking_noun
from treatise.generate.tabular.limited import without_limit
from treatise.generate.tabular.named import choose
from treatise.generate.tabular.result import MAX_CITED, NO_COLUMN, Found, Unknown, listing
from treatise.generate.tabular.superlatives import asks_superlative
from treatise.generate.tabular.whole import found_in_sheet
from treatise.generate.tabular.words import Wording, tokens

_CONFIDENCE: Final = 0.9
"""Share of such answers that are right; docs/log/reader.md has the count."""

_MOSTLY: Final = 0.8
_FITS: Final = 3
"""Weight of a reason from which on the table has what the question names."""
_NO_COLUMNS: Final = "the question asks for a computation, and the tables have no plain columns, or too many cells"


def answer_from_tables(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The answer computed over a table of the documents that the evidence is from, or read from its cell.

    A refusal if the question asks for an extreme, a count, a sum, a difference or an average that is open or not
    computed, or of a row for what no column has. None if the best passage is of a document with other text, or the
    question asks for nothing of the kind.
    """
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    found_in = {one.document for one in evidence.passages}
    read = [one for one in documents if one.id in found_in and is_tabular(one)]
    if best is None or all(one.id != best.document for one in read):
        return None
    question = evidence.question
    asked = asked_of_table(question)
    noun = None if asked else lacking_noun(question, read)
    counts = count_of_rows(question) is not None
    has_rows = asks_rows(question) or asks_beside(question) or asked_of_range(question) is not None
    has_rows = has_rows or asks_change(question) or asks_superlative(without_limit(question))
    if not (asked or noun or asks_cell(question) or counts or has_rows):
        return None
    grids = list(_grids(read, "" if asked or noun or counts or has_rows else question))
    named = _named(question, grids)
    results = [(grid, result) for grid in named if (result := found_in_sheet(question, grid))]
    results = _with_columns(results, len(named))
    fitting = [(grid, result) for grid, result in results if isinstance(result, Found) or result.weight >= _FITS]
    if asked and asked.op is Op.TOTAL and not fitting:
        stated = [(part, one) for part in (grid.of_totals for grid in grids) if (one := stated_total(question, part))]
        results, fitting = (stated, stated) if stated else (results, fitting)
    if len(fitting) == 1 and isinstance(result := fitting[0][1], Found):
        return answer_found(evidence, fitting[0][0], result)
    if noun and not fitting:
        results = [(grid, result) for grid in grids if (result := lacking_column(question, noun, grid))] or results
    reason = _reason(results, fitting)
    if not grids and asked and asked.op is not Op.WITHIN and _has_columns(read):
        reason = _NO_COLUMNS
    return refusal_because(evidence, reason, several=len(documents) > 1) if reason else None


def is_tabular(document: Document) -> bool:
    """Whether nearly all of a document is tables."""
    return sum(one.end - one.start for one in document.tables) > _MOSTLY * len(document.text)


def _grids(documents: Sequence[Document], cell_question: str) -> Iterator[Grid]:
    """The tables of the documents; for the question for a cell only those with a column that it names."""
    for document in documents:
        for parts in whole_tables(document):
            if cell_question and not _names_column(cell_question, document, parts[0]):
                continue
            if (grid := grid_of(document, parts)) and grid.rows:
                yield grid


def _names_column(question: str, document: Document, table: Table) -> bool:
    heads = head_texts(document.text, table)
    chosen = choose(Wording(question), heads, {0})
    return chosen.column is not None or bool(chosen.among)


def _named(question: str, grids: list[Grid]) -> list[Grid]:
    """The tables whose title has most words of the question that not all titles have."""
    asked = {one.meaning for one in tokens(question)}
    titles = [{one.meaning for one in tokens(grid.title)} for grid in grids]
    common = set.intersection(*titles) if titles else set()
    shared = [len(asked & (title - common)) for title in titles]
    most = max(shared, default=0)
    return [grid for grid, n in zip(grids, shared, strict=True) if n == most] if most else grids


def _with_columns(results: list[tuple[Grid, Found | Unknown]], n_tables: int) -> list[tuple[Grid, Found | Unknown]]:
    """The results without those of tables that lack a column, if not all tables lack it."""
    having = [one for one in results if not (isinstance(one[1], Unknown) and one[1].reason.startswith(NO_COLUMN))]
    return results if len(results) - len(having) == n_tables else having


def _has_columns(documents: Sequence[Document]) -> bool:
    return any(table.last_column for document in documents for table in document.tables)


def _reason(results: Sequence[tuple[Grid, Found | Unknown]], fitting: Sequence[tuple[Grid, Found | Unknown]]) -> str:
    """Why there is no answer; empty if the question may be none for a table."""
    titles = list(dict.fromkeys(grid.title.strip() or grid.document.title for grid, _ in fitting))
    if len(titles) > 1:
        columns = dict.fromkeys(head for _, one in fitting if isinstance(one, Unknown) for head in one.columns)
        note = f" or a column, such as {listing(columns)}" if columns else ""
        return f"several tables may answer it: {listing(titles)}; name one{note}"
    unknown = [result for _, result in results if isinstance(result, Unknown)]
    if unknown:
        return max(unknown, key=lambda one: one.weight).reason
    return "several tables may answer it" if results else ""


def answer_found(evidence: Evidence, grid: Grid, found: Found, confidence: float = _CONFIDENCE) -> Answer:
    """The answer with the rows that it was read or computed from cited."""
    rows = [grid.rows[row] for row in found.rows[:MAX_CITED]]
    rows = rows or [grid.table.heads[-1], grid.rows[0], *grid.rows[-1:]]
    spans = dict.fromkeys((one.start, one.end) for one in rows)
    citations = tuple(cite(grid.document, Span(*span)) for span in spans)
    everything = tuple(range(len(citations)))
    text = found.statement or statement_of(grid.document, citations[0].span)
    statement = Statement(text, everything, Support.SUPPORTED if found.statement else Support.QUOTED)
    direct = DirectAnswer(without_markup(found.text), "span" if found.is_read else "computed", confidence, everything)
    return Answer(evidence.question, statement.text, (statement,), citations, evidence, found=True, direct=direct)
