"""Groups lines into paragraphs by gaps, indents, fonts and list markers, and joins them across columns and pages."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from treatise.core.document import ParagraphKind
from treatise.ingest.pdf_layout import Line

_BULLET = re.compile(r"(?:[•‣◦▪●○■□∙·]|[-–—*](?=\s))\s*\S")
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,3}\])\s+\S")
CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)|Table|Listing|Algorithm|Abbildung|Tabelle|Рис(?:унок|\.)|Таблица|图|表)\s*[A-Z]?\.?\d"
)
CONTENTS_LINE = re.compile(r"\.{3}\s*(?:\d+|[ivxlc]+)\s*\Z")
_SECTION_NUMBER = re.compile(r"\d+(?:\.\d+)*\.?\s?")
_SENTENCE_END = re.compile(r"[.!?:…。！？：؟][\"'”’»」』)\]]*(?:\d{1,2})?\s*\Z")
_LABEL = re.compile(
    r"(?:chapter|part|appendix|book|kapitel|teil|chapitre|partie|cap[ií]tulo|parte|глава|часть)"
    r"(?:\s+(?:\d{1,3}|[IVXLC]{1,7}|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))?[.:]?",
    re.IGNORECASE,
)
_MAX_TITLE_LINES = 4
_SMALL = 0.93  # relative to the body's size: footnotes, captions
_SAME_SIZE = 0.06
_INDENT_EM = 0.8
_MAX_INDENT_EM = 4.0


@dataclass(frozen=True, slots=True)
class Setting:
    """Typography of a document's body.

    Attributes:
        size: Font size of most of its characters.
        leading: Distance between baselines, in font sizes.
        is_bold: Whether most characters are bold, so that boldness carries no information.
    """

    size: float
    leading: float
    is_bold: bool


@dataclass(slots=True)
class Group:
    """The lines and type of one paragraph.

    Attributes:
        level: Heading level; 0 for other groups.
        is_float: Whether it is a footnote, caption or table that may interrupt a paragraph.
    """

    lines: list[Line]
    kind: ParagraphKind = ParagraphKind.PROSE
    level: int = 0
    is_float: bool = False


def merge_chapter_labels(groups: list[Group], setting: Setting) -> list[Group]:
    """Merges "Chapter 3" on its own line with the title below, to form one heading."""
    merged: list[Group] = []
    for group in groups:
        label = merged[-1] if merged else None
        line = group.lines[0]
        if (
            label
            and _LABEL.fullmatch(" ".join(part.text for part in label.lines))
            and label.lines[0].page == line.page
            and (line.is_bold or line.size > setting.size)
            and len(group.lines) <= _MAX_TITLE_LINES
        ):
            label.lines += group.lines
        else:
            merged.append(group)
    return merged


def setting_of(lines: Iterable[Line]) -> Setting:
    """The document's usual font size, leading and weight."""
    sizes: Counter[float] = Counter()
    gaps: Counter[float] = Counter()
    n_bold = 0
    before: Line | None = None
    whole = list(lines)
    for line in [line for line in whole if line.table is None] or whole:
        sizes[line.size] += len(line.text)
        n_bold += len(line.text) * line.is_bold
        if before and before.region == line.region and before.size == line.size and line.size > 0:
            gap = round((before.y - line.y) / line.size, 1)
            gaps[gap] += 0.8 < gap < 3
        before = line
    size = sizes.most_common(1)[0][0]
    leading = gaps.most_common(1)[0][0] if gaps.total() else 1.2
    return Setting(size, leading, n_bold > sizes.total() / 2)


def group_lines(lines: list[Line], setting: Setting) -> list[Group]:
    """The paragraphs of each region, not yet joined across regions."""
    if not lines:
        return []
    groups = [_new_group(lines[0], setting)]
    for before, line in pairwise(lines):
        group = groups[-1]
        if before.table or line.table or _starts_paragraph(group, line, setting):
            groups.append(_new_group(line, setting))
        else:
            group.lines.append(line)
    return groups


def _new_group(line: Line, setting: Setting) -> Group:
    is_small = line.size < _SMALL * setting.size
    if line.table:
        return Group([line], ParagraphKind.TABLE, is_float=True)
    if line.is_mono:
        return Group([line], ParagraphKind.CODE, is_float=is_small)
    if _BULLET.match(line.text) or _NUMBERED.match(line.text) or CONTENTS_LINE.search(line.text):
        return Group([line], ParagraphKind.LIST, is_float=is_small)
    return Group([line], is_float=is_small or CAPTION.match(line.text) is not None)


def _is_near(before: Line, line: Line, setting: Setting, factor: float) -> bool:
    return 0 <= before.y - line.y <= factor * setting.leading * max(before.size, line.size)


def _starts_paragraph(group: Group, line: Line, setting: Setting) -> bool:
    before = group.lines[-1]
    if before.region != line.region or not _is_near(before, line, setting, 1.25):
        return True
    if abs(before.size - line.size) > _SAME_SIZE * max(before.size, line.size):
        return True
    if group.kind is ParagraphKind.CODE or (line.is_mono and (not before.ends_mono or _has_room(before, line))):
        return not (group.kind is ParagraphKind.CODE and line.is_mono)
    if CONTENTS_LINE.search(before.text) or _BULLET.match(line.text):
        return True
    if CONTENTS_LINE.search(line.text):
        return _SECTION_NUMBER.match(line.text) is not None or not _SECTION_NUMBER.match(before.text)
    if before.is_bold != line.is_bold:
        return True
    if _NUMBERED.match(line.text) and (_begins_item(group, line) or _ends_early(before, line)):
        return True
    if _are_centred(before, line):
        return False
    return _is_moved(group, line) or _ends_early(before, line)


def _begins_item(group: Group, line: Line) -> bool:
    """Whether the marker aligns with the list's markers and not with its text."""
    return group.kind is ParagraphKind.LIST and line.x0 < group.lines[0].x0 + 0.5 * line.size


def _are_centred(before: Line, line: Line) -> bool:
    """Whether both lines share a centre but neither edge."""
    off_centre = (before.x0 + before.x1 - line.x0 - line.x1) / 2
    return abs(off_centre) < 0.3 * line.size and abs(before.x0 - line.x0) > _INDENT_EM * line.size


def _is_moved(group: Group, line: Line) -> bool:
    """Whether the line starts to the left or right of the paragraph's lines."""
    em = line.size
    shift = line.x0 - group.lines[-1].x0
    if len(group.lines) > 1:
        return abs(shift) > _INDENT_EM * em
    if shift < 0:  # the return from a first-line indent
        return -shift > _MAX_INDENT_EM * em
    is_full = not _has_room(group.lines[-1], line)
    if is_full and line.text[:1].islower():  # below a term, however far its definition is indented
        return False
    hangs = group.kind is ParagraphKind.LIST or is_full
    return shift > (_MAX_INDENT_EM if hangs else _INDENT_EM) * em


def _has_room(before: Line, line: Line) -> bool:
    return before.x1 + line.first_width + before.size < before.right


def _ends_early(before: Line, line: Line) -> bool:
    """Whether the previous line ends a sentence, or ends early although the next word would have fitted."""
    if not _has_room(before, line):
        return False
    if _SENTENCE_END.search(before.text):
        return True
    return before.x1 - before.left < 0.6 * (before.right - before.left) and not line.text[:1].islower()


def join_groups(groups: list[Group], setting: Setting) -> list[Group]:
    """Joins paragraphs across columns and pages if a sentence continues.

    Floats between the two parts (footnotes, captions, tables) go before them if on the first part's
    page, else after them, so that pages stay in order.
    """
    uses_indents = _uses_indents(groups)
    joined: list[Group] = []
    open_at: int | None = None  # index of the last non-float paragraph
    for group in groups:
        if group.is_float:
            joined.append(group)
        elif open_at is not None and _goes_on(joined[open_at], group, setting, uses_indents=uses_indents):
            open_at = _merge(joined, open_at, group)
        else:
            joined.append(group)
            open_at = len(joined) - 1
    return joined


def _uses_indents(groups: list[Group]) -> bool:
    """Whether paragraphs are indented, so that a first line without an indent continues the previous one."""
    prose = [group.lines for group in groups if group.kind is ParagraphKind.PROSE and len(group.lines) > 2]
    n_indented = sum(lines[0].x0 - lines[1].x0 > _INDENT_EM * lines[0].size for lines in prose)
    return n_indented > 0.3 * len(prose)


def _goes_on(before: Group, group: Group, setting: Setting, *, uses_indents: bool) -> bool:
    last, first = before.lines[-1], group.lines[0]
    same_setting = abs(last.size - first.size) <= _SAME_SIZE * setting.size and last.is_bold == first.is_bold
    prose = (ParagraphKind.PROSE, ParagraphKind.LIST)
    if before.level or group.level or before.kind not in prose or group.kind is not ParagraphKind.PROSE:
        return False
    if last.region == first.region or not same_setting:
        return False
    if first.text[0].islower():
        return not last.text.endswith((":", "!", "?"))
    is_full = last.right - last.x1 < first.first_width + last.size
    if not is_full or _SENTENCE_END.search(last.text):
        is_flush = first.x0 - first.left < 0.5 * first.size
        return is_full and is_flush and uses_indents and last.right - last.x1 < last.size
    return True


def _merge(joined: list[Group], at: int, group: Group) -> int:
    """Appends a group's lines to the paragraph `at`, moving floats in between; returns the paragraph's new index."""
    paragraph, floats = joined[at], joined[at + 1 :]
    page = paragraph.lines[0].page
    before = [other for other in floats if other.lines[0].page <= page]
    after = [other for other in floats if other.lines[0].page > page]
    paragraph.lines += group.lines
    joined[at:] = [*before, paragraph, *after]
    return at + len(before)
