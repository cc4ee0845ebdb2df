"""Detects headings in PDFs from bookmarks, and from size, weight and numbering relative to the body."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

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
_CONTENTS = re.compile(r"(?:table of )?contents\W*|inhalt\w*|table des matières|содержание|目录|目次", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:^|[\s.…])(\d{1,4})\s*\Z")
_ADMONITION = re.compile(
    r"(?:note|warning|important|tip|hint|caution|danger|attention|hinweis|achtung|warnung|vorsicht|wichtig|tipp|remarque|"
    r"avertissement|astuce|conseil|nota|advertencia|aviso|importante|consejo|nota bene|avvertenza|attenzione|opmerking|"
    r"waarschuwing|let op)\W*",
    re.IGNORECASE,
)
"""The head of a box beside the text, which names no section."""
_MATHS = re.compile(r"[=≠≈≡<>≤≥±×·∗∈∑∏∫√∂∇⊤⊗⊕θ-ωΓ-Ωα-η\uf8e0-\uf8ff]")
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u9fff\uac00-\ud7af]{2,}")
_MIN_SYMBOLS = 4
_BULLETS = "•‣◦▪●○■□∙·–—-"
_MIN_ENTRIES = 6
_END = (".", ",", ";", ":", "。", "，")
_SENTENCE = re.compile(r"[a-zß-ÿ]{3}[.!?][”\"»)]?(?=\s+[A-ZÀ-Þ]|\s*\Z)|。")
_LARGER = 1.08
_MAX_LINES = 4
_MAX_CHARS = 200
_MAX_LEVEL = 6
_RUNNING = 120  # characters of a paragraph that no address, name or date has


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, its depth from 1, and its 0-based page."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True, order=True)
class _Style:
    """A heading's typography; sorts from least to most prominent."""

    size: float
    is_bold: bool
    is_capital: bool


def mark_headings(groups: list[Group], setting: Setting, outline: Iterable[OutlineEntry]) -> None:
    """Sets each heading's kind and level.

    A bookmark's level is taken unchanged. Other levels follow from the number ("2.1" has level 2) or
    from numbered headings in the same style; styles without numbers rank by size and weight.
    """
    by_bookmark = _bookmarked(groups, outline)
    candidates = {at: _style(group) for at, group in enumerate(groups) if _is_candidate(group, setting)}
    title = _drop_front_matter(groups, candidates, by_bookmark)
    _drop_contents(groups, candidates, by_bookmark)
    numbers = {at: _depth(_text(groups[at])) for at in candidates}
    levels = _style_levels({at: style for at, style in candidates.items() if at != title}, {**numbers, **by_bookmark})
    above, in_contents = 0, False
    for at in sorted(candidates.keys() | by_bookmark.keys()):
        level = by_bookmark.get(at) or numbers[at]
        if not level:
            # a style alone does not skip a missing level
            is_top = at == title or _FRONT.match(_text(groups[at]))
            level = 1 if is_top else min(levels[candidates[at]], above + (not in_contents))
        above, in_contents = min(level, _MAX_LEVEL), _CONTENTS.fullmatch(_text(groups[at])) is not None
        groups[at].kind, groups[at].level, groups[at].is_float = ParagraphKind.HEADING, above, False


def _text(group: Group) -> str:
    return " ".join(line.text for line in group.lines)


def _folded(text: str) -> str:
    """Letters and digits only, for comparison."""
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
    if text[0] in _BULLETS or (text.startswith("(") and text.endswith(")")) or _ADMONITION.fullmatch(text):
        return False  # an item of a list, the unit of a table, a note
    if _is_formula(text):
        return False
    if len(text) > _MAX_CHARS or sum(map(str.isalpha, text)) < 2 or CAPTION.match(text) or CONTENTS_LINE.search(text):
        return False
    size = group.lines[0].size
    stands_out = size > _LARGER * setting.size or (
        group.lines[0].is_bold and not setting.is_bold and size > 0.95 * setting.size
    )
    ends_as_heading = not text.endswith(_END) or _depth(text) > 0 or size > 1.25 * setting.size
    return stands_out and ends_as_heading and (text[0].isupper() or not text[0].islower())


def _is_formula(text: str) -> bool:
    """Whether a text has a sign of mathematics, or several letters that stand alone, and hardly a word."""
    tokens = text.split()
    n_words = sum(_WORD.search(token) is not None for token in tokens)
    has_sign = _MATHS.search(text) is not None
    return 2 * n_words < len(tokens) and (has_sign or (n_words == 0 and len(tokens) >= _MIN_SYMBOLS))


def _depth(text: str) -> int:
    """A heading's depth from its number: 2 for "3.1 Data"; 0 without a number."""
    match = _NUMBER.match(text)
    if match is None or (match.group(1).isalpha() and text[match.end(1)] not in ".:"):
        return 0
    return match.group(1).count(".") + 1


def _bookmarked(groups: list[Group], outline: Iterable[OutlineEntry]) -> dict[int, int]:
    """Levels of the groups that match a bookmark on their page, ignoring numbers."""
    by_page: dict[int, list[OutlineEntry]] = {}
    for entry in outline:
        by_page.setdefault(entry.page, []).append(entry)
    found: dict[int, int] = {}
    for at, group in enumerate(groups):
        entries = by_page.get(group.lines[0].page, [])
        if not entries or len(group.lines) > _MAX_LINES:
            continue
        if _text(group)[0] in _BULLETS:
            continue  # an item of a list that has the words of a heading
        text = _folded(_text(group))
        for entry in entries:
            title = _folded(entry.title)
            if title and text.endswith(title) and len(text) <= len(title) + 12:
                found[at] = entry.level
                entries.remove(entry)
                break
    return found


def _drop_front_matter(groups: list[Group], candidates: dict[int, _Style], by_bookmark: dict[int, int]) -> int | None:
    """Keeps only the title among the large and bold type before the first page's text; the rest is names, addresses
    and dates.

    This stops at the first real heading of the page (an abstract, a numbered or a bookmarked heading), and at the first
    paragraph of running text. What stands right above that text in the type of a later heading is one too.
    Returns the index of the title's group.
    """
    first_page = [at for at in candidates if groups[at].lines[0].page == 0]
    front = next((at for at in first_page if _FRONT.match(_text(groups[at])) or at in by_bookmark), None)
    before = [at for at in first_page if front is None or at < front]
    title = max(before, key=lambda at: candidates[at].size, default=None)
    text = next(
        (at for at, group in enumerate(groups) if at not in candidates and _is_running_text(group)), len(groups)
    )
    later = {style for at, style in candidates.items() if at > text}
    for at in before:
        is_above_text = at == text - 1 and candidates[at] in later
        is_numbered = front is None and _depth(_text(groups[at])) > 0
        if at != title and at < text and not (is_numbered or is_above_text):
            del candidates[at]
    return title


def _is_running_text(group: Group) -> bool:
    """Whether a paragraph of the first page is long and has the end of a sentence."""
    text = _text(group)
    is_prose = _page(group) == 0 and group.kind is ParagraphKind.PROSE and not group.is_float
    return is_prose and len(text) >= _RUNNING and _SENTENCE.search(text) is not None


def _drop_contents(groups: list[Group], candidates: dict[int, _Style], by_bookmark: dict[int, int]) -> None:
    """Keeps only the first heading of a contents page; its entries are headings of other pages."""
    pages = contents_pages(groups)
    first = {at for page in pages for at in [min((c for c in candidates if _page(groups[c]) == page), default=-1)]}
    for at in [at for at in candidates if _page(groups[at]) in pages]:
        if at not in first and at not in by_bookmark:
            del candidates[at]


def contents_pages(groups: list[Group]) -> set[int]:
    """Pages where most lines end in ascending page numbers."""
    ends: dict[int, list[int | None]] = {}
    for group in groups:
        ends.setdefault(_page(group), []).extend(_ends_of(group))
    return {page for page, of_page in ends.items() if _is_ascending(of_page)}


def _ends_of(group: Group) -> list[int | None]:
    """The page number at the end of each line; None if absent."""
    table = group.lines[0].table
    texts = [row.cells[-1].text for row in table.grid.rows] if table else [line.text for line in group.lines]
    matches = [_PAGE_NUMBER.search(text) for text in texts]
    return [int(match.group(1)) if match else None for match in matches]


def _is_ascending(ends: list[int | None]) -> bool:
    pages = [page for page in ends if page is not None]
    n_ascending = sum(a <= b for a, b in pairwise(pages))
    return (
        len(pages) >= max(_MIN_ENTRIES, len(ends) / 2)
        and n_ascending >= 0.9 * (len(pages) - 1)
        and (pages[-1] > pages[0] + 1)
    )


def _page(group: Group) -> int:
    return group.lines[0].page


def _style_levels(candidates: dict[int, _Style], known: dict[int, int]) -> dict[_Style, int]:
    """A level per style: the most common known level of its headings, else one below the next larger style."""
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
