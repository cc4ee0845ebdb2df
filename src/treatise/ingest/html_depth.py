"""Bounds how deep the elements of a page nest: the parser's time grows with the square of the depth."""

import re
from collections import Counter
from typing import Final

_MAX_DEPTH: Final = 100  # of elements of one name that are open at a time; deeper ones become siblings
_NESTING: Final = (
    "abbr acronym address article aside b bdi bdo big blockquote center cite code data del details dfn dialog dir div "
    "dl em fieldset figcaption figure font footer header hgroup i ins kbd label legend main map mark menu nav object "
    "ol pre q s samp section small span strike strong sub summary sup table template time tt u ul var"
)
_NAMES: Final = frozenset(_NESTING.split())
_UNNESTED: Final = (
    "!doctype a area base body br button caption col colgroup dd dt embed form frame h1 h2 h3 h4 h5 h6 head hr html "
    "iframe img input li link meta nobr option optgroup p param rb rp rt rtc script select source style tbody td "
    "textarea tfoot th thead title tr track wbr"
)
_CLOSED_BY_LIKES: Final = frozenset(_UNNESTED.split())
"""Elements that are empty, or that end where another one of their name begins."""
_OTHERS: Final = "span"
_TAG: Final = re.compile(r"<(/?[a-zA-Z][^\s/<>]*)")
_PART: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title)\b.*?(?:</\1|\Z)|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/<>]*)"
    r"(?P<rest>[^<>]*>?)",
    re.DOTALL | re.IGNORECASE,
)


def of_bounded_depth(page: str) -> str:
    """The page, in which at most 100 elements of a name are open at a time; the page itself if that is so already.

    Browsers bound the depth as well, and read deeper elements as siblings. Their texts and attributes are kept.

    >>> of_bounded_depth("<b>" * 101 + "Tea" + "</b>" * 101) == "<b>" * 100 + "</b><b>Tea</b><b>" + "</b>" * 100
    True
    """
    return _flattened(page) if _is_deep(page) else page


def _is_deep(page: str) -> bool:
    depths: Counter[str] = Counter()
    for name in _TAG.findall(page):
        if name[0] == "/":
            key = _counted(name[1:])
            depths[key] -= depths[key] > 0
        else:
            key = _counted(name)
            depths[key] += 1
            if key and depths[key] > _MAX_DEPTH:
                return True
    return False


def _counted(name: str) -> str:
    """The name under which an element is counted; empty if it cannot nest in its like."""
    name = name.lower()
    if name in _CLOSED_BY_LIKES:
        return ""
    return name if name in _NAMES else _OTHERS


def _flattened(page: str) -> str:
    depths: Counter[str] = Counter()
    too_deep: Counter[str] = Counter()

    def flat(part: re.Match[str]) -> str:
        key = _counted(part["name"] or "br")
        if not key or (key == _OTHERS and part["rest"].endswith("/>")):  # such as a path of a drawing
            return part.group()
        if not part["end"]:
            if depths[key] < _MAX_DEPTH:
                depths[key] += 1
                return part.group()
            too_deep[key] += 1
            return f"</{key}><{key}{part['rest']}"
        if too_deep[key]:
            too_deep[key] -= 1
            return f"</{key}><{key}>"
        depths[key] -= depths[key] > 0
        return part.group()

    return _PART.sub(flat, page)
