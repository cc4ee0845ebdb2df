"""Dates of releases: what changed in a version happened on the date in the heading above it.

A release line is a heading, or a line of its own, that has a version with a date ("## 2.4.0 (2024-10-29)"), or a date
alone. The line below a version may be its date; without one the version says when ("version 2.4.0"). An entry of a
Debian changelog has its date in the line " -- Name <address>  date" below it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.evidence import Passage
from treatise.core.patterns import lazy_pattern
from treatise.generate.fitting import ANY_MONTH
from treatise.generate.identifiers import is_same_version

DATE: Final = lazy_pattern(
    rf"\b\d{{4}}[-/]\d\d?[-/]\d\d?\b|\b\d{{1,2}}(?:st|nd|rd|th|\.)?[ -]{ANY_MONTH}[ ,-]+\d{{4}}\b|"
    rf"\b{ANY_MONTH} (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?\d{{4}}\b|\b\d{{1,2}}([./])\d{{1,2}}\1(?:19|20)\d\d\b|"
    r"(?<=\()(?:19|20)\d\d(?=\))",
    re.IGNORECASE,
)
"""A day, a month or, in brackets, a year."""
_VERSION: Final = lazy_pattern(r"(?<![\w.])v?\d+(?:\.\w+)+(?:[~+-][\w.~+-]*)?")
_SECTION: Final = lazy_pattern(r"\d+\.\d+\.?\s+[^\W\d]{2}")  # "2.1 Changes of May 2020"
_NUMBERED: Final = lazy_pattern(r"\W*(?:version |release )?v?\d+(?:\.\w+)+\b", re.IGNORECASE)
"""What a release line that ends with a colon begins with."""
_UNDATED: Final = lazy_pattern(
    r"\W*(?:(?:[A-Za-z][\w+-]* )?(?:version |release )?v?\d+(?:\.\w+)+(?:[~+-][\w.~+-]*)?(?:\s*[(–—-].{0,30})?|"
    r"unreleased|next(?: release| version)?|upcoming(?: release)?|(?:in )?development(?: version)?|head|master)\W*",
    re.IGNORECASE,
)
"""A version alone, with the name before it or a nickname after it, or what is not released yet."""
_PREFIX: Final = lazy_pattern(
    r"^\W*(?:what['’]?s new in|(?:[\w-]+ )?(?:changes|news|features|fixes) (?:in|for|of)|new in|"
    r"release notes (?:for|of))\s+",
    re.IGNORECASE,
)
"""What a release line may begin with: "Noteworthy changes in release 4.9 (2022-11-06)"."""
_MARKS_AROUND: Final = " []#*_:"
_RULE: Final = " \t\n-=*_~#"
_LINK: Final = lazy_pattern(r"\[(?P<text>[^\[\]]*)\](?:\([^)]*\))?|<[^>]*>")
_MARKS: Final = re.compile(r"(?:#{1,6}\s+)?")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LONGEST: Final = 300  # characters of a release line, with its links
_MOST_WORDS: Final = 3  # besides the version and the date
_DATED: Final = (ParagraphKind.HEADING, ParagraphKind.PROSE, ParagraphKind.VERSE)

_ENTRY: Final = lazy_pattern(r"^[a-z0-9][a-z0-9+.-]+ \(([^)\s]+)\) [^;\n]+;.*$", re.MULTILINE)
_TRAILER: Final = lazy_pattern(r"^ -- [^<\n]*<[^>\n]*>  (.*)$", re.MULTILINE)

_PAST: Final = lazy_pattern(
    r"(?:since )?(?:when|(?:in|on|at) (?:which|what) (?:year|month|day|date)) (?:was|were|did|has|have|had)\b|"
    r"since when\b|(?:seit )?wann (?:wurden?|hat|haben|ist|sind|kam)\b|(?:depuis )?quand (?:a|ont|est|sont)\b|"
    r"¿?cuándo (?:se|fue)\b",
    re.IGNORECASE,
)
_OUT: Final = r"(?:released|published|issued|out|come out|appear|launched|veröffentlicht|erschienen|publiée?|sortie?)"
_RELEASED: Final = lazy_pattern(
    rf"(?:when|on (?:which|what) (?:day|date)|wann|quand) (?:was|is|did|wurde|ist|a été|est) (?P<name>.*?)\bv?"
    rf"(?P<number>\d+(?:\.\w+)+)\s+(?:first |officially )?{_OUT}\W*$|"
    r"what (?:is|was) the release date (?:of|for) (?P<name2>.*?)\bv?(?P<number2>\d+(?:\.\w+)+)\W*$",
    re.IGNORECASE,
)
_YEAR: Final = lazy_pattern(r"\b(?:in|since|until|by) (?:19|20)\d\d\b", re.IGNORECASE)
_NOT_DONE: Final = lazy_pattern(
    r"\b(?:will|would|should|may|might|plan(?:s|ned)?|propos(?:e|es|ed|al)|deprecat\w+|not (?:yet )?\w+|revert\w*|"
    r"undo\w*|undid|re-?(?:add|introduc|enabl|instat|stor)\w*)\b",
    re.IGNORECASE,
)
_REMOVES: Final = lazy_pattern(
    r"\b(?:remov|dropp?|delet|disabl|discontinu|retir|eliminat)\w*|\bno longer\b|\bentfern\w*|\bsupprim\w*",
    re.IGNORECASE,
)
_ADDS: Final = lazy_pattern(r"\b(?:add|introduc|implement|enabl)\w*|\bnew\b|\bajout\w*|\bhinzu\w*", re.IGNORECASE)
_MENDS: Final = lazy_pattern(r"\W*(?:an? )?(?:\w+ )?(?:fix|improv|correct|repair|clarif|document)\w*\b", re.IGNORECASE)
"""How an item begins that is about what was there before."""
_NO_NAMES: Final = frozenset(("version", "release", "the", "la", "die", "tool", "library", "program", "package"))


@dataclass(frozen=True, slots=True)
class Dated:
    """A line that dates a release.

    Attributes:
        document: Where it stands.
        span: The line.
        date: Its date, as it is written.
        has_version: Whether it names a version; a date alone may be that of a meeting.
        is_dated: Whether it has a date; else ``date`` is the version.
    """

    document: Document
    span: Span
    date: str
    has_version: bool = True
    is_dated: bool = True


def asks_when_changed(question: str) -> bool:
    """Whether it asks when something happened, so that the date of a release may answer.

    >>> asks_when_changed("When was the flag removed?"), asks_when_changed("When does the meeting end?")
    (True, False)
    """
    return bool(_PAST.match(question.strip()))


def happened(question: str, text: str) -> bool:
    """Whether an item of release notes says that what the question asks of happened then.

    It does not if the item gives a year itself, speaks of what will be or is only proposed, or undoes what the question
    asks of: what was added was not removed, what was added again was removed before, and what was mended was there.

    >>> happened("When was --fast removed?", "Removed --fast"), happened("When was it removed?", "Added --fast")
    (True, False)
    >>> happened("When was --fast added?", "A --fast mode."), happened("When was --fast added?", "Fixed --fast on Mac")
    (True, False)
    """
    if _YEAR.search(text) or (_NOT_DONE.search(text) and not _NOT_DONE.search(question)):
        return False
    removes, adds = (_place(pattern, text) for pattern in (_REMOVES, _ADDS))
    if _REMOVES.search(question):
        return removes < adds
    is_older = adds == inf and _MENDS.match(text)
    return not _ADDS.search(question) or (adds <= removes and not is_older)


def _place(pattern: re.Pattern[str], text: str) -> float:
    """Where a pattern is first found; infinity if nowhere."""
    found = pattern.search(text)
    return found.start() if found else inf


def date_of_release(question: str, documents: Sequence[Document]) -> Dated | None:
    """The heading or line with the date of the version of which the question asks when it was released.

    Among several documents, only those count whose title, file or heading has the name before the number.
    """
    found = _RELEASED.match(question.strip())
    if not found:
        return None
    name, number = found["name"] or found["name2"] or "", found["number"] or found["number2"]
    words = [word.casefold() for word in _WORD.findall(name) if word.casefold() not in _NO_NAMES]
    lines = [one for document in documents for one in Releases(document).named(number)]
    is_only = len(documents) == 1
    named = [one for one in lines if _is_of(one, words, is_only=is_only)]
    return named[0] if named and (words or len({one.document.id for one in named}) == 1) else None


@dataclass(frozen=True, slots=True)
class _ReleaseLine:
    """A line that names a release, its level if it is a heading, else 0, and what dates the release."""

    line: Span
    level: int
    dated: Dated | None


@dataclass(frozen=True)
class Releases:
    """The releases of a document.

    Attributes:
        document: The document.
    """

    document: Document

    def above(self, start: int) -> Dated | None:
        """What dates the release in whose notes a character stands: the line above it, or of Debian the line below."""
        if entry := next((one for one in self._entries if one[0].start <= start < one[1].end), None):
            return _of_trailer(self.document, entry[1])
        one = self._above(start)
        return (one.dated or self._undated(one.line)) if one else None

    def numbered(self) -> Iterator[tuple[str, Span]]:
        """The version of each release line, without a "v" before it, and the line; ``""`` if it names none."""
        for one in self._lines:
            found = _VERSION.search(DATE.sub(" ", _plain(self.document, one.line)))
            yield found[0].removeprefix("v") if found else "", one.line

    def lines_of(self, number: str) -> Iterator[Span]:
        """The lines that name this version."""
        yield from (line for found, line in self.numbered() if found and is_same_version(found, number))

    def line_above(self, start: int) -> Span | None:
        """The release line in whose notes a character stands."""
        one = self._above(start)
        return one.line if one else None

    @property
    def has_dates(self) -> bool:
        """Whether a release has a date."""
        return any(one.dated for one in self._lines)

    def named(self, number: str) -> Iterator[Dated]:
        """The lines that date this version."""
        wanted = set(self.lines_of(number))
        yield from (one.dated for one in self._lines if one.dated and one.line in wanted)
        for entry, trailer in self._entries:
            listed = _ENTRY.match(self.document.text, entry.start)
            is_listed = listed and is_same_version(re.split("[-~+]", listed[1])[0], number)
            if is_listed and (line := _of_trailer(self.document, trailer)):
                yield line

    @cached_property
    def _lines(self) -> list[_ReleaseLine]:
        """The lines that name a release, and headings that are a date, in text order.

        Without a date they must not be headings below those with one: "### Python 3.12" in the notes of a release.
        """
        lines = [*filter(None, map(self._release_line, range(len(self.document.paragraphs))))]
        levels = [one.level for one in lines if one.dated and one.level]
        return [one for one in lines if one.dated or not (levels and one.level > min(levels))]

    def _above(self, start: int) -> _ReleaseLine | None:
        at = bisect_right(self._lines, start, key=lambda one: one.line.start) - 1
        return None if at < 0 or _has_ended(self.document, self._lines[at].line, start) else self._lines[at]

    def _release_line(self, at: int) -> _ReleaseLine | None:
        """The line with which a paragraph begins, if it names a release or is a date."""
        document, paragraph = self.document, self.document.paragraphs[at]
        line = _first_line(document, paragraph) if paragraph.kind in _DATED else Span(0, 0)
        if not 0 < len(line) <= _LONGEST:
            return None
        is_heading = paragraph.kind is ParagraphKind.HEADING
        level = document.section_at(line.start).level if is_heading else 0
        plain = _PREFIX.sub("", _plain(document, line), count=1)
        if _is_release_line(plain, is_heading=is_heading):
            return _ReleaseLine(line, level, _dated(document, line))
        if not _UNDATED.fullmatch(plain) or _SECTION.match(plain):
            return None
        return _ReleaseLine(line, level, self._date_below(line, at))

    def _undated(self, line: Span) -> Dated:
        """A release without a date: its version, or that it is not released yet, in place of a date."""
        plain = _plain(self.document, line)
        found = _VERSION.search(plain)
        date = f"version {found[0].removeprefix('v')}" if found else plain.strip(_MARKS_AROUND)
        return Dated(self.document, line, date, is_dated=False)

    def _date_below(self, line: Span, at: int) -> Dated | None:
        """The date in the line below a version, in its paragraph or the next one."""
        document = self.document
        ends = [document.paragraphs[at].end, *(one.end for one in document.paragraphs[at + 1 : at + 2])]
        text = document.text[line.end : ends[-1]]
        start = line.end + len(text) - len(text.lstrip(_RULE))
        below = Span(start, start + len(document.text[start : ends[-1]].partition("\n")[0]))
        plain = DATE.sub(" ", _plain(document, below))
        is_date = len(below) <= _LONGEST and len(_WORD.findall(plain)) <= _MOST_WORDS and not _VERSION.search(plain)
        found = DATE.search(_plain(document, below)) if is_date else None
        return Dated(document, trim(document.text, below), found[0]) if found else None

    @cached_property
    def _entries(self) -> list[tuple[Span, Span]]:
        """The entries of a Debian changelog: the first line of each, and the line with its date."""
        text = self.document.text
        if "\n -- " not in text:
            return []
        trailers = [Span(*one.span()) for one in _TRAILER.finditer(text)]
        heads = [Span(*one.span()) for one in _ENTRY.finditer(text)]
        places = [bisect_right(trailers, head.end, key=lambda one: one.start) for head in heads]
        return [(head, trailers[at]) for head, at in zip(heads, places, strict=True) if at < len(trailers)]


def _is_of(line: Dated, words: Sequence[str], *, is_only: bool) -> bool:
    """Whether a line is about the thing with that name; in the only document, one without a name of its own is too."""
    document = line.document
    text = _plain(document, line.span)
    around = " ".join((text, document.title, document.source)).casefold()
    own = set(_WORD.findall(_VERSION.sub(" ", DATE.sub(" ", text)).casefold())) - _NO_NAMES
    return all(word in around for word in words[-1:]) or (is_only and not own)


def _first_line(document: Document, paragraph: Paragraph) -> Span:
    """The first line of a paragraph without the marks of a heading."""
    whole = trim(document.text, Span(paragraph.start, paragraph.end))
    start = whole.end - len(_MARKS.sub("", document.text[whole.start : whole.end], count=1))
    at = document.text.find("\n", start, whole.end)
    return Span(start, at if at >= 0 else whole.end)


def _is_release_line(text: str, *, is_heading: bool) -> bool:
    """Whether it has a date, at most a few words besides, and a version, which is no number of a section.

    A heading may be a date alone.
    """
    without_date = DATE.sub(" ", text)
    n_words = len(_WORD.findall(without_date))
    is_statement = text.endswith((".", "!")) or (text.endswith(":") and not _NUMBERED.match(text))
    if without_date == text or is_statement:
        return False
    if not _VERSION.search(without_date):
        return is_heading and n_words == 0
    return n_words <= _MOST_WORDS and not _SECTION.match(without_date)


def without_links(text: str) -> str:
    """The text without the targets of links, also of those whose text is a number, and without their brackets.

    >>> without_links("[12.0.0](https://example.org/12) (2025-11-10)")
    '12.0.0 (2025-11-10)'
    """
    return _LINK.sub(r"\g<text>", text)


def _plain(document: Document, span: Span) -> str:
    return without_links(document.quote(span.start, span.end))


def _has_ended(document: Document, line: Span, start: int) -> bool:
    """Whether a heading above ``start`` ends the section of a release line: a higher one, or one of a version."""
    first = bisect_right(document.sections, line.start, key=lambda one: one.start)
    last = bisect_right(document.sections, start, key=lambda one: one.start)
    level = document.sections[first - 1].level
    below = document.sections[first:last]
    return any(one.level < level or (one.level == level and _VERSION.match(one.title.lstrip("[ "))) for one in below)


def _dated(document: Document, span: Span) -> Dated | None:
    text = _plain(document, span)
    found = DATE.search(text)
    return Dated(document, span, found[0], bool(_VERSION.search(DATE.sub(" ", text)))) if found else None


def _of_trailer(document: Document, trailer: Span) -> Dated | None:
    span = trim(document.text, trailer)
    found = list(DATE.finditer(document.quote(span.start, span.end)))
    return Dated(document, span, found[-1][0]) if found else None


def has_date(text: str, question: str) -> bool:
    """Whether a text gives a date that the question does not have."""
    return any(one[0] not in question for one in DATE.finditer(without_links(text)))


def dates_of(question: str, passages: Sequence[Passage], documents: Mapping[str, Document]) -> list[Dated | None]:
    """What dates the release in whose notes each passage stands, if the question asks when something happened."""
    if not asks_when_changed(question):
        return [None] * len(passages)
    releases = {name: Releases(document) for name, document in documents.items()}
    return [releases[one.document].above(one.span.start) if happened(question, one.text) else None for one in passages]


def with_date(text: str, date: Dated | None) -> str:
    """The text with the date of its release; with a word of time if only the version is known."""
    return f"{text} {date.date if date.is_dated else 'then'}" if date and date.has_version else text
