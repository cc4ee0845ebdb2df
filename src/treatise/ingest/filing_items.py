"""Parts and Items of annual and quarterly reports ("PART I", "Item 1A. Risk Factors") as headings, in any format."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.reading import Block

_PART: Final = re.compile(
    r"[\s*_|#]*(?P<title>(?:PART|Part)\s+(?:IV|I{1,3}))\b[\s.,:—–-]*(?P<rest>[^\n]{0,80})(?:\n|$)"
)
_ITEM: Final = re.compile(
    r"(?P<part>[\s*_|#]*(?:PART|Part)\s+(?:IV|I{1,3})\b[\s.,:—–-]*)?"
    r"(?P<head>[\s*_|#]*(?:ITEM|Item)\s+(?P<label>(?P<number>\d{1,2})[A-C]?)\b[\s.:|—–-]*(?P<rest>[^\n]{0,160}))(?:\n|$)"
)
_PAGE: Final = re.compile(r".*(?:\.{3}|\s{2}|\||\t|\s)\s*\d{1,3}[\s|]*")
_TITLE: Final = re.compile(
    r"[A-Z][^a-z]*|(?:[A-Z(][\w'’&,()\-]*|of|and|the|in|on|for|to|about|by|with|from|[\s,;.’'-])+"
)
_MARKS: Final = re.compile(r"[*_|#]+")
_MIN_ITEMS: Final = 3
_MIN_ITEM_CHARS: Final = 300
_SPOKEN: Final = (ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.HEADING, ParagraphKind.TABLE)


def with_item_headings(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with Parts and Items as the upper levels and other headings below them.

    At least three Items with increasing numbers are required. Entries of a table of contents do not count.
    """
    items = _items(blocks)
    if len(_rising([int(match["number"]) for match in items.values()])) < _MIN_ITEMS:
        return list(blocks)
    parts = _parts(blocks, items)
    n_levels = 2 if parts or any(match["part"] for match in items.values()) else 1
    first = min(items)
    others = [
        block.level
        for at, block in enumerate(blocks)
        if block.level and at > first and at not in items and at not in parts
    ]
    shift = max(0, n_levels + 1 - min(others, default=n_levels + 1))
    found: list[Block] = []
    for at, block in enumerate(blocks):
        if at in parts:
            found.append(_heading(block.text, 1))
        elif at in items:
            found += _split(block, items[at], n_levels)
        elif block.level and at > first:
            found.append(Block(block.kind, block.text, block.level + shift, block.title))
        else:
            found.append(block)
    return found


def _parts(blocks: Sequence[Block], items: Mapping[int, re.Match[str]]) -> set[int]:
    """Part headings: directly before an Item, or already headings; of duplicates the last."""
    last = {
        match["title"].lower(): at
        for at, block in enumerate(blocks)
        if (match := _PART.match(block.text)) and _is_part(block, match) and (at + 1 in items or block.level)
    }
    return {at for at in last.values() if at < max(items)}


def _items(blocks: Sequence[Block]) -> dict[int, re.Match[str]]:
    """The Items by block index."""
    matches = {at: match for at, block in enumerate(blocks) if (match := _ITEM.match(block.text))}
    if not matches:
        return {}
    ats = list(matches)
    last = {match["label"]: at for at, match in matches.items()}
    items = {}
    for at, following in zip(ats, [*ats[1:], len(blocks)], strict=True):
        n_chars = sum(len(block.text) for block in blocks[at:following]) - matches[at].end()
        is_announced = n_chars < _MIN_ITEM_CHARS and last[matches[at]["label"]] > at
        if _stands_as_title(blocks[at], matches[at]) and not is_announced and (following > at + 1 or n_chars > 0):
            items[at] = matches[at]
    return items


def _is_part(block: Block, match: re.Match[str]) -> bool:
    return block.kind in _SPOKEN and not block.text[match.end() :].strip()


def _stands_as_title(block: Block, match: re.Match[str]) -> bool:
    """Whether the text is in title case without a page number; in a table, only if it is the whole text."""
    rest = match["rest"].strip(" *_|#.:—–-")
    is_alone = not block.text[match.end() :].strip()
    is_title = not rest or (_TITLE.fullmatch(rest) is not None and _PAGE.fullmatch(rest) is None)
    return block.kind in _SPOKEN and is_title and (block.kind is not ParagraphKind.TABLE or is_alone)


def _rising(numbers: Sequence[int]) -> list[int]:
    """The numbers that exceed all earlier ones, in order."""
    found: list[int] = []
    for number in numbers:
        if not found or number > found[-1]:
            found.append(number)
    return found


def _split(block: Block, match: re.Match[str], level: int) -> Iterator[Block]:
    """The Part heading if on the same line, the Item heading, and the text after it."""
    start, end = match.start("head"), match.end()
    rest = block.text[end:]
    if start:
        yield _heading(block.text[:start], 1)
    if rest.strip():
        yield _heading(block.text[start:end], level)
        yield Block(ParagraphKind.PROSE, rest)
    else:
        yield _heading(block.text[start:], level)


def _heading(text: str, level: int) -> Block:
    return Block(ParagraphKind.HEADING, text, level, " ".join(_MARKS.sub(" ", text).split()))
