"""A figure that a question asks for, computed from the statements of a report."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.names import is_subject, names_in
from treatise.core.periods import fiscal_offset
from treatise.figures.asked import NAMES, Asked, Shape, asked_figure, names_year
from treatise.figures.formula import Operand, Token, evaluate, parse_formula
from treatise.figures.lines import LINES
from treatise.figures.metrics import METRICS, Unit
from treatise.figures.parts import PartSheet
from treatise.figures.sheet import Entry, Sheet

_MAX_DEPTH: Final = 4  # measures of measures of measures
_SCALES: Final = {1e3: " thousand", 1e6: " million", 1e9: " billion"}
_OVER_TWO: Final = (Shape.GROWTH, Shape.CHANGE, Shape.CAGR, Shape.RISES, Shape.FALLS)
_OF_SEVERAL: Final = (Shape.AVERAGE, Shape.GROWTH, Shape.CAGR)
_LEGAL_FORM: Final = re.compile(r"[\s,.]+(?:inc|incorporated|corp|corporation|company|plc|com|form)\b", re.IGNORECASE)
_VERDICTS: Final = (Shape.RISES, Shape.FALLS, Shape.POSITIVE, Shape.NEGATIVE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with where it comes from.

    Attributes:
        text: The answer in a few words: "$5,466 million", "24.26", "Yes: ...".
        statement: One sentence that says what it is of which years, and how it is computed.
        rows: The rows that state its values, in the order of use.
        is_stated: Whether it stands in the report as it is, and is not computed.
        is_verdict: Whether the text says yes or no.
    """

    text: str
    statement: str
    rows: tuple[Span, ...]
    is_stated: bool
    is_verdict: bool


def figure_of(question: str, document: Document) -> Figure | None:
    """The figure that a question asks of a report; None if it asks for none, or the statements lack what it needs.

    Lines that only this report has ("deferred revenue") are tried first, since they may contain the name of another.
    """
    if not document.tables:
        return None
    whole = Sheet(document)
    labels = whole.labels_in(question) if names_year(question) else ()
    found = (_figure_of(asked_figure(question, known), whole) for known in dict.fromkeys((labels, ())))
    return next((figure for figure in found if figure), None)


def _figure_of(asked: Asked | None, whole: Sheet) -> Figure | None:
    sheet = _sheet(asked, whole) if asked else None
    if asked is None or sheet is None:
        return None
    shift = _shift(asked, sheet, fiscal_offset(whole.document))
    years = _years(asked, sheet, shift)
    if not years:
        return None
    run = _Computation(sheet, asked, shift)
    values = [run.at(year) for year in years]
    known = [value for value in values if value is not None]
    is_known = len(known) == len(values) and _has_meaning(asked, known)
    return _figure(run, years, known) if is_known else None


def _has_meaning(asked: Asked, values: Sequence[float]) -> bool:
    """Whether the values can be given as asked: growth is of gains, and a loss is one."""
    if asked.shape in (Shape.GROWTH, Shape.CAGR):
        return min(values[0], values[-1]) > 0 and not asked.is_loss
    return not asked.is_loss or (asked.shape is Shape.VALUE and max(values) < 0)


def names_company(question: str, document: Document) -> bool:
    """Whether a question on a figure names the report's company."""
    asked = asked_figure(question)
    return asked is not None and any(_is_company(words, document) for words in asked.others)


def _sheet(asked: Asked, whole: Sheet) -> Sheet | None:
    """The report's statements, or what it says of the part that the question names; None if it names another company.

    What the question names beside the figure is the company, which brackets may call otherwise, or one part of it.
    """
    document = whole.document
    unknown = [words for words in asked.others if not _is_company(words, document)]
    if not unknown:
        return whole
    if len(unknown) > 1:
        return None
    other_names = (" ".join(words) for words in names_in(f"its {asked.brackets}"))
    if any(is_subject(name, document) for name in other_names):
        return whole
    is_mentioned = re.search(re.escape(unknown[0]), document.text, re.IGNORECASE)
    return PartSheet(document, unknown[0]) if is_mentioned else None


def _is_company(words: str, document: Document) -> bool:
    """Whether words name the report's company, whole or one by one ("American Water").

    Its title has them, or else its beginning, unless a row of a table has them as its label and they are not the
    whole name ("Blizzard" of Activision Blizzard is a segment).
    """
    title = "".join(document.title.split()).casefold()  # PDFs have spaces within words in small capitals
    in_title = all(word.casefold() in title for word in words.split())
    if not in_title and words.islower():
        return False
    name = _LEGAL_FORM.split(document.title)[0].removeprefix("The ")
    is_whole = in_title and len(words.split()) >= len(name.split())
    is_company = is_subject(words, document) or all(is_subject(word, document) for word in words.split())
    return is_company and (is_whole or not PartSheet(document, words).is_named)


def _shift(asked: Asked, sheet: Sheet, offset: int) -> int:
    """What to add to the years that are named, to have those in which they end.

    Analysts name fiscal years by the year of their end, whatever the report does: theirs, if its own way leads nowhere.
    """
    return offset if {year + offset for year in asked.years} <= set(sheet.years) else 0


def _years(asked: Asked, sheet: Sheet, shift: int) -> list[int]:
    """The calendar years to compute, in order; empty if the statements have no years."""
    years = [year + shift for year in asked.years] or sheet.years[-1:]
    if asked.shape in _OVER_TWO and len(years) == 1:
        years = [years[0] - 1, *years]
    if asked.shape in _OVER_TWO:
        return [years[0], years[-1]] if years else []
    return years


@dataclass
class _Computation:
    """Evaluates a formula by year, and notes what it read."""

    sheet: Sheet
    asked: Asked
    shift: int
    used: dict[tuple[str, int], Entry] = field(default_factory=dict)

    def at(self, year: int) -> float | None:
        """The value of the asked formula in a year."""
        return evaluate(self.asked.formula, partial(self._operand, year, 0))

    def wording(self, year: int) -> str:
        """The formula of a year in numbers."""
        return " ".join(self._worded(self.asked.formula, year, 0)).replace("( ", "(").replace(" )", ")")

    def _operand(self, year: int, depth: int, operand: Operand) -> float | None:
        years = self._years_of(operand, year)
        values = [self._value(operand.name, one, depth) for one in years]
        known = [value for value in values if value is not None]
        if len(known) != len(values):
            return None
        if operand.function == "average":
            return sum(known) / len(known)
        return known[-1] - known[0] if operand.function == "change" else known[-1]

    def _years_of(self, operand: Operand, year: int) -> list[int]:
        """The years whose values an operand needs, in order."""
        named = [one + self.shift for one in operand.years] or [year]
        if not operand.function:
            return named[-1:]
        first, last = (named[0], named[-1]) if len(named) > 1 else (named[0] - 1, named[0])
        return list(range(first, last + 1)) if operand.function == "average" else [first, last]

    def _value(self, name: str, year: int, depth: int) -> float | None:
        """A line of the statements, else the measure of that name."""
        if entry := self._entry(name, year):
            self.used[name, year] = entry
            return entry.value
        formula = self._definition(name) if depth < _MAX_DEPTH else None
        return evaluate(formula, partial(self._operand, year, depth + 1)) if formula else None

    def _entry(self, name: str, year: int) -> Entry | None:
        if name in self.asked.definitions or (name in METRICS and name not in LINES):
            return None
        return self.used.get((name, year)) or self.sheet.entry(name, year)

    def _definition(self, name: str) -> Sequence[Token] | None:
        if name in self.asked.definitions:
            return self.asked.definitions[name]
        return parse_formula(METRICS[name].definition, NAMES) if name in METRICS else None

    def _worded(self, formula: Sequence[Token], year: int, depth: int) -> list[str]:
        return [
            self._word(token, year, depth) if isinstance(token, Operand) else _SIGNS.get(token, token)
            for token in formula
        ]

    def _word(self, operand: Operand, year: int, depth: int) -> str:
        if not operand.name:
            return f"{operand.number:g}"
        words = [self._word_of(operand.name, one, depth) for one in self._years_of(operand, year)]
        if operand.function == "average":
            return f"average of {' and '.join(words)}"
        return f"({words[-1]} − {words[0]})" if operand.function == "change" else words[-1]

    def _word_of(self, name: str, year: int, depth: int) -> str:
        entry = self.used.get((name, year))
        if entry:
            return entry.shown
        formula = self._definition(name) or ()
        worded = " ".join(self._worded(formula, year, depth + 1))
        return f"({worded})" if depth or len(self.asked.formula) > 1 else worded


_SIGNS: Final = {"*": "×", "-": "−"}


def _figure(run: _Computation, years: Sequence[int], values: Sequence[float]) -> Figure:
    asked = run.asked
    named = [year - run.shift for year in years]
    show = partial(_shown, asked, run.sheet)
    rows = tuple(dict.fromkeys(entry.row for entry in run.used.values()))
    is_stated = asked.shape is Shape.VALUE and len(years) == 1 and _is_plain(run.wording(years[0]))
    text = _text(asked, named, values, show)
    shown = [_worked(run.wording(year), show(value)) for year, value in zip(years, values, strict=True)]
    subject = asked.name[0].upper() + asked.name[1:] + (f" of {run.sheet.part}" if run.sheet.part else "")
    statement = f"{subject}, {_span(named)}: {_statement(asked.shape, named, text, shown)}."
    return Figure(text, statement, rows, is_stated, asked.shape in _VERDICTS)


def _worked(wording: str, shown: str) -> str:
    """A value with the formula in numbers, unless that is one number."""
    return shown if _is_plain(wording) else f"{shown} ({wording})"


def _statement(shape: Shape, years: Sequence[int], text: str, shown: Sequence[str]) -> str:
    """The values of the years; if something is computed from them, that first."""
    if len(years) == 1:
        return shown[0]
    by_year = ", ".join(f"{value} in {year}" for value, year in zip(shown, years, strict=True))
    return f"{text}; {by_year}" if shape in _OF_SEVERAL else by_year


def _text(asked: Asked, years: Sequence[int], values: Sequence[float], show: Callable[[float], str]) -> str:
    """The answer in a few words."""
    first, last = values[0], values[-1]
    match asked.shape:
        case Shape.AVERAGE:
            return show(sum(values) / len(values))
        case Shape.GROWTH:
            return _percent(last / first - 1, asked.decimals)
        case Shape.CAGR:
            n_years = years[-1] - years[0]
            return _percent((last / first) ** (1 / n_years) - 1, asked.decimals)
        case Shape.CHANGE:
            growth = f" ({_percent(last / first - 1, 1)})" if asked.unit is Unit.MONEY and first > 0 < last else ""
            return f"from {show(first)} in {years[0]} to {show(last)} in {years[-1]}{growth}"
        case Shape.RISES | Shape.FALLS:
            is_so = last > first if asked.shape is Shape.RISES else last < first
            return f"{_verdict(is_so)}: from {show(first)} in {years[0]} to {show(last)} in {years[-1]}"
        case Shape.POSITIVE | Shape.NEGATIVE:
            return f"{_verdict(last > 0 if asked.shape is Shape.POSITIVE else last < 0)}: {show(last)}"
        case _ if len(years) > 1:
            return ", ".join(f"{show(value)} in {year}" for value, year in zip(values, years, strict=True))
        case _:
            return show(last)


def _is_plain(wording: str) -> bool:
    """Whether a formula in numbers is one number."""
    return " " not in wording


def _verdict(is_so: bool) -> str:
    return "Yes" if is_so else "No"


def _span(years: Sequence[int]) -> str:
    return str(years[0]) if len(years) == 1 else f"{years[0]} to {years[-1]}"


def _shown(asked: Asked, sheet: Sheet, value: float) -> str:
    """A value in its unit, rounded as the question asks, else as is usual."""
    match asked.unit:
        case Unit.MONEY:
            return _money(value, sheet, asked)
        case Unit.SHARE:
            return f"{'−' if value < 0 else ''}{sheet.currency}{abs(value):,.{_decimals(asked)}f}"
        case Unit.PERCENT:
            return _percent(value, asked.decimals)
        case Unit.DAYS:
            return f"{value:,.{_decimals(asked)}f} days"
        case _:
            return f"{value:,.{_decimals(asked)}f}"


def _decimals(asked: Asked) -> int:
    return 2 if asked.decimals is None else asked.decimals


def _percent(share: float, decimals: int | None) -> str:
    return f"{100 * share:.{1 if decimals is None else decimals}f}%"


def _money(value: float, sheet: Sheet, asked: Asked) -> str:
    """Money in the scale that is asked for, else in that of the statements."""
    scale = asked.scale if asked.scale and sheet.scale else sheet.scale
    number = value * sheet.scale / scale if sheet.scale and scale else value
    decimals = asked.decimals if asked.decimals is not None else (2 if number % 1 and abs(number) < 100 else 0)
    sign = "−" if number < 0 else ""
    return f"{sign}{sheet.currency}{abs(number):,.{decimals}f}{_SCALES.get(scale or 0.0, '')}"
