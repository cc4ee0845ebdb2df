"""Quantities whole: both ends of a range and the unit of a number, of which a reader often takes a part."""

from typing import Final

from treatise.core.patterns import lazy_pattern

_DIGITS: Final = r"(?:[$€£¥₹]\s?)?\d[\d.,/]*(?<![.,])"
_DASH: Final = r"\s?(?:--|[-–—])\s?"
_MEASURE: Final = (
    r"(?:[mµkc]?g|[mc]?l|[mck]?m|nm|µm|kWh?|MW|[kMGT]i?B|[kMG]?Hz|kcal|m[sV]|kV|lbs?|oz|ft|mph|rpm|ppm|[kMG]?bps|"
    r"grams?|kilograms?|milligrams?|lit(?:re|er)s?|met(?:re|er)s?|(?:kilo|centi|milli)met(?:re|er)s?|inch(?:es)?|feet|"
    r"miles?|pounds?|ounces?|EUR|USD|GBP|CHF|SEK|euros?|dollars?|per ?cent|percent|°\s?[CF]|°|%)"
)
_PER: Final = r"(?:/[a-zA-Zµ²³\d]+)*(?![\w/])"
_UNIT: Final = lazy_pattern(rf"(?:\s?|-)(?<=[\d\s-]){_MEASURE}{_PER}")
"""The unit after a number: "mg/day" of "5 mg/day"."""
_PER_ONLY: Final = lazy_pattern(rf"(?:/[a-zA-Zµ]+)+{_PER}")
"""What a unit is per: "/day" after "5 mg"."""
_ENDS_WITH_UNIT: Final = lazy_pattern(rf"\d\s?{_MEASURE}$")
_FIRST_END: Final = lazy_pattern(
    rf"(?:\b[Bb]etween {_DIGITS}(?:\s?{_MEASURE})? and |"
    rf"(?<![\w.,:/-])(?<!\b[Ff]rom ){_DIGITS}(?:\s?{_MEASURE})?(?:{_DASH}| to ))$"
)
"""The first end of a range before the second: "between 99.5 and"."""
_BETWEEN: Final = lazy_pattern(r"\b[Bb]etween $")
_LAST_END: Final = lazy_pattern(rf"{_DASH}{_DIGITS}(?![\w/:-])")
_LAST_OF_TWO: Final = lazy_pattern(rf" and {_DIGITS}(?![\w/:-])")
_NUMBER: Final = lazy_pattern(r"(?:[$€£¥₹]\s?)?\d")


def whole_quantity(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with both ends of the range of which it begins or ends with one, and with the unit of its last number.

    >>> text = "Put between 99.5 and 100.5 g of it 5--7 cm above; the dose is 5 mg/day."
    >>> [text[slice(*whole_quantity(text, *part))] for part in ((21, 28), (12, 16), (38, 42), (62, 63))]
    ['between 99.5 and 100.5 g', 'between 99.5 and 100.5 g', '5--7 cm', '5 mg/day']
    >>> text = "It rose from 5 to 10 g."
    >>> text[slice(*whole_quantity(text, 18, 20))], text[slice(*whole_quantity(text, 13, 14))]
    ('10 g', '5')
    >>> text = "On 2024-05-07, in rooms 7 and 8, call 01632-960117."
    >>> [text[slice(*whole_quantity(text, *part))] for part in ((11, 13), (24, 25), (44, 50))]
    ['07', '7', '960117']
    """
    if (
        _NUMBER.match(text, start)
        and (first := _FIRST_END.search(text[:start]))
        and not _is_code(text, start, first[0])
    ):
        start = first.start()
    if text[end - 1 : end].isdigit() and not text[:end].endswith("-"):
        last = _LAST_END.match(text, end) if _NUMBER.match(text, start) else None
        if before := _BETWEEN.search(text[:start]):
            last = _LAST_OF_TWO.match(text, end) or last
            start = before.start() if last else start
        if last and not _is_code(text, end, last[0]):
            end = last.end()
        if unit := _UNIT.match(text, end):
            end = unit.end()
    elif _ENDS_WITH_UNIT.search(text[:end]) and (per := _PER_ONLY.match(text, end)):
        end = per.end()
    return start, end


def _is_code(text: str, at: int, joined: str) -> bool:
    """Whether what joins two numbers at ``at`` is the hyphen of a date, a code or a phone number, of which there are
    several or whose parts have zeros before them.
    """
    if "-" not in joined or "--" in joined or " " in joined:
        return False
    first = text[:at].rsplit(maxsplit=1)[-1:] or [""]
    last = text[at:].split(maxsplit=1)[:1] or [""]
    whole = f"{first[0]}{last[0]}".strip("().,;:")
    return whole.count("-") > 1 or any(part.startswith("0") and part.isdigit() for part in whole.split("-"))
