"""Answers which items of a list of dates lie within a range: "Which events are from March to May 2024?"."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from treatise.claims.words import stem
from treatise.core.answer import Answer, DirectAnswer
from treatise.core.dates import first_date
from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.generate.quoted import quoting
from treatise.generate.tabular.answered import is_tabular
from treatise.generate.tabular.asked import Op, asked_of_range, without_range
from treatise.generate.tabular.ranged import is_in_period
from treatise.generate.tabular.result import joined
from treatise.generate.tabular.words import light_of

_CONFIDENCE: Final = 0.85
_LEAST_ITEMS: Final = 3
_DAY: Final = 10  # characters of a day in ISO 8601
_ITEM: Final = lazy_pattern(r"\s*(?:[-*+•]|\d+[.)])?\s*(?P<date>[^:;|]{4,40}?\d)\s*(?:[:;|]|\s[–—-])\s*(?P<text>\S.*)")
_WORD: Final = lazy_pattern(r"[^\W\d_]+")
_NOT_HELD: Final = lazy_pattern(
    r"^(?:no|none|keine?)\b|\b(?:cancelled|canceled|postponed|abgesagt|verschoben)\b", re.IGNORECASE
)
"""An entry of what did not happen."""
_HAPPEN_TEXT: Final = (
    "take takes took place planned scheduled held happen happens held due dated issued finden statt findet"
)
_HAPPEN: Final = frozenset(_HAPPEN_TEXT.split())

_Item = tuple[Span, str, str]


def answer_from_dated_items(evidence: Evidence, document: Document) -> Answer | None:
    """The items, or their number; None if no list of dated items is called as the question calls it, or several are."""
    question = evidence.question
    asked = asked_of_range(question)
    if asked is None or asked.ends is None or asked.is_negated or is_tabular(document):
        return None
    low, high = (first_date(one) for one in (asked.ends.low, asked.ends.high))
    if (asked.ends.low and not low) or (asked.ends.high and not high) or (low > high != ""):
        return None
    words = _words(without_range(question, asked.ends), light_of(question) | _HAPPEN)
    lists = [items for above, items in _lists(document) if words and words <= above]
    if len(lists) != 1:
        return None
    found = [one for one in lists[0] if is_in_period(one[1], low, high, is_strict=asked.ends.is_strict)]
    if not found or any(_NOT_HELD.search(text) for _, _, text in found):
        return None
    short = str(len(found)) if asked.op is Op.COUNT else joined([text for _, _, text in found])
    kind = "computed" if asked.op is Op.COUNT else "list"
    direct = DirectAnswer(short, kind, _CONFIDENCE, tuple(range(len(found))))
    return quoting(evidence, ((document, span) for span, _, _ in found), direct)


def _lists(document: Document) -> Iterator[tuple[frozenset[str], list[_Item]]]:
    """The lists of which each item begins with a day, with the words of what stands above them."""
    pairs = [
        (one, list(_items(document, one.start, one.end)) if one.kind is ParagraphKind.LIST else [])
        for one in document.paragraphs
    ]
    at = 0
    for is_list, group in groupby(pairs, key=lambda pair: bool(pair[1])):
        members = list(group)
        if is_list:
            items = [item for _, found in members for item in found]
            before = pairs[at - 1][0] if at else None
            above = document.quote(before.start, before.end) if before else ""
            headings = " ".join(document.section_path(members[0][0].start))
            if len(items) >= _LEAST_ITEMS:
                yield _words(f"{document.title} {headings} {above}", frozenset()), items
        at += len(members)


def _items(document: Document, start: int, end: int) -> Iterator[_Item]:
    """The lines of a paragraph with their days; none if a line has none."""
    found: list[_Item] = []
    at = start
    for line in document.text[start:end].splitlines(keepends=True):
        begin, at = at, at + len(line)
        if not line.strip():
            continue
        span = Span(begin + len(line) - len(line.lstrip()), begin + len(line.rstrip()))
        match = _ITEM.fullmatch(line.rstrip())
        date = first_date(match["date"]) if match else ""
        if match is None or len(date) < _DAY:
            return
        found.append((span, date, match["text"].strip()))
    yield from found


def _words(text: str, without: frozenset[str]) -> frozenset[str]:
    words = (one.casefold() for one in _WORD.findall(text))
    return frozenset(stem(one) for one in words if one not in without)
