"""Tables of contents: their entries identify headings but are not headings themselves."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.reading import Block

_LABEL: Final = re.compile(
    r"\W*(?:table of contents|contents|inhalt(?:sverzeichnis)?|sommaire|table des mati[èe]res|[íi]ndice|目录|目次)\W*",
    re.IGNORECASE,
)
_ENTRY: Final = re.compile(
    r"(?P<title>[^\s.…].{0,158}?)(?P<gap>\s?(?:\.\s?){3,}|\s*…+|\s{2,}|\t+|\s*\|\s*|\s)\s*(?:\d{1,4}|[ivxlc]{1,6})"
)
_NUMBER: Final = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3})*)\.?\s")
_ITEM: Final = re.compile(r"item\s+\d", re.IGNORECASE)
_MARKS: Final = re.compile(r"[#*_|\s]+")
_BULLET: Final = re.compile(r"\s*(?:[-*+•]|\|)?\s*")
_TITLED: Final = (ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.HEADING)
_MIN_ENTRIES: Final = 3
_MAX_ZONE_BLOCKS: Final = 600
_MAX_TITLE_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class _Zone:
    """The blocks ``[start, end)`` of a table of contents after its label, and its entries with their depths."""

    start: int
    end: int
    depths: dict[str, int]


def with_contents(blocks: Sequence[Block]) -> list[Block]:
    """The blocks with contents entries as list items, and later lines that match an entry as headings."""
    found = list(blocks)
    zone = _zone(found)
    if zone is None:
        return found
    for at in range(zone.start, zone.end):
        if found[at].level:
            found[at] = Block(ParagraphKind.LIST, found[at].text)
    levels = _levels(found[zone.end :], zone.depths)
    for at in range(zone.end, len(found)):
        key = _key(found[at].text) if _is_line(found[at]) and not found[at].level else ""
        if key in zone.depths:
            found[at] = Block(ParagraphKind.HEADING, found[at].text, levels.get(zone.depths[key], zone.depths[key]))
    return found


def _zone(blocks: Sequence[Block]) -> _Zone | None:
    """The first table of contents: a label followed by three or more entries."""
    for at, block in enumerate(blocks):
        if len(block.text) < 80 and _LABEL.fullmatch(block.text):
            end, depths = _entries(blocks, at + 1)
            if len(depths) >= _MIN_ENTRIES:
                return _Zone(at + 1, end, depths)
    return None


def _entries(blocks: Sequence[Block], start: int) -> tuple[int, dict[str, int]]:
    """The end of the entries after `start`, and their depths by title; they end at the first repeated title."""
    counts = Counter(_key(block.text) for block in blocks[start:] if _is_line(block))
    depths: dict[str, int] = {}
    end = start
    while end < min(len(blocks), start + _MAX_ZONE_BLOCKS):
        titles = [_entry_title(line, counts) for line in blocks[end].text.splitlines() if line.strip()]
        if not all(titles) or any(_key(title) in depths for title in titles):
            break
        depths |= {_key(title): _depth(title) for title in titles}
        end += 1
    return end, depths


def _entry_title(line: str, counts: Counter[str]) -> str:
    """The title in a contents entry; ``""`` for any other line.

    An entry ends with a page number after a gap, or equals a line elsewhere in the text.
    """
    line = line[_BULLET.match(line).end() :].rstrip(" \t|")  # type: ignore[union-attr]  # the pattern always matches
    if (match := _ENTRY.fullmatch(line)) and (match["gap"] != " " or counts[_key(match["title"])]):
        return match["title"]
    return line if counts[_key(line)] > 1 else ""


def _levels(blocks: Sequence[Block], depths: dict[str, int]) -> dict[int, int]:
    """The level of the headings found by the reader, by the depth of their contents entries."""
    seen: dict[int, Counter[int]] = {}
    for block in blocks:
        if block.level and (depth := depths.get(_key(block.title or block.text))):
            seen.setdefault(depth, Counter())[block.level] += 1
    return {depth: levels.most_common(1)[0][0] for depth, levels in seen.items()}


def _is_line(block: Block) -> bool:
    return len(block.text) <= _MAX_TITLE_CHARS and "\n" not in block.text.strip() and block.kind in _TITLED


def _key(text: str) -> str:
    """A title without markup, case and final punctuation."""
    return _MARKS.sub(" ", text).strip(" .:").lower()


def _depth(title: str) -> int:
    if match := _NUMBER.match(title):
        return match["number"].count(".") + 1
    return 2 if _ITEM.match(title) else 1
