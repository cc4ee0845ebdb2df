"""Formulas over lines of statements, as people write them: "revenue / (average PP&E between FY2018 and FY2019)"."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from treatise.core.patterns import lazy_pattern

_YEAR: Final = lazy_pattern(r"(?:(?:FY|fiscal(?: year)?) ?['’]?)?((?:19|20)\d\d)\b|FY ?['’]?(\d\d)\b", re.IGNORECASE)
_NUMBER: Final = lazy_pattern(r"\d+(?:\.\d+)?")
_OPERATORS: Final = (
    ("/", lazy_pattern(r"[/÷]|divided by\b|over\b", re.IGNORECASE)),
    ("*", lazy_pattern(r"[*×]|times\b|multiplied by\b", re.IGNORECASE)),
    ("+", lazy_pattern(r"\+|plus\b", re.IGNORECASE)),
    ("-", lazy_pattern(r"[-–−]|less\b|minus\b", re.IGNORECASE)),
)
_FUNCTIONS: Final = (
    ("average", lazy_pattern(r"(?:the )?(?:average|avg\.?|mean)\b", re.IGNORECASE)),
    ("change", lazy_pattern(r"(?:the )?(?:change|increase) in\b|Δ", re.IGNORECASE)),
)
_LINKS: Final = lazy_pattern(
    r"(?:between|from|and|to|in|for|of|the|total|year|end|at|unadjusted|fiscal)\b", re.IGNORECASE
)
_RANKS: Final = {"+": 1, "-": 1, "*": 2, "/": 2}
_MAX_TOKENS: Final = 60

Names = Mapping[str, re.Pattern[str]]
"""Patterns of the names that formulas may use."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A name of a line or measure, in the year of the formula, in years of its own, or a number.

    Attributes:
        name: Of a line or measure; empty for a number.
        number: The number.
        years: The years named with it, in order; empty if none is.
        function: ``"average"`` or ``"change"`` over the years, or over the year and the one before; else empty.
    """

    name: str = ""
    number: float = 0.0
    years: tuple[int, ...] = ()
    function: str = ""


@dataclass
class _Parts:
    """What is read of one operand so far."""

    function: str = ""
    name: str = ""
    years: list[int] = field(default_factory=list)

    def flush(self) -> Iterator[Operand]:
        if self.name:
            yield Operand(self.name, years=tuple(self.years), function=self.function)
            self.function, self.name, self.years = "", "", []


Token = Operand | str
"""An operand, an operator ``+ - * /`` or a bracket."""


def parse_formula(text: str, names: Names) -> list[Token] | None:
    """The formula in infix order; None if it has a word that is neither a name nor an operator, or is no formula.

    >>> names = {"sales": re.compile("sales"), "stock": re.compile("stock")}
    >>> [str(one) if isinstance(one, str) else one.name for one in parse_formula("sales / average stock", names)]
    ['sales', '/', 'stock']
    """
    tokens = list(_tokens(text, names))
    if None in tokens or not tokens or len(tokens) > _MAX_TOKENS:
        return None
    found = [one for one in tokens if one is not None]
    return found if postfix(found) else None


def _tokens(text: str, names: Names) -> Iterator[Token | None]:
    """The tokens of a text; None for a word that is not understood."""
    at, parts = 0, _Parts()
    while at < len(text):
        rest = text[at:]
        if space := re.match(r"[\s,.;:?]+", rest):
            at += space.end()
        elif named := _named(rest, names):
            yield from parts.flush()
            parts.name = named[0]
            at += named[1]
        elif year := _YEAR.match(rest):
            parts.years.append(int(year[1] or f"20{year[2]}"))
            at += year.end()
        elif number := _NUMBER.match(rest):
            yield from parts.flush()
            yield Operand(number=float(number[0]))
            at += number.end()
        elif function := _first(rest, _FUNCTIONS):
            yield from parts.flush()
            parts.function = function[0]
            at += function[1]
        elif bracket := re.match(r"[()\[\]]", rest):
            yield from parts.flush()
            yield "(" if bracket[0] in "([" else ")"
            at += 1
        elif operator := _first(rest, _OPERATORS):
            yield from parts.flush()
            yield operator[0]
            at += operator[1]
        elif link := _LINKS.match(rest):
            at += link.end()
        else:
            yield None
            return
    yield from parts.flush()


def _named(text: str, names: Names) -> tuple[str, int] | None:
    """The longest name at the beginning of a text, and its length."""
    best: tuple[str, int] | None = None
    for name, pattern in names.items():
        found = pattern.match(text)
        is_whole = found is not None and not text[found.end() : found.end() + 1].isalnum()
        if found and is_whole and (best is None or found.end() > best[1]):
            best = (name, found.end())
    return best


def _first(text: str, patterns: Iterable[tuple[str, re.Pattern[str]]]) -> tuple[str, int] | None:
    return next(((key, found.end()) for key, pattern in patterns if (found := pattern.match(text))), None)


def postfix(tokens: Sequence[Token]) -> list[Token]:
    """The formula in postfix order; empty if its operators and brackets do not fit."""
    output: list[Token] = []
    waiting: list[str] = []
    wants_operand = True
    for token in tokens:
        if isinstance(token, Operand):
            if not wants_operand:
                return []
            output.append(token)
            wants_operand = False
        elif token == "(":
            if not wants_operand:
                return []
            waiting.append(token)
        elif wants_operand:
            return []
        elif token == ")":
            while waiting and waiting[-1] != "(":
                output.append(waiting.pop())
            if not waiting:
                return []
            waiting.pop()
        else:
            while waiting and waiting[-1] != "(" and _RANKS[waiting[-1]] >= _RANKS[token]:
                output.append(waiting.pop())
            waiting.append(token)
            wants_operand = True
    if wants_operand or "(" in waiting:
        return []
    return [*output, *reversed(waiting)]


def evaluate(tokens: Sequence[Token], value_of: Callable[[Operand], float | None]) -> float | None:
    """The value of a formula in infix order; None if an operand has none, or a divisor is zero."""
    stack: list[float] = []
    for token in postfix(tokens):
        if isinstance(token, Operand):
            value = value_of(token) if token.name else token.number
            if value is None:
                return None
            stack.append(value)
            continue
        right, left = stack.pop(), stack.pop()
        if token == "/" and right == 0:
            return None
        stack.append(_applied(token, left, right))
    return stack[0] if stack else None


def _applied(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right
