"""The numbers and letters that Word computes for lists, clauses and headings but does not store."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_TAIL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_PLACE = re.compile(r"%([1-9])")
_MAX_ROMAN = 4_000
_BULLET = "-"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list: its first number, number format, and label pattern such as ``%1.%2``."""

    start: int
    numerals: str
    pattern: str


@dataclass(slots=True)
class Numbering:
    """Labels for list paragraphs, to be requested in document order.

    Attributes:
        levels: By list id and depth.
        abstract_of: Lists of one abstract list share their counters.
    """

    levels: dict[tuple[str, int], Level] = field(default_factory=dict)
    abstract_of: dict[str, str] = field(default_factory=dict)
    _counts: defaultdict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))

    def next_label(self, list_id: str, depth: int) -> str:
        """The label of the next paragraph of a list at a depth, such as ``4.2`` or ``(b)``; ``""`` without a list."""
        level = self.levels.get((list_id, depth))
        if level is None or level.numerals == "none":
            return ""
        if level.numerals == "bullet":
            return _BULLET
        counts = self._counts[self.abstract_of[list_id]]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [d for d in counts if d > depth]:
            del counts[deeper]
        return _PLACE.sub(lambda place: self._numeral(list_id, int(place.group(1)) - 1, counts), level.pattern)

    def _numeral(self, list_id: str, depth: int, counts: dict[int, int]) -> str:
        level = self.levels.get((list_id, depth), Level(1, "decimal", ""))
        return _numeral(counts.get(depth, level.start), level.numerals)


def read_numbering(root: etree._Element) -> Numbering:
    """The lists that ``word/numbering.xml`` defines."""
    numbering = Numbering()
    abstract_levels = {
        element.get(f"{W}abstractNumId", ""): _levels(element) for element in root.iterfind(f"{W}abstractNum")
    }
    for element in root.iterfind(f"{W}num"):
        list_id, abstract = element.get(f"{W}numId", ""), value(element, "abstractNumId")
        numbering.abstract_of[list_id] = abstract
        for depth, level in abstract_levels.get(abstract, {}).items():
            numbering.levels[list_id, depth] = level
    return numbering


def _levels(abstract: etree._Element) -> dict[int, Level]:
    return {
        whole_number(element.get(f"{W}ilvl", "")): Level(
            start=whole_number(value(element, "start") or "1"),
            numerals=value(element, "numFmt") or "decimal",
            pattern=value(element, "lvlText"),
        )
        for element in abstract.iterfind(f"{W}lvl")
    }


def value(element: etree._Element, child: str) -> str:
    """The ``w:val`` of a child such as ``<w:start w:val="1"/>``, or ``""``."""
    found = element.find(f"{W}{child}")
    return "" if found is None else found.get(f"{W}val", "")


def whole_number(text: str) -> int:
    """A small number from an attribute; 0 if it is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


def _numeral(number: int, numerals: str) -> str:
    if "Roman" in numerals:
        roman = _roman(number)
        return roman.upper() if numerals.startswith("upper") else roman
    if "Letter" in numerals and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 9)
        return letter.upper() if numerals.startswith("upper") else letter
    return f"{number:02}" if numerals == "decimalZero" else str(number)


def _roman(number: int) -> str:
    if not 0 < number < _MAX_ROMAN:
        return str(number)
    digits = ""
    for worth, sign in _ROMAN + _ROMAN_TAIL:
        times, number = divmod(number, worth)
        digits += sign * times
    return digits
