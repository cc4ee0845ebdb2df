"""A series within a sentence ("an A, a B, and a C"), of which a reader often names a part only."""

from collections.abc import Iterable
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.words import n_words

_BETWEEN: Final = lazy_pattern(r",\s+(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_INTRODUCED: Final = lazy_pattern(
    r".*(?:\b(?:of|are|is|were|was|be|includ\w+|compris\w+|contain\w*|named|called|following|have|has|by|with)\b|:)\s+"
)
_ARTICLE: Final = lazy_pattern(r"(?:an?|the)\s+")
_PATH: Final = r"(?:[$~.]?[\w.-]*/|[$~])[\w./$~{}*-]*[\w/}*]"
_ENDS_WITH_PATH: Final = lazy_pattern(rf"(?:^|[\s(\"'“]){_PATH}$")
_NEXT_PATH: Final = lazy_pattern(rf"(?:,? (?:and|or) |, )(?P<path>{_PATH})(?![\w/])")
_PREPOSITION: Final = lazy_pattern(r"(?:in|on|at|by|for|from|to|with|of|as|but)\s")
_LONGEST: Final = 5  # words of an item
_FEWEST: Final = 3  # items


def whole_series(text: str, start: int, end: int, asked_for: Iterable[str]) -> tuple[int, int]:
    """The span with all items of its series; else the span as it is.

    That is where it begins or ends inside an item, or where the series is introduced by words that are asked for.

    >>> text = "The officers are a Chair, a Chief Technical Officer, a Clerk, and all that they appoint for a year."
    >>> text[slice(*whole_series(text, 19, 34, ()))], text[slice(*whole_series(text, 19, 24, ["offic"]))]
    ('a Chair, a Chief Technical Officer, a Clerk', 'a Chair, a Chief Technical Officer, a Clerk')
    >>> text[slice(*whole_series(text, 19, 24, ()))]
    'Chair'
    >>> text = "The cities are Rome, Paris and Oslo, and in Bonn, Ulm and Jena we stayed."
    >>> text[slice(*whole_series(text, 21, 26, ["citie"]))]
    'Rome, Paris and Oslo'
    """
    items = _items(text)
    within = [at for at, (first, last) in enumerate(items) if first < end and start < last]
    first, last = min(within, default=0), max(within, default=0)
    while first > 0 and _is_item(text, items[first - 1]):
        first -= 1
    while last + 1 < len(items) and _is_item(text, items[last + 1]):
        last += 1
    series = items[first : last + 1] if all(_is_item(text, items[at]) for at in within) else []
    if len(series) < _FEWEST or start < series[0][0] or series[-1][1] < end:
        return start, end
    introduction = text[: series[0][0]].casefold()
    is_asked_for = any(word in introduction for word in asked_for)
    is_cut = any(_is_cut(text, items[at], start, end) for at in within)
    return (series[0][0], series[-1][1]) if is_cut or is_asked_for else (start, end)


def _items(text: str) -> list[tuple[int, int]]:
    """What stands between commas and conjunctions, each without the words that introduce it."""
    marks = [(mark.start(), mark.end()) for mark in _BETWEEN.finditer(text)]
    edges = zip([0, *(end for _, end in marks)], [*(start for start, _ in marks), len(text)], strict=True)
    return [(lead.end() if (lead := _INTRODUCED.match(text, *edge)) else edge[0], edge[1]) for edge in edges]


def _is_cut(text: str, item: tuple[int, int], start: int, end: int) -> bool:
    """Whether a span begins or ends inside an item; one without the article is whole."""
    article = _ARTICLE.match(text, *item)
    first = article.end() if article else item[0]
    return first < start < item[1] or first < end < item[1]


def _is_item(text: str, item: tuple[int, int]) -> bool:
    return 0 < n_words(text[slice(*item)]) <= _LONGEST and not _PREPOSITION.match(text, *item)


def with_further_paths(text: str, start: int, end: int) -> int:
    """The end of the last path of a series of which a span that ends with a path names the first ones.

    >>> text = "It reads /etc/tea.conf and $HOME/.tea.conf, in that order."
    >>> text[9 : with_further_paths(text, 9, 22)], text[3 : with_further_paths(text, 3, 8)]
    ('/etc/tea.conf and $HOME/.tea.conf', 'reads')
    """
    if _ENDS_WITH_PATH.search(text[start:end]):
        while found := _NEXT_PATH.match(text, end):
            end = found.end("path")
    return end
