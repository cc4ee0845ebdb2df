"""Table captions, and tables continued from the previous page."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.pdf_blocks import CAPTION, Group
from treatise.ingest.pdf_tables import PageTable

MAX_CAPTION_CHARS: Final = 300
_MAX_GROUPS: Final = 4
_SHORT_CHARS: Final = 200
_SAME_PLACE_PT: Final = 12.0
_UNIT = re.compile(r"[\[(]?.{0,80}\b(?:in|of)\s+(?:[A-Za-z$€£¥.]+\s+){0,3}(?:thousand|million|billion|percent|%)", re.I)
_LEAD_IN = re.compile(r"(?:\bfollow(?:s|ing)\b|\b(?:table|schedule|chart)s?\b|\bbelow\b)", re.IGNORECASE)
_LAST_SENTENCE = re.compile(r"(?:.*[.!?][\"”')]*\s+)?(?=[A-Z(\"“])(.+)", re.DOTALL)


def caption_of(texts: Sequence[str], groups: Sequence[Group], at: int) -> tuple[int, int] | None:
    """The caption of the table in group ``at``, as offsets from its first character; ``texts`` are the groups' texts.

    It consists of the headings, units ("in millions") and short lines directly above it on the page, or of the
    introducing sentence; else of a line below that begins with "Table 1".
    """
    first = at
    start = 0
    for before in range(at - 1, max(-1, at - 1 - _MAX_GROUPS), -1):
        part = _naming_part(texts[before], groups[before], groups[at])
        length = sum(len(texts[i]) + 2 for i in range(before + 1, at)) + len(part)
        if not part or length > MAX_CAPTION_CHARS:
            break
        first, start = before, len(texts[before]) - len(part)
        is_title = groups[before].kind is ParagraphKind.HEADING and not part.startswith("(")
        if part != texts[before] or is_title or CAPTION.match(part):
            break
    if first < at:
        back = sum(len(texts[i]) + 2 for i in range(first, at))
        return start - back, -2
    if at + 1 < len(texts) and CAPTION.match(texts[at + 1]) and texts[at + 1].lower().startswith("tab"):
        begin = len(texts[at]) + 2
        return begin, begin + min(len(texts[at + 1]), MAX_CAPTION_CHARS)
    return None


def _naming_part(text: str, group: Group, table: Group) -> str:
    """The part of a paragraph that captions the table below: a short paragraph, its last sentence, or nothing."""
    if group.kind is ParagraphKind.TABLE or group.lines[-1].page != table.lines[0].page:
        return ""
    if group.kind is ParagraphKind.HEADING or CAPTION.match(text) or (len(text) < _SHORT_CHARS and _UNIT.match(text)):
        return text
    if len(text) < _SHORT_CHARS and not text.endswith("."):
        return text
    match = _LAST_SENTENCE.fullmatch(text)
    last = match.group(1) if match else text
    return last if last.endswith(":") or _LEAD_IN.search(last) else ""


def goes_on(before: PageTable | None, table: PageTable, *, is_next_page: bool) -> bool:
    """Whether a table without a header continues one on the previous page: their columns align."""
    if before is None or not is_next_page or table.grid.heads or len(before.columns) != len(table.columns):
        return False
    ends = zip(before.columns, table.columns, strict=True)
    return all(min(abs(a[0] - b[0]), abs(a[1] - b[1])) < _SAME_PLACE_PT for a, b in ends)
