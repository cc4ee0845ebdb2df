"""Finds glossaries on a page: terms at the left, and beside each the lines of its definition."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from treatise.ingest.pdf_words import Word

_MIN_ROWS = 5
_MIN_TERMS = 3
_MIN_BESIDE = 0.8  # share of the rows with a term that also have a part of its definition
_MAX_TERMS = 0.75  # share of the rows that have a term
_MIN_ALONE = 0.3  # share of the terms below which the next row has none
_MIN_CONTINUED = 0.7  # share of the definitions that go on where the term ends: "means …"
_GAP = 1.3  # distance of two entries, in distances of lines
_GUTTER_PT = 6.0

_WORD = re.compile(r"[^\W\d_]{4}|[^\W\d_]{3}\W*$|^[“\"«„]")
_ENDS = (".", ";", "!", "?")

_Rows = Sequence[list[Word]]


def parts_terms(rows: _Rows, x: float) -> bool:
    """Whether terms stand left of ``x`` beside the first lines of their definitions, which are longer.

    Definitions are in lower case, and read as one sentence with their terms: others may be the cells of a table.
    """
    sides = [(row[0].x0 <= x, row[-1].x0 > x) for row in rows]
    n_terms = sum(term for term, _ in sides)
    n_beside = sum(term and text for term, text in sides)
    n_alone = sum(term and not below for (term, _), (below, _) in pairwise(sides))
    is_sparse = _MIN_TERMS <= n_terms <= _MAX_TERMS * sum(text for _, text in sides)
    is_beside = n_beside >= _MIN_BESIDE * n_terms and n_alone >= _MIN_ALONE * n_terms
    return is_sparse and is_beside and _goes_on(rows, x)


def glossary_parts(rows: list[list[Word]]) -> Iterator[list[list[Word]]]:
    """The rows without glossaries as they are; of a glossary each entry, its definition after its term."""
    found = _glossary(rows)
    if found is None:
        yield rows
        return
    first, last, x = found
    if first:
        yield from glossary_parts(rows[:first])
    yield from (_joined(entry, x) for entry in _entries(rows[first:last], x))
    if last < len(rows):
        yield from glossary_parts(rows[last:])


def _glossary(rows: list[list[Word]]) -> tuple[int, int, float] | None:
    """The longest run of rows that are a glossary, half open, and where its definitions begin."""
    starts = sorted({round(b.x0) for row in rows for a, b in pairwise(row) if b.x0 - a.x1 >= _GUTTER_PT})
    found = [(last - first, first, last, x - 1.0) for x in starts for first, last in _runs(rows, x - 1.0)]
    best = max(found, default=None)
    return best[1:] if best else None


def _runs(rows: list[list[Word]], x: float) -> Iterator[tuple[int, int]]:
    """The runs of rows that no word crosses ``x`` in and that are glossaries."""
    crossed = [any(word.x0 <= x < word.x1 for word in row) for row in rows]
    edges = [-1, *(at for at, one in enumerate(crossed) if one), len(rows)]
    for before, after in pairwise(edges):
        run = rows[before + 1 : after]
        if len(run) >= _MIN_ROWS and parts_terms(run, x):
            yield before + 1, after


def _goes_on(rows: _Rows, x: float) -> bool:
    """Whether nearly all definitions begin in lower case."""
    firsts = [entry[0] for entry in _entries(rows, x) if entry[0][0].x0 <= x < entry[0][-1].x0]
    goes_on = [_is_term([word for word in row if word.x0 <= x]) and _first(row, x).text[0].islower() for row in firsts]
    return len(firsts) >= _MIN_TERMS and sum(goes_on) >= _MIN_CONTINUED * len(firsts)


def _first(row: list[Word], x: float) -> Word:
    return next(word for word in row if word.x0 > x)


def _is_term(words: list[Word]) -> bool:
    """Whether it has a word, and is no item's mark such as "(iii)"."""
    return any(_WORD.search(word.text) for word in words)


def _joined(entry: _Rows, x: float) -> list[list[Word]]:
    """The rows of an entry, with all lines of its term before the first line of the definition."""
    term = [word for row in entry for word in row if word.x0 <= x]
    first, *others = [words for row in entry if (words := [word for word in row if word.x0 > x])] or [[]]
    return [term + first, *others]


def _entries(rows: _Rows, x: float) -> list[list[list[Word]]]:
    """The rows of each entry: it begins with a term that is not the next line of the one above."""
    pitch = median(above[0].y - below[0].y for above, below in pairwise(rows))
    entries: list[list[list[Word]]] = []
    before: list[Word] = []
    for row in rows:
        is_term = row[0].x0 <= x
        is_near = before and before[0].x0 <= x and before[0].y - row[0].y < _GAP * pitch
        goes_on = is_near and not before[-1].text.endswith(_ENDS)
        if not entries or (is_term and not goes_on):
            entries.append([])
        entries[-1].append(row)
        before = row
    return entries
