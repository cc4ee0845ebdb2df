"""Rule: every number of a statement is in the text, with its scale and unit; years and dates are numbers too."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import floor, isclose, log10
from typing import Final

from treatise.claims.difference import Difference, absence, contradiction
from treatise.claims.words import Text
from treatise.core.patterns import lazy_pattern

_ONES_TEXT: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ONES: Final = _ONES_TEXT.split()
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WRITTEN: Final = {word: float(i) for i, word in enumerate(_ONES)} | {
    word: 10.0 * i for i, word in enumerate(_TENS, start=2)
}
_ORDINALS: Final = {
    "third": 3.0, "fourth": 4.0, "fifth": 5.0, "sixth": 6.0, "seventh": 7.0, "eighth": 8.0, "ninth": 9.0,
    "tenth": 10.0, "eleventh": 11.0, "twelfth": 12.0, "thirteenth": 13.0, "fifteenth": 15.0, "sixteenth": 16.0,
    "seventeenth": 17.0, "eighteenth": 18.0, "nineteenth": 19.0, "twentieth": 20.0, "twenty-first": 21.0,
}  # fmt: skip
NUMBER_WORDS: Final = frozenset(_WRITTEN) | frozenset(_ORDINALS) | {"first", "second", "several", "half", "dozen"}
"""Numbers in letters."""

_SCALES: Final = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "mn": 1e6, "bn": 1e9, "tn": 1e12,
    "k": 1e3, "m": 1e6,
}  # fmt: skip
_UNITS: Final = {
    "second": ("time", 1.0), "sec": ("time", 1.0), "minute": ("time", 60.0), "min": ("time", 60.0),
    "hour": ("time", 3600.0), "day": ("time", 86400.0), "week": ("time", 604800.0), "fortnight": ("time", 1209600.0),
    "month": ("months", 1.0), "year": ("months", 12.0), "decade": ("months", 120.0), "century": ("months", 1200.0),
    "mm": ("length", 0.001), "cm": ("length", 0.01), "metre": ("length", 1.0), "meter": ("length", 1.0),
    "km": ("length", 1000.0), "kilometre": ("length", 1000.0), "kilometer": ("length", 1000.0),
    "foot": ("length", 0.3048), "feet": ("length", 0.3048), "inch": ("length", 0.0254), "mile": ("length", 1609.344),
    "yard": ("length", 0.9144),
    "kg": ("mass", 1000.0), "kilogram": ("mass", 1000.0), "gram": ("mass", 1.0), "tonne": ("mass", 1e6),
    "ton": ("mass", 1e6), "pound": ("pounds", 1.0), "ounce": ("mass", 28.35),
    "%": ("percent", 1.0), "percent": ("percent", 1.0), "per cent": ("percent", 1.0),
    "percentage point": ("points", 1.0), "‰": ("permille", 1.0), "per mille": ("permille", 1.0),
    "$": ("dollars", 1.0), "us$": ("dollars", 1.0), "usd": ("dollars", 1.0), "dollar": ("dollars", 1.0),
    "€": ("euros", 1.0), "eur": ("euros", 1.0), "euro": ("euros", 1.0), "cent": ("cents", 1.0),
    "£": ("pounds", 1.0), "gbp": ("pounds", 1.0), "¥": ("yen", 1.0), "yen": ("yen", 1.0),
    "byte": ("bytes", 1.0), "kb": ("bytes", 1e3), "mb": ("bytes", 1e6), "gb": ("bytes", 1e9),
    "word": ("words", 1.0), "sentence": ("sentences", 1.0), "token": ("tokens", 1.0), "page": ("pages", 1.0),
    "document": ("documents", 1.0), "character": ("characters", 1.0), "acre": ("acres", 1.0),
}  # fmt: skip
_UNIT_NAMES: Final = "|".join(sorted(filter(str.isalpha, _UNITS), key=len, reverse=True)).replace(
    "century", "centur(?:y|ies)"
)
_CONTEXT_SCALE: Final = lazy_pattern(r"\bin (?:US |U\.S\. )?[$€£]?\s?(thousand|million|billion)s\b", re.IGNORECASE)
_APPROXIMATE: Final = lazy_pattern(
    r"(?:about|around|approximately|roughly|nearly|almost|some|over|more than|~)\s*\Z", re.IGNORECASE
)
_QUANTITY: Final = lazy_pattern(
    r"(?P<currency>US\$|[$€£¥]|\b(?:USD|EUR|GBP)(?=\s?\d))?\s?"
    r"(?:(?<![\w.])(?P<digits>\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)*)(?P<suffix>st|nd|rd|th|s)?"
    rf"|\b(?P<written>(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(_ONES)})"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}))"
    rf"(?:[\s-]?(?P<scale>{'|'.join(_SCALES)})\b)?"
    rf"(?:[\s-]?(?P<unit>percentage points?|per ?cent\b|per mille\b|%|‰|US\$|[$€£]|(?:{_UNIT_NAMES})(?:e?s)?\b))?",
    re.IGNORECASE,
)
_VAGUE: Final = (
    lazy_pattern(r"\b(?:several|many|some|a few|few)\s+(dozen|hundred|thousand|million|billion)s?\b", re.IGNORECASE),
    lazy_pattern(r"\b(dozen|hundred|thousand|million|billion)s\b", re.IGNORECASE),
    lazy_pattern(
        r"\b(?:one|two|three|a)[ -](half|third|quarter|fourth|fifth|sixth|tenth|hundredth)s?\b", re.IGNORECASE
    ),
)
_YEAR: Final = lazy_pattern(r"(?:1[4-9]|20)\d\d")
_COUNTED: Final = 12.0  # written numbers up to this may count what the text lists
_DECADE: Final = 10
_EXACT: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its scale and unit.

    Attributes:
        value: With its scale, in the base of its dimension.
        dimension: Of a known unit; empty without one.
        text: As written.
        is_year: Whether it looks like a year.
        is_decade: Whether it is written like a decade, ``1990s``.
        is_written: Whether it is a number in letters.
        is_rounded: Whether the words before it say so.
        digits: Significant digits as written.
    """

    value: float
    dimension: str
    text: str
    is_year: bool = False
    is_decade: bool = False
    is_written: bool = False
    is_rounded: bool = False
    digits: int = 1


def differing_number(claim: str, text: str) -> Difference | None:
    """The first number of the statement that the text does not have.

    >>> differing_number("It cost $ 4.2 million.", "The cost was 4,200,000 dollars.")
    >>> differing_number("It cost 4.2 billion.", "The cost was 4.2 million.").reason
    'the answer says “4.2 billion”, the text “4.2 million”'
    """
    there = list(quantities(text))
    scales = [_SCALES[found.casefold()] for found in _CONTEXT_SCALE.findall(text)]
    for one in quantities(claim):
        if not any(_matches(one, other, scales) for other in there):
            return _difference(one, there)
    return None


def differing_magnitude(claim: Text, sentence: Text) -> Difference | None:
    """A vague size or a fraction of the statement that is another in the text.

    >>> differing_magnitude(Text("Several hundred came."), Text("Several dozen people came.")).reason
    'the answer says “hundred”, the text “dozen”'
    """
    for sizes in _VAGUE:
        here, there = (sizes.search(text.text) for text in (claim, sentence))
        if here and there and here.group(1).casefold() not in sentence.text.casefold():
            return contradiction("number", here.group(1), there.group(1))
    return None


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text, in digits and in letters, in order; the pronoun ``one`` and bare zeros are left out."""
    for found in _QUANTITY.finditer(text):
        is_word = bool(found["written"] or found["ordinal"])
        value = _value(found)
        if is_word and not found["scale"] and found["written"] and found["written"].casefold() in ("one", "zero"):
            continue
        dimension, factor = _unit(found)
        scale = _SCALES.get((found["scale"] or "").casefold(), 1.0)
        is_year = bool(found["digits"] and _YEAR.fullmatch(found["digits"])) and not dimension and scale == 1.0
        yield Quantity(
            value * scale * factor,
            dimension,
            _shown(found, dimension),
            is_year,
            is_decade=is_year and found["suffix"] == "s",
            is_written=is_word,
            is_rounded=bool(_APPROXIMATE.search(text, max(0, found.start() - 24), found.start())),
            digits=len((found["digits"] or "").replace(",", "").replace(".", "").strip("0")) or 1,
        )


def _value(found: re.Match[str]) -> float:
    if found["digits"]:
        return _number(found["digits"])
    if found["ordinal"]:
        return _ORDINALS[found["ordinal"].casefold()]
    return sum(_WRITTEN[part] for part in re.split(r"[- ]", found["written"].casefold()))


def _number(digits: str) -> float:
    """A number in English or continental notation."""
    plain = digits.replace("\u00a0", "").replace("\u202f", "")
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        return float(plain.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", plain) and plain.count(".") + plain.count(",") > 1:
        return float(plain.replace(".", "").replace(",", "."))
    if re.fullmatch(r"\d+,\d{1,2}", plain):
        return float(plain.replace(",", "."))
    parts = re.split(r"[.,]", plain)
    return float(".".join([parts[0], "".join(parts[1:])])) if len(parts) > 1 else float(plain)


def _unit(found: re.Match[str]) -> tuple[str, float]:
    name = (found["unit"] or "").casefold()
    singular = next(
        (one for one in (name, name.removesuffix("s"), name.removesuffix("ies") + "y") if one in _UNITS), ""
    )
    return _UNITS.get(singular) or _UNITS.get((found["currency"] or "").casefold(), ("", 1.0))


def _shown(found: re.Match[str], dimension: str) -> str:
    end = found.end("unit") if dimension and found["unit"] else found.start("unit") if found["unit"] else found.end()
    return found.string[found.start() : end].strip(" -")


def _matches(one: Quantity, other: Quantity, scales: Sequence[float]) -> bool:
    """Whether they are the same number, or the first is the second rounded."""
    if one.dimension and other.dimension and one.dimension != other.dimension:
        return False
    if one.is_decade or other.is_decade:
        return one.value // _DECADE == other.value // _DECADE
    return any(_is_equal(one, value) for value in chain((other.value,), (other.value * scale for scale in scales)))


def _is_equal(one: Quantity, value: float) -> bool:
    if isclose(one.value, value, rel_tol=_EXACT):
        return True
    if one.is_year or not value or not (one.is_rounded or one.digits > 1):
        return False
    digits = max(one.digits, 1)
    return isclose(one.value, _rounded(value, digits), rel_tol=_EXACT) and (one.is_rounded or "." in one.text)


def _rounded(value: float, digits: int) -> float:
    return round(value, digits - 1 - floor(log10(abs(value))))


def _difference(one: Quantity, there: Sequence[Quantity]) -> Difference | None:
    """A contradiction if the text has one number of this kind, else an absence; small counts may be of a list."""
    alike = [other for other in there if (other.dimension, other.is_year) == (one.dimension, one.is_year)]
    same_value = [
        other for other in there if isclose(other.value, one.value) or other.text.split()[0] == one.text.split()[0]
    ]
    rule = "year" if one.is_year else "number"
    if one.is_written and not one.dimension and one.value <= _COUNTED and not (alike and _has_letters(alike)):
        return None
    if nearest := same_value or (alike if len(alike) == 1 else []):
        return contradiction("unit" if same_value else rule, one.text, nearest[0].text)
    return absence(rule, one.text)


def _has_letters(others: Sequence[Quantity]) -> bool:
    """Whether the text has other numbers in letters, so that a count is not of a list."""
    return any(other.is_written for other in others)
