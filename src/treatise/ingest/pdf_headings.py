"""Headings of a PDF: by its outline, and by size, weight and numbers against the body's."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from treatise.core.document import ParagraphKind
from treatise.ingest.pdf_blocks import CAPTION, CONTENTS_LINE, Group, Setting

_NUMBER = re.compile(
    r"(?:(?:chapter|section|part|appendix|kapitel|глава)\s+)?((?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*)[.:]?\s+\S",
    re.IGNORECASE,
)
_FRONT = re.compile(
    r"(?:abstract|(?:\d+\.?\s+)?introduction|contents|table of contents|references|zusammenfassung|摘要)\W*\Z",
    re.IGNORECASE,
)
_END = (".", ",", ";", ":", "。", "，")
_LARGER = 1.08
_MAX_LINES = 4
_MAX_CHARS = 200
_MAX_LEVEL = 6


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, its depth from 1, and its 0-based page."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True, order=True)
class _Style:
    """How a heading is set; sorts from the least to the most prominent."""

    size: float
    is_bold: bool
    is_capital: bool


def mark_headings(groups: list[Group], setting: Setting, outline: Iterable[OutlineEntry]) -> None:
    """Give each heading its kind and level.

    A bookmark's level is taken as it stands. Any other heading's follows from its number ("2.1" is of level 2) or
    from the style that it shares with numbered ones; styles without a number rank by size and weight.
    """
    by_bookmark = _bookmarked(groups, outline)
    candidates = {at: _style(group) for at, group in enumerate(groups) if _is_candidate(group, setting)}
    title = _drop_front_matter(groups, candidates, by_bookmark)
    numbers = {at: _depth(_text(groups[at])) for at in candidates}
    levels = _style_levels({at: style for at, style in candidates.items() if at != title}, {**numbers, **by_bookmark})
    above = 0
    for at in sorted(candidates.keys() | by_bookmark.keys()):
        level = by_bookmark.get(at) or numbers[at]
        if not level:
            # a style alone opens no level below one that is missing
            level = 1 if at == title or _FRONT.match(_text(groups[at])) else min(levels[candidates[at]], above + 1)
        above = min(level, _MAX_LEVEL)
        groups[at].kind, groups[at].level, groups[at].is_float = ParagraphKind.HEADING, above, False


def _text(group: Group) -> str:
    return " ".join(line.text for line in group.lines)


def _folded(text: str) -> str:
    """Letters and digits alone, for comparison."""
    return "".join(c for c in text.lower() if c.isalnum())


def _style(group: Group) -> _Style:
    line = group.lines[0]
    text = _text(group)
    return _Style(round(line.size * 2) / 2, line.is_bold, text == text.upper() != text.lower())


def _is_candidate(group: Group, setting: Setting) -> bool:
    text = _text(group)
    if any(line.n_wide_gaps and line.text[-1].isdigit() for line in group.lines):
        return False  # a chapter in a table of contents
    if group.kind in (ParagraphKind.TABLE, ParagraphKind.CODE) or len(group.lines) > _MAX_LINES:
        return False
    if text.startswith("(") and text.endswith(")"):
        return False  # the unit of a table, a note
    if len(text) > _MAX_CHARS or sum(map(str.isalpha, text)) < 2 or CAPTION.match(text) or CONTENTS_LINE.search(text):
        return False
    size = group.lines[0].size
    stands_out = size > _LARGER * setting.size or (
        group.lines[0].is_bold and not setting.is_bold and size > 0.95 * setting.size
    )
    ends_as_heading = not text.endswith(_END) or _depth(text) > 0 or size > 1.25 * setting.size
    return stands_out and ends_as_heading and (text[0].isupper() or not text[0].islower())


def _depth(text: str) -> int:
    """How deep a numbered heading lies by its number: 2 for "3.1 Data"; 0 without a number."""
    match = _NUMBER.match(text)
    if match is None or (match.group(1).isalpha() and text[match.end(1)] not in ".:"):
        return 0
    return match.group(1).count(".") + 1


def _bookmarked(groups: list[Group], outline: Iterable[OutlineEntry]) -> dict[int, int]:
    """Levels of the groups that say what a bookmark on their page says, numbers aside."""
    by_page: dict[int, list[OutlineEntry]] = {}
    for entry in outline:
        by_page.setdefault(entry.page, []).append(entry)
    found: dict[int, int] = {}
    for at, group in enumerate(groups):
        entries = by_page.get(group.lines[0].page, [])
        if not entries or len(group.lines) > _MAX_LINES:
            continue
        text = _folded(_text(group))
        for entry in entries:
            title = _folded(entry.title)
            if title and text.endswith(title) and len(text) <= len(title) + 12:
                found[at] = entry.level
                entries.remove(entry)
                break
    return found


def _drop_front_matter(groups: list[Group], candidates: dict[int, _Style], by_bookmark: dict[int, int]) -> int | None:
    """Keep of the first page's large and bold type the title alone: the rest is names, addresses and dates.

    On a page that also holds a heading (an abstract's, a numbered or a bookmarked one) this ends there.
    Returns the index of the title's group.
    """
    first_page = [at for at in candidates if groups[at].lines[0].page == 0]
    front = next((at for at in first_page if _FRONT.match(_text(groups[at])) or at in by_bookmark), None)
    before = [at for at in first_page if front is None or at < front]
    title = max(before, key=lambda at: candidates[at].size, default=None)
    for at in before:
        if at != title and not (front is None and _depth(_text(groups[at]))):
            del candidates[at]
    return title


def _style_levels(candidates: dict[int, _Style], known: dict[int, int]) -> dict[_Style, int]:
    """A level for each style: the usual one of its headings that have one, else one below the next larger style."""
    votes: dict[_Style, Counter[int]] = {style: Counter() for style in candidates.values()}
    for at, style in candidates.items():
        if known.get(at):
            votes[style][known[at]] += 1
    levels: dict[_Style, int] = {}
    above = 0
    for style in sorted(votes, reverse=True):
        above = votes[style].most_common(1)[0][0] if votes[style] else above + 1
        levels[style] = above
    return levels
