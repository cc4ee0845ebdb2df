"""Title, authors and date as the first lines of a document state them."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from treatise.core.dates import last_date, without_dates
from treatise.core.document import ParagraphKind
from treatise.core.letters import SALUTATION
from treatise.ingest.assemble import heading_title
from treatise.ingest.names import byline_names, stated_names
from treatise.ingest.reading import Block
from treatise.ingest.titles import is_sensible_title, without_marks

_LABELLED: Final = re.compile(
    r"(?:authors?|written by|author\(s\)|autor(?:en|es|in)?|auteurs?|verfasser|edited by|editors?|作者|著者|編集)"
    r"\s*[:：]\s*"
    r"(?P<names>.+)|(?:written |edited |compiled |created )?by\s+(?P<by>[^\W\d_].+)",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"(?:for the |as of )?(?:(?:fiscal |transition )?(?:year|quarter|period)|quarterly period) ended\b"
    r"|date of report\b|(?:publication |release |issue |effective |revision )?dated?\b\s*[:：]?"
    r"|(?:last )?(?:updated|revised|modified|changed)\b|published\b|printed\b|released?\b|ratified\b|adopted\b"
    r"|(?:version|edition|revision|release|rev\.|issue|v)\s*\d|arxiv:|stand[:\s]|veröffentlicht"
    r"|(?:dernière )?mise? à jour|发布|发行|更新|发布日期|公開|作成",
    re.IGNORECASE,
)
_ENDS_FRONT: Final = re.compile(
    r"\W*(?:\d[\d.]*\s+)?(?:abstract|summary|introduction|(?:table of )?contents|zusammenfassung|inhalt\w*|résumé|"
    r"sommaire|table des matières|samenvatting|resumen|índice|目录|目次|摘要|概要)\W*",
    re.IGNORECASE,
)
_NO_TITLE: Final = re.compile(
    r"(?:part|chapter|section|item|appendix|kapitel|teil|chapitre|partie|capítulo|parte|hoofdstuk)\s+[\divxlc]+\b.*"
    r"|(?:\d+(?:\.\d+)*\.?|[a-z]\))\s.*|第.{1,4}[章节節部].*"
    r"|(?:for immediate release|united states securities and exchange commission|preface|foreword|index|cover|"
    r"acknowledge?ments?|references|notes?|form \d+-[kq]|washington.*|dedication|copyright|legal notice|"
    r"about .{0,40}|usage:.*)\W*"
    r"|\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d.*",  # a message of a chat
    re.IGNORECASE,
)
_MAIL: Final = re.compile(r"\S+@\S+")
_OCCASION: Final = re.compile(
    r"(?!dated?\b).*(?:\b(?:agenda|call|meeting|minutes|newsletter|notes|report|session|standup|sitzung\w*|protokoll|"
    r"réunion|procès-verbal|acta|reunión|verbale|vergadering|notulen)\b|会议|会議|纪要|議事録|报告|報告)",
    re.IGNORECASE,
)
"""Beside a date, a document of a series: "Meeting 2025-03-05"."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_WORD_BESIDE: Final = re.compile(r"\b(?!\w+day\b)[^\W\d_]{4,}", re.IGNORECASE)
"""Beside what a date is of: "Release notes, 5 March 2024" is a title."""
_FIELD: Final = re.compile(r"(?P<key>[A-Z][\w-]*(?: [\w-]+)?)\s*[:：]\s*(?P<value>\S.*)")
_TITLE_KEYS: Final = frozenset(("title", "titel", "titre", "título", "titolo"))
_OF_PERSONS: Final = frozenset(
    ("name", "employee", "patient", "phone", "born", "birthday", "salary", "department", "ward")
)
"""Fields of a record of somebody, whose title is "Mr" or a post."""
_MIN_FIELDS: Final = 3
_MAX_FIELDS: Final = 15
_MAX_BYLINES: Final = 8
_MAX_HEAD_BLOCKS: Final = 3
"""Lines set as code or as columns may still be a title page."""
_MAX_DATE_LINES: Final = 60
_MAX_FRONT_CHARS: Final = 4_000
_MAX_LINE_CHARS: Final = 400
_MAX_BARE_CHARS: Final = 20
_SENTENCE: Final = re.compile(r"[a-z]{2}[.!?](?:\s+[A-Z]|$)")


def front_authors(blocks: Sequence[Block], title: str, *, is_marked: bool = False) -> tuple[tuple[str, ...], bool]:
    """The authors named by the first lines, and whether a word such as "by" says so; otherwise they stand below the
    title.

    ``is_marked`` says that the format marks headings and lists: those below the title are no names ("Bug Fixes").
    """
    lines = list(islice(_lines(blocks), _MAX_DATE_LINES))
    for at, line in enumerate(lines[: 2 * _MAX_BYLINES]):
        if names := _labelled(line, lines[at + 1 : at + 3]):
            return names, True
    if any(map(SALUTATION.fullmatch, lines)):
        return (), False  # the names below the head of a letter are those whom it addresses
    lines = list(islice(_lines(_opening(blocks, title)), _MAX_DATE_LINES)) if is_marked else lines
    below = [at for at, line in enumerate(lines[:_MAX_BYLINES]) if _same(line, title)]
    return (tuple(_names_below(lines[below[-1] + 1 :])), False) if below else ((), False)


def front_date(blocks: Sequence[Block]) -> str:
    """The date that the first lines state; a date in a sentence does not count. ``""`` if absent."""
    lines = list(islice(_lines(blocks), _MAX_DATE_LINES))
    for line in lines:
        label = _DATED.search(line)
        if label and label.start() < _MAX_BARE_CHARS and (found := last_date(line[label.start() :][:120])):
            return found
    bare = (line for line in _before_text(lines) if len(without_dates(line).strip(" ,.()–-")) < _MAX_BARE_CHARS)
    return next(filter(None, map(last_date, bare)), "")


def front_title(blocks: Sequence[Block], *, is_marked: bool = False) -> str:
    """The highest of the first headings that is no chapter, name or date; ``""`` if the first lines have none.

    What says hardly more than a date is a title above all others: "Retro 2025-03-05" above "Actions". If the format
    marks headings, the first one is not taken for a name ("Getting Started"), and none below the highest is a title.
    """
    headings = list(_headings(blocks, is_marked=is_marked))
    is_begin = (lambda block: block.level > 0) if is_marked else (lambda block: bool(block.text.strip()))
    first = next((at for at, block in enumerate(blocks) if is_begin(block)), 0)
    levels = sorted(level for level, _, _ in headings)
    fitting = [
        (level, at, title)
        for level, at, title in headings
        if may_be_title(title, is_first=at == first, is_top=levels[:2] != [level, level] and level == levels[0])
    ]
    if not fitting or (is_marked and min(fitting)[0] > levels[0] and not _is_dated(headings)):
        return ""
    return min(fitting)[2]


def _headings(blocks: Sequence[Block], *, is_marked: bool) -> Iterator[tuple[int, int, str]]:
    """The level, place and text of each heading; if marked, up to an abstract or introduction, and the deeper ones."""
    highest = math.inf
    for at, block in enumerate(blocks):
        title = without_marks(heading_title(block)) if block.level else ""
        if block.level and (block.level < highest or not is_marked):
            yield block.level, at, title
        if block.level and ends_front(title):
            highest = min(highest, block.level)


def field_title(blocks: Sequence[Block]) -> str:
    """The title in a list of fields at the beginning ("Title: …", "Author: …", "Status: …"); else ``""``."""
    lines = list(islice(_lines(blocks), _MAX_FIELDS))
    fields = [match for match in map(_FIELD.fullmatch, lines) if match]
    is_list = len(fields) >= _MIN_FIELDS and lines[:1] == [fields[0][0]]
    is_list = is_list and not any(match["key"].casefold() in _OF_PERSONS for match in fields)
    titles = (match["value"] for match in fields if match["key"].casefold() in _TITLE_KEYS)
    return next((title for title in titles if is_list and may_be_title(title)), "")


def ends_front(heading: str) -> bool:
    """Whether a heading is that of an abstract, an introduction or the contents."""
    return bool(_ENDS_FRONT.fullmatch(heading))


def _is_dated(headings: Sequence[tuple[int, int, str]]) -> bool:
    """Whether one heading above all others is a date, so that the title stands below it."""
    top = min(headings)[0]
    above = [title for level, _, title in headings if level == top]
    return len(above) == 1 and _only_dates(above[0], is_top=True)


def may_be_title(title: str, *, is_first: bool = True, is_top: bool = False) -> bool:
    """Whether a line may name the whole document: no chapter, no date; a person's name only at its beginning.

    ``is_top`` says that it is a heading above all others: then a date with a word is enough.
    """
    if not is_sensible_title(title) or _NO_TITLE.fullmatch(title) or _ENDS_FRONT.fullmatch(title):
        return False
    return not _only_dates(title, is_top=is_top) and (is_first or not byline_names(_MAIL.sub("", title)))


def _only_dates(title: str, *, is_top: bool) -> bool:
    """Whether a line is hardly more than a date, or says what happened then: "Last updated on 5 March 2020"."""
    rest = without_dates(title).strip()
    is_short = len(rest) < len(title) / 2 and not _OCCASION.match(rest) and not (is_top and _WORD.search(rest))
    is_label = rest != title and _DATED.match(rest) and not _WORD_BESIDE.search(_DATED.sub("", rest, count=1))
    return is_short or bool(is_label)


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of the first blocks, without marks of headings."""
    n_chars = 0
    for at, block in enumerate(blocks):
        if n_chars > _MAX_FRONT_CHARS:
            return
        n_chars += len(block.text)
        if at < _MAX_HEAD_BLOCKS or block.kind not in (ParagraphKind.CODE, ParagraphKind.TABLE):
            lines = (block.title or "").split("\n") if block.title else block.text[:_MAX_FRONT_CHARS].split("\n")
            yield from (stripped for line in lines if (stripped := " ".join(line.strip(" #*_=").split())))


def _opening(blocks: Sequence[Block], title: str) -> Iterator[Block]:
    """The blocks up to the first heading or list below the title."""
    is_below = False
    for block in blocks:
        if is_below and block.kind in (ParagraphKind.HEADING, ParagraphKind.LIST):
            return
        yield block
        is_below = is_below or _same(heading_title(block).strip(" #*_="), title)


def _labelled(line: str, after: Sequence[str]) -> tuple[str, ...]:
    """The names after "Author:" or "by" in a line; "by" alone takes them from the lines after it."""
    if line.lower() in ("by", "by:", "von", "par", "por"):
        return next(filter(None, map(byline_names, after)), ())
    found = _LABELLED.fullmatch(line)
    if found is None or len(line) > _MAX_LINE_CHARS:
        return ()
    return stated_names(found["names"]) if found["names"] else byline_names(found["by"])


def _names_below(lines: Sequence[str]) -> Iterator[str]:
    """The names in the lines below the title, up to the text."""
    found: dict[str, None] = {}
    for line in list(_before_text(lines))[:_MAX_BYLINES]:
        is_label = line.endswith((":", "："))
        names = byline_names(line) if len(line) <= _MAX_LINE_CHARS and not is_label else ()
        if found and not names:
            break
        found |= dict.fromkeys(names)
    yield from found


def _before_text(lines: Sequence[str]) -> Iterator[str]:
    """The lines before the abstract, the contents or the first sentences."""
    for line in lines:
        if _ENDS_FRONT.fullmatch(line) or len(_SENTENCE.findall(line)) > 1:
            return
        yield line


def _same(line: str, title: str) -> bool:
    return bool(title) and without_marks(line) == without_marks(title)
