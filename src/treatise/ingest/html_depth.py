"""Bounds how far the parser of pages looks up from an element: its time grows with the square of the depth."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

_MAX_DEPTH: Final = 100  # of elements of one name that are open at a time, without a bound among them
_BOUND: Final = "marquee"
"""An element beyond which the parser does not look for open ones; it shows what it holds."""
_BLOCK_NAMES: Final = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup "
    "main map menu nav object ol pre section summary table template ul"
)
_BLOCKS: Final = frozenset(_BLOCK_NAMES.split())
_PHRASE_NAMES: Final = (
    "abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label legend mark q s samp small span strike "
    "strong sub sup time tt u var"
)
_PHRASES: Final = frozenset(_PHRASE_NAMES.split())
_UNNESTED: Final = (
    "!doctype a area base body br button caption col colgroup dd dt embed form frame h1 h2 h3 h4 h5 h6 head hr html "
    "iframe img input li link meta nobr option optgroup p param rb rp rt rtc script select source style tbody td "
    "textarea tfoot th thead title tr track wbr"
)
_CLOSED_BY_LIKES: Final = frozenset(_UNNESTED.split())
"""Elements that are empty, or that end where another one of their name begins."""
_OTHERS: Final = "span"
_MAY_HIDE: Final = re.compile(r"hidden|style|class|id\b|color", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?[a-zA-Z][^\s/<>]*)")
_PART: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title)\b.*?(?:</\1|\Z)|<(?P<end>/?)(?P<name>[a-zA-Z][^\s/<>]*)"
    r"(?P<rest>[^<>]*>?)",
    re.DOTALL | re.IGNORECASE,
)


def of_bounded_depth(page: str) -> str:
    """The page, with a bound around each hundredth of the elements of a name that are open; the page itself if none is.

    What is hidden stays within what hides it. Deeper phrases, such as ``<b>``, are their texts, unless they may hide
    these: in old pages, many are never ended.

    >>> of_bounded_depth("<div>" * 101 + "Tea") == "<div>" * 100 + "<marquee><div>Tea"
    True
    >>> of_bounded_depth("<b>" * 101 + "Tea" + "</b>" * 101) == "<b>" * 100 + "Tea" + "</b>" * 100
    True
    """
    return _with_bounds(page) if _is_deep(page) else page


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
    return name if name in _BLOCKS or name in _PHRASES else _OTHERS


def _with_bounds(page: str) -> str:
    opened: dict[str, _Opened] = defaultdict(_Opened)

    def bounded(part: re.Match[str]) -> str:
        key = _counted(part["name"] or "br")
        if not key or (key == _OTHERS and part["rest"].endswith("/>")):  # such as a path of a drawing
            return part.group()
        if part["end"]:
            return opened[key].end(part.group())
        return opened[key].begin(part.group(), is_plain=key not in _BLOCKS and not _MAY_HIDE.search(part["rest"]))

    return _PART.sub(bounded, page)


@dataclass(slots=True)
class _Opened:
    """The elements of a name that are open.

    Attributes:
        n_kept: How many of them are not left out.
    """

    n_kept: int = 0
    _after: list[str | None] = field(default_factory=list)  # what follows each end tag; None if it is left out

    def begin(self, tag: str, *, is_plain: bool) -> str:
        """A start tag, with a bound before it if it is due; empty if it is too deep and says nothing of its text."""
        if is_plain and self.n_kept >= _MAX_DEPTH:
            self._after.append(None)
            return ""
        is_due = self.n_kept > 0 and self.n_kept % _MAX_DEPTH == 0
        self.n_kept += 1
        self._after.append(f"</{_BOUND}>" if is_due else "")
        return f"<{_BOUND}>{tag}" if is_due else tag

    def end(self, tag: str) -> str:
        """The end tag of the last one that is open."""
        after = self._after.pop() if self._after else ""
        if after is None:
            return ""
        self.n_kept -= self.n_kept > 0
        return tag + after
