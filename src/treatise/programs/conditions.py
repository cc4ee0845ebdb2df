"""Which rows a question may mean: sets of rows by one condition each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.programs.cells import MISSING, MONTHS, month_of, years_of
from treatise.programs.question import STOP, Question
from treatise.programs.sheet import Column, Kind, Sheet
from treatise.programs.vectors import WordVectors

_MAX_CONDITIONS: Final = 20
_MAX_ROWS_COMPARED: Final = 80
"""Rows of a table whose words are compared by their vectors."""
_LEAST_LIKENESS: Final = 0.38
_LIKE_BEST: Final = 0.05
_WORDS_COMPARED: Final = 6
_LEAST_STEM: Final = 4
_SURE_STEM: Final = 5
_ENDING: Final = (2, 3)
"""Letters by which a cell's word and a question's may differ after four that they share."""
_YEARS: Final = (1000, 2100)
_FEW_VALUES: Final = 6
_SAME_DAY: Final = 1e-9
_MONTH: Final = 1 / 12
_RANGES: Final = lazy_pattern(r"between|from|through|\d\s?[-–]\s?\d")
_LACKING: Final = lazy_pattern(
    r"\b(?:no|not|without|blank|missing|still|yet|never|none|zero|free|t|nobody|nothing|empty|unknown|open|outstanding)\b"
)
_OF_NO_CELL: Final = lazy_pattern(
    r"(?:\w+est|most|least|more|less|fewer|best|worst|first|last|average|total|altogether|together|different|number|money"
    r"|people|things|list|many|much|long|costs?)$"
)
"""Words that are compared with no cell by their meaning."""
_YES: Final = frozenset(("yes", "y", "x", "true", "✓", "✔", "ja", "oui", "si", "done"))
_NO: Final = frozenset(("no", "n", "false", "✗", "nein", "non"))
_SEXES: Final = {
    **dict.fromkeys(("women", "woman", "female", "females"), "fw"),
    **dict.fromkeys(("girls", "girl"), "fgw"),
    "ladies": "fwl",
    **dict.fromkeys(("men", "man", "male", "males"), "m"),
    **dict.fromkeys(("boys", "boy"), "mb"),
}
"""Letters by which cells say who is meant."""

Values = Mapping[int, float]


class How(StrEnum):
    """How rows are meant."""

    ALL = "all"
    WHOLE = "whole"
    """All words of a cell."""
    NUMBER = "number"
    """A number that a cell of numbers is."""
    PART = "part"
    """Some words of a cell."""
    STEM = "stem"
    """A word with the same beginning."""
    LIKE = "like"
    """A word of like meaning."""
    BOUND = "bound"
    WITHIN = "within"
    EQUAL = "equal"
    DATE = "date"
    MONTH = "month"
    YES = "yes"
    NO = "no"
    BLANK = "blank"
    ZERO = "zero"
    BOTH = "both"
    THREE = "three"
    EITHER = "either"
    ANY = "any"
    OTHERS = "others"
    SAME = "same"

    @property
    def is_of_values(self) -> bool:
        """Whether values are compared, so that the column itself may be asked for too."""
        return self in (How.BOUND, How.WITHIN, How.EQUAL)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that a question may mean.

    Attributes:
        rows: Which, from 0.
        how: By what condition.
        name: The condition as features name it: with its sign, or those of its parts.
        columns: The columns that the condition is on.
        covered: The tokens of the question that it explains.
        weight: How much speaks for it, to choose among many.
        sign: Of a bound.
        limits: The number of the bound, or the two between which values lie.
        parts: The conditions that it joins, or denies.
    """

    rows: frozenset[int]
    how: How
    name: str
    columns: tuple[int, ...] = ()
    covered: frozenset[int] = frozenset()
    weight: float = 0.0
    sign: str = ""
    limits: tuple[float, ...] = ()
    parts: tuple["Rows", ...] = field(default=(), repr=False)

    @property
    def is_wanted(self) -> bool:
        """Whether it says something even if it has no row."""
        return bool(self.rows) or self.how.is_of_values


def conditions(question: Question, sheet: Sheet, vectors: WordVectors) -> list[Rows]:
    """The conditions on one column each that the words of a question may mean, the likeliest first."""
    found = _wholes(question, sheet)
    found += _parts(question, sheet, found)
    for column in sheet.keys:
        found += _on_numbers(question, column, found)
        found += _within(question, column)
    taken = frozenset().union(*(one.covered for one in found))
    for column in sheet.columns:
        found += _yes_or_no(question, column)
        found += _of_sex(question, column, found)
    for at in question.content:
        if at not in taken and not _OF_NO_CELL.match(question.words[at]):
            found += _like_words(question, at, sheet, vectors)
    for column in sheet.keys:
        found += _on_dates(question, column, found)
    if question.has(_LACKING):
        found += [one for column in sheet.columns for one in _lacking(question, column)]
    return sorted(found, key=lambda one: -one.weight)[:_MAX_CONDITIONS]


# --- words of cells -------------------------------------------------------------------------------------------------


def _wholes(question: Question, sheet: Sheet) -> list[Rows]:
    """Cells of which the question has all words; of several in a column within each other, the longest."""
    words, places = question.words, []
    for first in range(len(words)):
        for last in range(first + 1, min(len(words), first + sheet.longest) + 1):
            run = tuple(words[first:last])
            if len(run) > 1 or run[0] not in STOP:
                places += [(first, last, at, rows) for at, rows in sheet.whole.get(run, {}).items()]
    found = []
    for first, last, at, rows in places:
        if not any(a <= first and last <= b and b - a > last - first for a, b, other, _ in places if other == at):
            is_number = all(one[0].isdigit() for one in words[first:last])
            how = How.NUMBER if is_number and sheet.columns[at].kind is Kind.NUMBER else How.WHOLE
            weight = last - first + (0.7 if is_number else 1.5)
            found.append(Rows(frozenset(rows), how, how, (at,), frozenset(range(first, last)), weight))
    return found


def _parts(question: Question, sheet: Sheet, wholes: list[Rows]) -> list[Rows]:
    """Cells that have a run of the question's words, by column; the longest run that a cell has."""
    found = []
    for column in sheet.columns:
        if column.kind is Kind.NUMBER:
            continue
        rows_of = [
            sheet.stems.get(stem, {}).get(column.at, set()) if word not in STOP else set[int]()
            for word, stem in zip(question.words, question.stems, strict=True)
        ]
        for covered, rows in _runs(question, rows_of):
            is_known = any(one.columns == (column.at,) and covered <= one.covered for one in wholes)
            is_head = all(question.stems[at] in column.head_stems for at in covered)
            if not (is_known or is_head) and (len(rows) < sheet.n_rows or sheet.n_rows == 1):
                found.append(Rows(frozenset(rows), How.PART, How.PART, (column.at,), covered, 0.8 * len(covered)))
    return found


def _runs(question: Question, rows_of: list[set[int]]) -> Iterator[tuple[frozenset[int], set[int]]]:
    """Runs of tokens that some rows have together, over single light words, and these rows."""
    at, n = 0, len(rows_of)
    while at < n:
        if not rows_of[at]:
            at += 1
            continue
        rows, covered, end = set(rows_of[at]), {at}, at + 1
        while end < n:
            next_ = end if rows_of[end] else end + 1
            is_open = next_ < n and (next_ == end or question.words[end] in STOP)
            if not (is_open and rows & rows_of[next_]):
                break
            rows &= rows_of[next_]
            covered.add(next_)
            end = next_ + 1
        yield frozenset(covered), rows
        at = end


def _like_words(question: Question, at: int, sheet: Sheet, vectors: WordVectors) -> Iterator[Rows]:
    """Cells with a word that begins like the token, or, if there are none, is like it in meaning."""
    word = question.words[at]
    if len(word) < _LEAST_STEM or word[0].isdigit():
        return
    texts = [column for column in sheet.columns if column.kind is Kind.TEXT]
    has_stem = False
    for column in texts:
        rows = frozenset(row for row, words in enumerate(column.words) if any(_same_stem(word, one) for one in words))
        has_stem = has_stem or bool(rows)
        if 0 < len(rows) < sheet.n_rows:
            yield Rows(rows, How.STEM, How.STEM, (column.at,), frozenset([at]), 0.75)
    is_head = any(question.stems[at] in column.head_stems for column in sheet.columns)
    if has_stem or is_head or sheet.n_rows > _MAX_ROWS_COMPARED:
        return
    alike = [(likeness, column.at, row) for column in texts for likeness, row in _alike(word, column, vectors)]
    best = max((likeness for likeness, _, _ in alike), default=0.0)
    for column_at in sorted({one for likeness, one, _ in alike if likeness > best - _LIKE_BEST}):
        rows = frozenset(row for likeness, one, row in alike if one == column_at and likeness > best - _LIKE_BEST)
        if len(rows) < sheet.n_rows:
            name = f"{How.LIKE}{min(3, int((best - _LEAST_LIKENESS) * 12))}"
            yield Rows(rows, How.LIKE, name, (column_at,), frozenset([at]), 0.3 + best / 2)


def _same_stem(word: str, other: str) -> bool:
    """Whether two words differ in their endings alone: "packers" and "packing"."""
    if len(other) < _LEAST_STEM or other[:_LEAST_STEM] != word[:_LEAST_STEM]:
        return False
    same = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    is_short = len(other) - same <= _ENDING[0] and len(word) - same <= _ENDING[1]
    return same >= _SURE_STEM or is_short or same == len(other)


def _alike(word: str, column: Column, vectors: WordVectors) -> Iterator[tuple[float, int]]:
    vector = vectors.vector(word)
    for row, words in enumerate(column.words):
        compared = [one for one in words[:_WORDS_COMPARED] if len(one) > 2 and not one[0].isdigit()]
        likeness = max((float(vector @ vectors.vector(one)) for one in compared), default=0.0)
        if likeness > _LEAST_LIKENESS:
            yield likeness, row


def _of_sex(question: Question, column: Column, known: list[Rows]) -> Iterator[Rows]:
    """Rows of women or men, whose cells have a letter for it."""
    if len({column.plain[row] for row in column.filled}) > _FEW_VALUES:
        return
    for at, word in enumerate(question.words):
        letters = _SEXES.get(word)
        if letters is None or any(one.columns == (column.at,) and at in one.covered for one in known):
            continue
        rows = frozenset(row for row, text in enumerate(column.plain) if _says_sex(text, word, letters))
        if rows:
            yield Rows(rows, How.STEM, How.STEM, (column.at,), frozenset([at]), 1.2)


def _says_sex(text: str, word: str, letters: str) -> bool:
    is_letter = len(text) == 1 and text in letters
    return text == word or is_letter or (text in ("female", "male") and text[0] in letters)


# --- what a cell lacks ----------------------------------------------------------------------------------------------


def _yes_or_no(question: Question, column: Column) -> Iterator[Rows]:
    """Rows with and without a mark, in a column of marks."""
    filled = {column.plain[row] for row in column.filled}
    if not filled or not filled <= _YES | _NO or len(set(column.plain)) < 2:
        return
    marked = frozenset(row for row, text in enumerate(column.plain) if text in _YES)
    covered = frozenset(at for at in question.content if question.stems[at] in column.head_stems)
    if marked:
        yield Rows(marked, How.YES, How.YES, (column.at,), covered, 0.8 + len(covered))
    if unmarked := frozenset(range(len(column.cells))) - marked:
        yield Rows(unmarked, How.NO, How.NO, (column.at,), covered, 0.7 + len(covered))


def _lacking(question: Question, column: Column) -> Iterator[Rows]:
    covered = frozenset(at for at, one in enumerate(question.words) if _LACKING.fullmatch(one))
    blank = frozenset(row for row, text in enumerate(column.plain) if text in MISSING)
    if 0 < len(blank) < len(column.cells):
        yield Rows(blank, How.BLANK, How.BLANK, (column.at,), covered, 0.7)
    zero = frozenset() if column.is_of_dates else frozenset(row for row, one in column.values.items() if one == 0)
    if 0 < len(zero) < len(column.cells):
        yield Rows(zero, How.ZERO, How.ZERO, (column.at,), covered, 0.7)


# --- numbers and dates ----------------------------------------------------------------------------------------------


def _on_numbers(question: Question, column: Column, known: list[Rows]) -> Iterator[Rows]:
    """Rows whose value is a number of the question, or within the bound that it is."""
    for number in question.numbers:
        if column.is_of_dates and not _YEARS[0] <= number.value <= _YEARS[1]:
            continue
        covered = frozenset([number.at])
        signs = question.bounds(number.at)
        size = 1.0 if column.is_of_dates else 0.0
        for sign in sorted(signs):
            yield _bounded(column, sign, number.value, size, covered, 1.5)
        if not signs:
            rows = _where(column.values, lambda x, low=number.value, size=size: low <= x < low + (size or _SAME_DAY))
            is_known = any(one.columns == (column.at,) and one.rows == rows for one in known)
            if rows and not is_known:
                name = f"={'d' * column.is_of_dates}"
                yield Rows(rows, How.EQUAL, name, (column.at,), covered, 0.6)


def _bounded(column: Column, sign: str, value: float, size: float, covered: frozenset[int], weight: float) -> Rows:
    """Rows within a bound; ``size`` is how long the year or day is that the bound is."""
    holds: dict[str, Callable[[float], bool]] = {
        ">": lambda x: x >= value + size if size else x > value,
        ">=": lambda x: x >= value,
        "<": lambda x: x < value,
        "<=": lambda x: x < value + size if size else x <= value,
    }
    rows = _where(column.values, holds[sign])
    return Rows(rows, How.BOUND, f"{sign}{'d' * column.is_of_dates}", (column.at,), covered, weight, sign, (value,))


def _within(question: Question, column: Column) -> Iterator[Rows]:
    """Rows between two numbers of the question, both included."""
    digits = [one for one in question.numbers if one.has_digits]
    if len(digits) < 2 or not question.has(_RANGES):
        return
    for a, b in combinations(digits, 2):
        low, high = sorted((a.value, b.value))
        if not column.is_of_dates or _YEARS[0] <= low <= _YEARS[1]:
            size = 1.0 if column.is_of_dates else _SAME_DAY
            rows = _where(column.values, lambda x, low=low, end=high + size: low <= x < end)
            name = f"{How.WITHIN}{'d' * column.is_of_dates}"
            yield Rows(rows, How.WITHIN, name, (column.at,), frozenset([a.at, b.at]), 2.0, "", (low, high))


def _on_dates(question: Question, column: Column, known: list[Rows]) -> Iterator[Rows]:
    """Rows of a date or month that the question has, however it is written, or before or after it."""
    if column.kind is not Kind.DATE:
        return
    for first, last, iso in question.dates:
        covered, value, is_day = frozenset(range(first, last)), years_of(iso), iso.count("-") > 1
        end = value + (2 * _SAME_DAY if is_day else _MONTH - _SAME_DAY)
        rows = _where(column.values, lambda x, low=value - _SAME_DAY, end=end: low <= x < end)
        is_known = any(o.columns == (column.at,) and o.rows == rows and o.how is How.WHOLE for o in known)
        if rows and not is_known:
            yield Rows(rows, How.DATE, f"{How.DATE}{iso.count('-')}", (column.at,), covered, 1.5 + last - first)
        for sign in sorted(question.bounds(first)):
            yield _bounded(column, sign, value, 2 * _SAME_DAY, covered, 1.7 + last - first)
    for at, word in enumerate(question.words):
        is_free = word in MONTHS and not any(o.columns == (column.at,) and at in o.covered for o in known)
        if is_free and (rows := _where(column.values, lambda x, word=word: month_of(x) == MONTHS.index(word))):
            yield Rows(rows, How.MONTH, How.MONTH, (column.at,), frozenset([at]), 1.2)


def _where(values: Values, holds: Callable[..., bool]) -> frozenset[int]:
    return frozenset(row for row, value in values.items() if holds(value))
