"""Columns that a question asks for and no table has: the mascot of a team in a list of teams and stadiums."""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.table import head_texts
from treatise.generate.tabular.asked import compares, is_bare
from treatise.generate.tabular.column import OF_TIMES
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ALL, ENGLISH
from treatise.generate.tabular.named import named_cells
from treatise.generate.tabular.result import NO_COLUMN, Unknown, listing
from treatise.generate.tabular.words import Head, Token, Wording, light_of, tokens

_NOUN: Final = r"(?P<noun>[\w-]+(?: [\w-]+){0,2}?)"
_OF_OWNER: Final = lazy_pattern(rf"\s*(?:{ALL.owned_value}){_NOUN} (?:{ALL.of})\b", re.I)
_AFTER_OWNER: Final = lazy_pattern(rf"\s*(?:{ENGLISH.value}|name|find)\b.*?(?:['’]s|s['’])\s+{_NOUN}\s*[?.!]*$", re.I)
_BARE_OF: Final = lazy_pattern(rf"\s*(?:(?:{ALL.articles}) )?{_NOUN} (?:{ALL.of})\b", re.I)
_BEFORE_OWNER: Final = lazy_pattern(
    rf"\s*(?:(?P<many>{ALL.how_many}|{ALL.how_much})|{ALL.which}) {_NOUN} "
    rf"(?:{ALL.did}|(?(many)(?:is|are|was|were)\b|(?!)))\b",
    re.I,
)
_WHEN: Final = lazy_pattern(rf"\s*(?:since |until )?(?:{ALL.when})\b", re.I)
_VAGUE: Final = frozenset(ALL.vague.split("|"))
"""Words that a column may mean without having them, or that name none."""
_TIMES: Final = frozenset(("year", "years"))
_ASKS_SHARE: Final = lazy_pattern(
    rf"\s*(?:{ALL.which}|{ALL.how_many}|{ALL.how_much}) (?:{ALL.percent}|share|proportion)\b", re.I
)
_OF_SHARES: Final = lazy_pattern(
    rf"%|\b(?:{ALL.percent}|pct|shares?|proportions?|rates?|ratios?|fractions?|quota|per)\b", re.I
)
_STEM: Final = 4
_ENDING: Final = 3


@dataclass(frozen=True, slots=True)
class Noun:
    """What a question asks for, of which no table says anything.

    Attributes:
        text: As the question has it.
        start, end: Its place there.
        may_be_rows: Whether the rows may be called so: "Which song did Ida write?" names no row of songs.
    """

    text: str
    start: int
    end: int
    may_be_rows: bool


def lacking_noun(question: str, documents: Sequence[Document]) -> Noun | None:
    """What the question asks for, if a word of it is in no text or head of the documents; else None."""
    if compares(question):
        return None
    is_phrase = is_bare(question)
    bare = _BARE_OF.match(question) if is_phrase else None
    owned = _OF_OWNER.match(question) or _AFTER_OWNER.match(question) or bare
    match = owned or _BEFORE_OWNER.match(question)
    if match is None:
        return _lacking_at_edge(question, documents) if is_phrase else None
    start, end = match.span("noun")
    light = light_of(question)
    words = [one for one in tokens(question) if start <= one.start < end and not _is_vague(one, light)]
    are_unknown = [_is_unknown(one, documents) for one in words]
    if not any(are_unknown) or (bare and not are_unknown[-1]):  # "Estimated population of Rome?" has a column
        return None
    may_be_rows = owned is None and not match["many"]
    return Noun(question[words[0].start : words[-1].end], start, end, may_be_rows)


def _lacking_at_edge(question: str, documents: Sequence[Document]) -> Noun | None:
    """The last words of "Texas gross income", or the first of "income Texas", if no text or head has them."""
    words = tokens(question)
    light = light_of(question)
    are_missing = [not _is_vague(one, light) and _is_unknown(one, documents) for one in words]
    n_known = sum(not one for one in are_missing)
    if not 0 < n_known < len(words):
        return None
    for first, last in ((n_known, len(words)), (0, len(words) - n_known)):
        if all(are_missing[first:last]):
            start, end = words[first].start, words[last - 1].end
            return Noun(question[start:end], start, end, may_be_rows=False)
    return None


def lacking_column(question: str, noun: Noun, grid: Grid) -> Unknown | None:
    """A refusal if the question names a row of the table, and besides what it asks for no column of values."""
    wording = Wording(question)
    named = named_cells(wording, grid)
    used = [at for at, _ in named.order] if noun.may_be_rows else named.used
    is_of_row = any(not noun.start <= wording.tokens[at].start < noun.end for at in used)
    if not is_of_row and not _names_code(question, grid):
        return None
    if _names_column(wording, noun, grid):
        return None
    heads = listing(head for _, head in sorted(grid.heads.items()))
    return Unknown(f"{NO_COLUMN} “{noun.text}”, but {heads}", 2)


def lacking_percentage(question: str, grid: Grid) -> Unknown | None:
    """A refusal if a question asks for a percentage, and the table has none: no sign, no word, no fractions of 1."""
    if not _ASKS_SHARE.match(question):
        return None
    texts = (grid.title, *grid.heads.values(), *(one for cells in grid.cells for one in cells.values()))
    numbers = [one.values.by_row.values() for one in grid.columns.values() if one.values.by_row]
    if any(map(_OF_SHARES.search, texts)) or any(min(one) >= 0 and max(one) <= 1 for one in numbers):
        return None
    return Unknown(f"{NO_COLUMN} of percentages, but {listing(head for _, head in sorted(grid.heads.items()))}", 3)


def _names_column(wording: Wording, noun: Noun, grid: Grid) -> bool:
    """Whether other words than the noun name a column: the year of "What year was the song written?", or "when" one of
    times.
    """
    others = [one for one in wording.tokens if not (noun.start <= one.start < noun.end or one.is_number)]
    strong = [one for one in others if one.text not in wording.light - _TIMES]
    asks_time = _WHEN.match(wording.text) is not None
    heads = [text for column, text in grid.heads.items() if column != grid.label]
    return any((asks_time and OF_TIMES.search(text)) or any(map(Head(text).means, strong)) for text in heads)


def _names_code(question: str, grid: Grid) -> bool:
    """Whether the question has the code of a row."""
    first = min(grid.heads)
    codes = [grid.cell(row, first) for row in range(len(grid.rows))] if grid.columns[first].is_code else []
    return any(one in question and re.search(rf"(?<!\w){re.escape(one)}(?!\w)", question) for one in codes if one)


def _is_vague(token: Token, light: Container[str]) -> bool:
    return token.is_number or token.text in light or token.text in _VAGUE


def _is_unknown(token: Token, documents: Sequence[Document]) -> bool:
    stem = token.text[: max(_STEM, len(token.text) - 2)]
    pattern = re.compile(rf"\b{re.escape(stem)}\w{{0,{_ENDING}}}\b|_{re.escape(stem)}", re.IGNORECASE)
    heads = {head for one in documents for table in one.tables for head in head_texts(one.text, table).values()}
    is_in_text = any(pattern.search(f"{one.title} {one.source} {one.text}") for one in documents)
    return not is_in_text and not any(Head(head).means(token) for head in heads)
