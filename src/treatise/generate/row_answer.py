"""The one value of a table's row that answers, where a reader took several, its head, or the value beside it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from treatise.core.document import Document, Span
from treatise.core.table import row_values, table_within

_WORD: Final = re.compile(r"[^\W\d_]{3,}")
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


def answering_cell(
    question: str, text: str, start: int, end: int, values: Sequence[tuple[str, str]]
) -> tuple[int, int]:
    """The place in the wording of a row of the value that ``[start, end)`` means; itself if it is part of one value.

    Of several values, it is the one whose head has most words of the question. If the question names one head only, and
    not that of the value that was taken, it is the value below that head.
    """
    cells = list(_cells(text, values))[::-1]
    taken = [cell for cell in cells if cell.start < end and start < cell.end]
    if not taken:
        return start, end
    named = [cell for cell in cells if _n_shared(question, cell.head)]
    if len(named) == 1 and named[0] not in taken:
        taken = named
    elif len(taken) == 1 and taken[0].value <= start:
        return start, end
    best = max(taken, key=lambda cell: _n_shared(question, cell.head))
    return best.value, best.end


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


def _n_shared(question: str, head: str) -> int:
    """How many words of the head the question has, in any of their forms."""
    asked = [word.casefold() for word in _WORD.findall(question)]
    heads = [word.casefold() for word in _WORD.findall(head)]
    return sum(any(_is_same(one, other) for other in asked) for one in heads)


def _is_same(one: str, other: str) -> bool:
    n_common = max(_SAME, min(len(one), len(other)) - 1)
    return one == other or (min(len(one), len(other)) >= _SAME and one[:n_common] == other[:n_common])
