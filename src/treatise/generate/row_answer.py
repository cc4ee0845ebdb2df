"""The one value of a table's row that answers, where a reader took several, its head, or the value beside it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.periods import Period, asked_period, period_of
from treatise.core.table import row_values, table_within

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PLANNED: Final = re.compile(r"\b(?:budget(?:ed|s)?|planned|plan|forecast|estimated?|target)\b", re.IGNORECASE)
_ACTUAL: Final = re.compile(r"\b(?:actuals?|outturn|result|spent)\b", re.IGNORECASE)
_PAST: Final = re.compile(r"\b(?:was|were|did|spent|received|paid|cost|earned|raised)\b", re.IGNORECASE)
_SAME: Final = 4  # letters at the start that words share


class _Cell(NamedTuple):
    """A value within the wording of its row, and its place there with its head."""

    head: str
    start: int
    value: int
    end: int


def values_of_row(document: Document, span: Span) -> list[tuple[str, str]]:
    """Heads and values if the span is a row of a table's body; else empty."""
    table = table_within(document.tables, span.start)
    row = table.row_within(span.start, span.end) if table else None
    return row_values(document.text, table, row) if table and row else []


def of_period(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence without the rows whose values are all of other periods than the question's ("fiscal 2022").

    Unchanged if nothing else would be left.
    """
    by_id = {one.id: one for one in documents}
    asked = {one.id: asked_period(evidence.question, one) for one in documents}
    kept = tuple(one for one in evidence.passages if not _is_of_other(one, by_id[one.document], asked[one.document]))
    if not kept or len(kept) == len(evidence.passages):
        return evidence
    return replace(evidence, passages=kept, context="\n\n".join(one.text for one in kept))


def _is_of_other(passage: Passage, document: Document, asked: Period) -> bool:
    values = values_of_row(document, passage.span) if asked else []
    if not values:
        return False
    of_row = period_of(document.self_contained(passage.span.start, passage.span.end))
    known = [_period_below(head, of_row, asked.offset) for head, _ in values]
    return any(known) and all(one and asked.differs(one) for one in known)


def _period_below(head: str, of_row: Period, offset: int) -> Period:
    """The period of a value, whose length may be stated for the whole row ("13 Weeks Ended")."""
    period = period_of(head, offset)
    return period if period.length else replace(period, length=of_row.length)


def answering_cell(
    question: str, text: str, start: int, end: int, values: Sequence[tuple[str, str]], asked: Period | None = None
) -> tuple[int, int]:
    """The place in the wording of a row of the value that ``[start, end)`` means; itself if it is part of one value.

    If one value alone is of the period ``asked``, it is that one. Else, of several values, it is the one whose head has
    most words of the question; if the question names one head only, and not that of the value that was taken, it is the
    value below that head. Of a budget and what came of it, it is the latter unless the question asks for the budget.
    """
    cells = list(_cells(text, values))[::-1]
    taken = [cell for cell in cells if cell.start < end and start < cell.end]
    if not taken:
        return start, end
    if asked and (of_period := _only_of(asked, cells, text)) and of_period not in taken:
        return of_period.value, of_period.end
    named = [cell for cell in cells if n_shared(question, cell.head)]
    if len(named) == 1 and named[0] not in taken:
        taken = named
    elif len(taken) == 1 and taken[0].value <= start and not _actual_of(taken[0], cells, question):
        return start, end
    best = max(taken, key=lambda cell: n_shared(question, cell.head))
    best = _actual_of(best, cells, question) or best
    return best.value, best.end


def _actual_of(planned: _Cell, cells: Sequence[_Cell], question: str) -> _Cell | None:
    """The value that came about, where one that was planned was taken and the question does not ask for a plan.

    None if its head says nothing of a plan, or no other head says the same of what came about.
    """
    if _PLANNED.search(question) or not _PLANNED.search(planned.head) or not _PAST.search(question):
        return None
    rest = _PLANNED.sub("", planned.head).split()
    found = [one for one in cells if _ACTUAL.search(one.head) and _ACTUAL.sub("", one.head).split() == rest]
    return found[0] if len(found) == 1 else None


def _only_of(asked: Period, cells: Sequence[_Cell], text: str) -> _Cell | None:
    """The value that agrees most with a period; None if none does, or several do."""
    of_row = period_of(text)
    agreements = [asked.agreement(_period_below(cell.head, of_row, asked.offset)) for cell in cells]
    best = max(agreements)
    return cells[agreements.index(best)] if best > 0 and agreements.count(best) == 1 else None


def _cells(text: str, values: Sequence[tuple[str, str]]) -> Iterator[_Cell]:
    """The values in the wording of their row, from the last; it ends where the wording differs."""
    at = len(text)
    for head, value in reversed(values):
        wording = f"{head}: {value}" if head else value
        start = text.rfind(wording, 0, at)
        if start < 0:
            return
        yield _Cell(head, start, start + len(wording) - len(value), start + len(wording))
        at = start


def n_shared(question: str, head: str) -> int:
    """How many words of the head the question has, in any of their forms."""
    asked = [word.casefold() for word in _WORD.findall(question)]
    heads = [word.casefold() for word in _WORD.findall(head)]
    return sum(any(_is_same(one, other) for other in asked) for one in heads)


def _is_same(one: str, other: str) -> bool:
    n_common = max(_SAME, min(len(one), len(other)) - 1)
    return one == other or (min(len(one), len(other)) >= _SAME and one[:n_common] == other[:n_common])
