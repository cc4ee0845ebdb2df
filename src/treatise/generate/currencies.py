"""Currencies by their signs and codes."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

SIGNS: Final = "$€£¥₹₩₽₺₴₪₫฿₦₱"
CODES: Final = "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|SEK|SGD|TRY|USD|ZAR"
_CURRENCY: Final = lazy_pattern(rf"[{SIGNS}]|\b(?:{CODES})\b", re.IGNORECASE)
_CODE_OF: Final = {"€": "EUR", "£": "GBP", "₹": "INR"}
"""Of signs that only one currency has."""


def same_unit(unit: str) -> str:
    """The code of a currency that is named by a sign of its own or in lower case; any other unit as it is.

    >>> same_unit("€"), same_unit("eur"), same_unit("$"), same_unit("km")
    ('EUR', 'EUR', '$', 'km')
    """
    code = unit.upper()
    return _CODE_OF.get(unit, code if _CURRENCY.fullmatch(code) else unit)


def currencies_in(text: str) -> set[str]:
    """The currencies that a text names, as `same_unit` has them."""
    return {same_unit(match[0]) for match in _CURRENCY.finditer(text)}
