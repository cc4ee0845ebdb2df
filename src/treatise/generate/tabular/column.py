"""A column of a table, and what its head and cells say it is of."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from treatise.core.dates import first_dates, month_number, without_dates
from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import currencies_in
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.numbers import TIME, Values, is_free, is_missing, read_values
from treatise.generate.tabular.scales import scale_stated, unit_and_scale

_YEAR: Final = lazy_pattern(r"(?:1[5-9]|20)\d\d")
_OF_RANKS: Final = lazy_pattern(
    r"\b(?:rank|ranking|position|place|pick|pos|no(?!\W+\w)|seed|codes?|id|charts?)\b|#$|^#", re.IGNORECASE
)
"""Heads of columns that number the rows."""
_OF_CODES: Final = lazy_pattern(rf"\b(?:{ALL.of_codes})", re.IGNORECASE)
"""Heads of columns of numbers that nobody adds, such as those of telephones."""
OF_TIMES: Final = lazy_pattern(rf"\b(?:{ALL.of_times})\b", re.IGNORECASE)
"""Heads of columns of times."""
_OF_STATES: Final = lazy_pattern(r"\b(?:temp(?:erature)?s?|cumulative|running total)\b", re.IGNORECASE)
"""Heads of columns of numbers of which each says how something stood at a time or place."""
_OF_AVERAGES: Final = lazy_pattern(ALL.of_averages, re.IGNORECASE)
"""Heads of columns whose sum says nothing."""
_TIME: Final = lazy_pattern(r"[\sT]*(?:\d\d?:\d\d(?::\d\d(?:\.\d+)?)?Z?)?")
_COUNTED: Final = lazy_pattern(r"\W*\d")
_LETTERS: Final = lazy_pattern(r"[^\W\d_]{2}")
_LETTER: Final = lazy_pattern(r"[^\W\d_][+−-]?")
_CODE: Final = lazy_pattern(
    r"[^\W\d_]{1,4}[ ./-]?\d[\w./-]*(?: \d{4})?|\d{4}[ ./-]?[^\W\d_]{1,2}\d{1,2}|\d+(?:[/-]\d+)+", re.IGNORECASE
)
_MOSTLY: Final = 0.6
_LEAST_DIGITS: Final = 3


@dataclass(frozen=True, eq=False)
class Column:
    """A column without the rows of totals.

    Attributes:
        head: What stands over it.
        cells: The text of each row; empty if blank.
        is_first: Whether no other column of the table comes before it.
        caption: The title of the table, which may state a scale.
    """

    head: str
    cells: Sequence[str] = field(repr=False)
    is_first: bool = False
    caption: str = field(default="", repr=False)

    @cached_property
    def values(self) -> Values:
        """Its numbers; what is free of charge costs 0 below a head that names a currency."""
        is_of_money = bool(currencies_in(self.head))
        return read_values({row: "0" if is_of_money and is_free(text) else text for row, text in enumerate(self.cells)})

    @property
    def unit(self) -> str:
        """What stands beside its numbers, without a scale."""
        return unit_and_scale(self.values.unit)[0]

    @cached_property
    def scale(self) -> float:
        """What 1 stands for in it: 1,000 below "Population (thousands)"; a caption states it of amounts alone."""
        stated = (unit_and_scale(self.values.unit)[1], scale_stated(self.plain_head))
        own = next((one for one in stated if one != 1.0), 1.0)
        return scale_stated(self.caption) if own == 1.0 and self.is_summable else own

    @cached_property
    def dates(self) -> dict[int, str]:
        """The date of each row in ISO 8601, or its month or year; empty if a cell is anything else.

        Of a date whose day and month no other cell tells apart, only the year.
        """
        filled = {row: text for row, text in enumerate(self.cells) if not is_missing(text)}
        if not all(_YEAR.fullmatch(one) or _TIME.fullmatch(without_dates(one)) for one in filled.values()):
            return {}
        found = dict(zip(filled, first_dates(list(filled.values())), strict=True))
        may_be_amounts = self.is_of_years and not (self.is_first or OF_TIMES.search(self.plain_head))
        return {} if may_be_amounts or not all(found.values()) else found

    @cached_property
    def months(self) -> dict[int, int]:
        """The month of each row, from 1, if all cells are names of months."""
        found = {row: month_number(text) for row, text in enumerate(self.cells)}
        return found if found and all(found.values()) else {}

    @cached_property
    def plain_head(self) -> str:
        """Its head with spaces for underscores."""
        return self.head.replace("_", " ")

    @cached_property
    def is_of_ranks(self) -> bool:
        """Whether it numbers the rows by its head, such as "No." and "Rank"."""
        return _OF_RANKS.search(self.plain_head) is not None

    @cached_property
    def is_of_averages(self) -> bool:
        """Whether its head is of shares or averages, whose sum says nothing."""
        return _OF_AVERAGES.search(self.plain_head) is not None

    @cached_property
    def is_of_states(self) -> bool:
        """Whether its head is of temperatures or running totals, whose sum says nothing."""
        return _OF_STATES.search(self.plain_head) is not None

    @property
    def is_never_added(self) -> bool:
        """Whether its head is of shares, averages, temperatures or running totals."""
        return self.is_of_averages or self.is_of_states

    @cached_property
    def numbers_rows(self) -> bool:
        """Whether its numbers are ranks, codes or years, which are not added."""
        has_head_of_codes = self.is_of_ranks or _OF_CODES.search(self.plain_head) is not None
        return has_head_of_codes or self.is_key or self.is_of_years

    @cached_property
    def is_key(self) -> bool:
        """Whether it is the first column, and no two of its cells are the same: it numbers or names the rows."""
        return self.is_first and len(set(self.cells)) == len(self.cells)

    @cached_property
    def is_of_codes(self) -> bool:
        """Whether most cells are codes such as "Q1", "R-101" and "2024-17", and no amounts or dates."""
        return self._is_mostly(_CODE.fullmatch) and bool(self.values.problem) and not self.dates

    @cached_property
    def is_numbered(self) -> bool:
        """Whether the cells are numbers of the rows, such as years, and measure nothing."""
        return self.is_code and all(map(str.isdigit, self.cells))

    @cached_property
    def is_code(self) -> bool:
        """Whether it numbers the rows or has a code for each."""
        return self.is_of_ranks or (self.is_key and (self.is_of_codes or not self.is_counted or _are_codes(self.cells)))

    @cached_property
    def is_summable(self) -> bool:
        """Whether it is of numbers that may be added: no codes, ranks, years, times, shares or averages."""
        is_amount = not self.values.problem and self.values.unit not in (TIME, "%", "‰")
        return is_amount and not (self.is_code or self.numbers_rows or self.is_of_averages)

    @cached_property
    def is_of_letters(self) -> bool:
        """Whether all cells are single letters, such as grades."""
        found = set(self.cells)
        return any(map(_LETTER.fullmatch, found)) and all(_LETTER.fullmatch(one) or is_missing(one) for one in found)

    @cached_property
    def is_counted(self) -> bool:
        """Whether most cells begin with a number."""
        return self._is_mostly(_COUNTED.match)

    @cached_property
    def is_of_years(self) -> bool:
        """Whether all cells are years."""
        filled = [text for text in self.cells if text]
        return bool(filled) and all(_YEAR.fullmatch(one) for one in filled)

    @cached_property
    def is_text(self) -> bool:
        """Whether most cells have words."""
        return self._is_mostly(_LETTERS.search)

    def _is_mostly(self, matches: Callable[[str], object]) -> bool:
        """Whether most cells with a value match."""
        filled = [text for text in self.cells if not is_missing(text)]
        return sum(bool(matches(one.strip())) for one in filled) > _MOSTLY * len(filled) > 0


def _are_codes(texts: Sequence[str]) -> bool:
    """Whether numbers count on, or have at least three digits and the same length."""
    if not all(map(str.isdigit, texts)):
        return False
    counts_on = all(int(after) - int(before) == 1 for before, after in pairwise(texts))
    return counts_on or (len({*map(len, texts)}) == 1 and len(texts[0]) >= _LEAST_DIGITS)
