"""Where the cells of a table are, by the words with which a question names them."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.column import Column
from treatise.generate.tabular.words import tokens

Places = dict[tuple[str, ...], list[tuple[int, int]]]
"""Rows and columns of cells by the words that name them."""

_SIZED: Final = lazy_pattern(
    r"(?P<name>[^\W\d_][^\d()]*?),?\s(?:[^\W\d_]{1,3}[ -]?)?\d[\w.,×/-]*(?:\s?[^\W\d_]{1,4}\.?)?", re.IGNORECASE
)
_LEAST_LETTERS: Final = 4


def places_of_words(columns: Mapping[int, Column], label: int | None, heads: Iterable[str]) -> Places:
    """Row and column of each cell by its words; of the names of rows, those in ``label``, by parts of them too.

    ``heads`` are those of all columns: no part of a name that one of them has names a row.
    """
    found: Places = {}
    for at, column in columns.items():
        ways: dict[str, Iterable[tuple[str, ...]]] = {}  # cells of a column are equal more often than not
        for row, text in enumerate(column.cells):
            if text not in ways:
                ways[text] = _ways(text, is_label=at == label)
            for words in ways[text]:
                found.setdefault(words, []).append((row, at))
    if label is None:
        return found
    return {**_without_sizes(columns[label].cells, label, heads), **found}


def _without_sizes(names: Iterable[str], label: int, heads: Iterable[str]) -> Places:
    """The only row whose name is words before a size or a number, by these: "Wood glue" for "Wood glue 750 g"."""
    found: Places = {}
    of_heads = {one.meaning for head in heads for one in tokens(head)}
    for row, name in enumerate(names):
        match = _SIZED.fullmatch(name)
        before = tokens(match["name"]) if match else []
        if before and of_heads.isdisjoint(one.meaning for one in before):
            found.setdefault(tuple(one.text for one in before), []).append((row, label))
    return {words: rows for words, rows in found.items() if len(rows) == 1 and len("".join(words)) >= _LEAST_LETTERS}


def places_of_numbers(columns: Mapping[int, Column]) -> Places:
    """Row and column of each whole number, by the head of its column before or after it: "floor 2" and "5 users"."""
    found: Places = {}
    for at, column in columns.items():
        if before := tuple(one.text for one in tokens(column.head)):
            for row, text in enumerate(column.cells):
                if text.isdigit():
                    for words in ((*before, text), (text, *before)):
                        found.setdefault(words, []).append((row, at))
    return found


def _ways(text: str, *, is_label: bool) -> Iterable[tuple[str, ...]]:
    whole = tuple(one.text for one in tokens(text))
    first, comma, last = text.partition(",")
    short = tuple(one.text for one in tokens(first)) if is_label and comma else ()
    is_name = short and last.strip() and not any(map(str.isdigit, text)) and "," not in last
    turned = (*(one.text for one in tokens(last)), *short) if is_name else ()  # "Berg, Anna" is "Anna Berg"
    return {words for words in (whole, short, turned) if words and (len("".join(words)) > 1 or text.isupper())}
