"""The numbers of a column: what each cell says, or why the column cannot be computed with."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import CODES, SIGNS, currencies_in, same_unit
from treatise.generate.tabular.scales import unit_and_scale

_CELL: Final = lazy_pattern(
    rf"(?P<open>\(?)(?P<before>[{SIGNS}]?|(?:{CODES})(?=[\s\d.+−–-]))\s*(?P<sign>[-−–+]?)\s*(?P<again>[{SIGNS}]?)"
    r"(?P<number>\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?|\d[\d.,]*|\.\d+)"
    rf"\s*(?P<after>[^\W\d_.,]{{0,12}}\.?|[%‰°]\s?[CF]?|[{SIGNS}])(?P<close>\)?)[*†‡]*"
)
_CONVERTED: Final = lazy_pattern(r"(?<=\w) \([\d.,]+ ?[^\W\d_]{1,12}\.?\)$")
_TIME: Final = lazy_pattern(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:\.\d+)?)")
TIME: Final = ":"
"""The unit of durations in hours, minutes and seconds, which are counted in seconds."""
_MISSING_TEXT: Final = "- – — − -- ? . .. ... n/a na nan null none tba tbd"
_MISSING: Final = frozenset(("", *_MISSING_TEXT.split()))
_FREE: Final = frozenset(("free", "free of charge", "no charge", "gratis", "kostenlos"))
"""Cells of a column of prices that cost nothing."""
_MEASURES: Final = tuple(
    frozenset(units.split())
    for units in (
        "mm cm m km mi ft yd in",
        "mg g kg t lb lbs oz",
        "ml cl l L gal",
        "mW W kW MW GW",
        "Wh kWh MWh GWh",
        "B KB kB MB GB TB KiB MiB GiB TiB",
        "Hz kHz MHz GHz",
        "ms s min h days weeks months years",
    )
)
"""Units of one measure each."""
_THOUSANDS: Final = lazy_pattern(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_POINTS: Final = lazy_pattern(r"[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d+)?")
_THOUSANDS_OR_DECIMALS: Final = lazy_pattern(r"[1-9]\d{0,2}(?:\.\d{3})+")
_COMMAS_OF_THOUSANDS: Final = lazy_pattern(r"[1-9]\d{0,2}(?:(?:,\d{3}){2,}|,\d{3}\.\d+)")
_POINTS_AND_COMMA: Final = lazy_pattern(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+")
_CONTINENTAL: Final = lazy_pattern(r"\d+,\d+|[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
"""Numbers of a column in which the comma is of decimals."""
_DECIMAL_COMMA: Final = lazy_pattern(r"\d+,(?:\d{1,2}|\d{4,}|(?<=\b0,)\d{3})")
_POINT_OF_DECIMALS: Final = lazy_pattern(r"\d+\.\d{1,2}")
_PLAIN: Final = lazy_pattern(r"\d*\.?\d+|\d+\.")
_SPACES: Final = lazy_pattern(r"[ \u00a0\u202f'’]")


@dataclass(frozen=True, slots=True)
class Values:
    """The numbers of a column.

    Attributes:
        by_row: The number of each row that has one.
        missing: Rows whose cell is blank or says that there is no value.
        problem: Why the column cannot be computed with; empty if it can.
        unit: What stands beside each number, ``"%"`` for instance.
        has_decimal_comma: Whether the commas of the column are of decimals.
    """

    by_row: Mapping[int, float]
    missing: tuple[int, ...] = ()
    problem: str = ""
    unit: str = ""
    has_decimal_comma: bool = field(default=False, repr=False)


def is_missing(text: str) -> bool:
    """Whether a cell has no value."""
    return text.strip().casefold() in _MISSING


def are_unlike(cells: Iterable[str]) -> bool:
    """Whether numbers of cells are in several currencies, scales or units of one measure, so that their digits alone
    cannot be compared.

    >>> are_unlike(["$1.9B", "753M"]), are_unlike(["1.2 kW", "15 W"]), are_unlike(["£5", "on request", "€4"])
    (True, True, True)
    >>> are_unlike(["$5", "4", "free"]), are_unlike(["1 day", "2 days"]), are_unlike(["3 m", "4 m"])
    (False, False, False)
    """
    units = {number[1] for text in cells if (number := _number(text, has_decimals=False)) and number[0]}
    apart = [unit_and_scale(unit) for unit in units]
    currencies = {same_unit(unit) for unit, _ in apart if currencies_in(unit)}
    has_scales = len({scale for _, scale in apart}) > 1
    return len(currencies) > 1 or has_scales or any(len(units & one) > 1 for one in _MEASURES)


def is_free(text: str) -> bool:
    """Whether a cell says that something costs nothing."""
    return text.strip().casefold() in _FREE


def read_values(cells: Mapping[int, str]) -> Values:
    """The numbers of a column's cells by row; with a problem if one is no number, or if units differ.

    >>> read_values({0: "1,200", 1: "n/a", 2: "85"})
    Values(by_row={0: 1200.0, 2: 85.0}, missing=(1,), problem='', unit='')
    >>> read_values({0: "12", 1: "about ten"}).problem
    '“about ten” is not a number'
    >>> read_values({0: "5 km", 1: "300 m"}).problem
    'its values have different units'
    >>> read_values({0: "1,5", 1: "3,125", 2: "1.250"}).by_row
    {0: 1.5, 1: 3.125, 2: 1250.0}
    >>> read_values({0: "$5", 1: "Free"}).by_row, read_values({0: "5", 1: "free"}).problem
    ({0: 5.0, 1: 0.0}, '“free” is not a number')
    >>> read_values({0: "3.500 €", 1: "900 €"}).by_row, read_values({0: "3.50 €", 1: "900 €"}).by_row
    ({0: 3500.0, 1: 900.0}, {0: 3.5, 1: 900.0})
    """
    missing = tuple(row for row, text in cells.items() if is_missing(text))
    with_comma = [_separated(text) for text in cells.values() if "," in text]
    if any(map(is_free, cells.values())) and any(map(currencies_in, cells.values())):
        cells = {row: "0" if is_free(text) else text for row, text in cells.items()}
    has_decimals = any(_DECIMAL_COMMA.fullmatch(one) or _POINTS_AND_COMMA.fullmatch(one) for one in with_comma)
    has_decimals = has_decimals or (not with_comma and _has_points_of_thousands(cells))
    thousands = next(filter(_COMMAS_OF_THOUSANDS.fullmatch, with_comma), "")
    if has_decimals and thousands:
        return Values({}, missing, f"the comma in “{thousands}” may be of thousands or of decimals")
    found: dict[int, float] = {}
    beside: dict[int, str] = {}
    units: dict[str, str] = {}
    for row, text in cells.items():
        if is_missing(text):
            continue
        number = _number(text, has_decimals=has_decimals)
        if number is None:
            return Values({}, missing, f"“{text[:40]}” is not a number")
        found[row], beside[row] = number
        if number[0] or number[1]:
            units.setdefault(same_unit(number[1]), number[1])
    written = [text.strip() for text in cells.values() if not is_missing(text)]
    if len(written) > 1 and all(_THOUSANDS_OR_DECIMALS.fullmatch(text) for text in written):
        return Values({}, missing, f"the point in “{written[0]}” may be of thousands or of decimals")
    if len(units) > 1:
        found, units = _in_full(found, beside)
    if len(units) > 1:
        return Values({}, missing, "its values have different units")
    unit = next(iter(units.values()), "")
    return Values(found, missing, "" if found else "it has no values", unit, has_decimals)


def _in_full(numbers: Mapping[int, float], beside: Mapping[int, str]) -> tuple[dict[int, float], dict[str, str]]:
    """The numbers of a column without their scales, and its units: "$1.2B" and "$753M" are of one unit.

    >>> read_values({0: "$1.2B", 1: "$753M"}).by_row
    {0: 1200000000.0, 1: 753000000.0}
    """
    apart = {row: unit_and_scale(unit) for row, unit in beside.items()}
    units = {same_unit(unit): unit for row, (unit, _) in apart.items() if numbers[row] or unit}
    return {row: numbers[row] * scale for row, (_, scale) in apart.items()}, units


def read_limit(written: str, values: Values) -> float | None:
    """The number of a question as the column has numbers; None if its separators may mean two things.

    >>> column = read_values({0: "1.234,50 €", 1: "300,00 €"})
    >>> read_limit("1.000", column), read_limit("89,90", column), read_limit("1,500", column)
    (1000.0, 89.9, None)
    >>> read_limit("1.60", read_values({0: "1.599 €", 1: "1.619 €"}))
    """
    is_of_thousands = _COMMAS_OF_THOUSANDS.fullmatch(written) is not None
    is_of_decimals = (_POINTS_AND_COMMA.fullmatch(written) or _DECIMAL_COMMA.fullmatch(written)) is not None
    is_point = _POINT_OF_DECIMALS.fullmatch(written) or _THOUSANDS.fullmatch(written)
    is_open = values.has_decimal_comma and not is_of_thousands and is_point
    is_money = bool(currencies_in(values.unit)) and not values.has_decimal_comma
    if is_open or (is_money and _THOUSANDS_OR_DECIMALS.fullmatch(written)):
        return None
    plain = _plain(written, has_decimals=is_of_decimals or (values.has_decimal_comma and not is_of_thousands))
    return None if plain is None else float(plain)


def _has_points_of_thousands(cells: Mapping[int, str]) -> bool:
    """Whether the points of a column of money without commas are of thousands: amounts do not have three decimals."""
    written = [text.strip() for text in cells.values() if not is_missing(text)]
    of_money = [_separated(text) for text in written if currencies_in(text)]
    with_point = [one for one in of_money if "." in one]
    return len(of_money) == len(written) and bool(with_point) and all(map(_THOUSANDS_OR_DECIMALS.fullmatch, with_point))


def _separated(text: str) -> str:
    """The digits of a cell with their points and commas; empty if it is no number."""
    match = _match(text)
    return _SPACES.sub("", match["number"]) if match else ""


def _match(text: str) -> re.Match[str] | None:
    return _CELL.fullmatch(_CONVERTED.sub("", text.strip()))


def _number(text: str, *, has_decimals: bool) -> tuple[float, str] | None:
    """A cell's number and its unit; None if it is text, a range or a date.

    ``has_decimals`` if the commas of its column are of decimals.
    """
    if time := _TIME.fullmatch(text.strip()):
        return 3600 * float(time[1] or 0) + 60 * float(time[2]) + float(time[3]), TIME
    match = _match(text)
    if match is None or bool(match["open"]) != bool(match["close"]) or (match["before"] and match["again"]):
        return None
    plain = _plain(match["number"], has_decimals=has_decimals)
    if plain is None:
        return None
    is_negative = bool(match["open"]) or match["sign"] in ("-", "−", "–")
    unit = f"{match['before'] or match['again']}{match['after'].strip()}"
    return (-float(plain) if is_negative else float(plain)), unit


def _plain(number: str, *, has_decimals: bool) -> str | None:
    """Digits with a point; None if the separators can be read in two ways."""
    number = _SPACES.sub("", number)
    if has_decimals and _CONTINENTAL.fullmatch(number):
        return number.replace(".", "").replace(",", ".")
    if _PLAIN.fullmatch(number):
        return number
    if _THOUSANDS.fullmatch(number):
        return number.replace(",", "")
    if _POINTS.fullmatch(number):
        return number.replace(".", "").replace(",", ".")
    return None


def shown(value: float) -> str:
    """A computed number: whole, or with at most five digits, or two decimals.

    >>> shown(114428.0), shown(106.16062176), shown(26.625), shown(0.1 + 0.2), shown(-3.0)
    ('114,428', '106.16', '26.625', '0.3', '-3')
    """
    if abs(value - round(value)) < 1e-9:
        return f"{round(value):,}"
    decimals = max(2, 5 - len(str(int(abs(value)))))
    return re.sub(r"\.?0+$", "", f"{value:,.{decimals}f}")
