"""Times in an agenda or a timetable: "* 15:30 Session 6" says when session 6 starts.

Rows of tables are left to the reader, which knows their column heads.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from treatise.claims.words import Text
from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.weekdays import weekdays
from treatise.generate.asked import Asked, asked
from treatise.generate.headed import with_evidence
from treatise.generate.quoted import quoted_as

_MIN_ENTRIES: Final = 4
"""Lines that begin with a time, from which on a document has a timetable."""
_ROUND: Final = 0.8
"""Of their times, the share in whole five minutes, which verses ("3:16 For God") and logs lack."""
_MINUTES: Final = lazy_pattern(r"[:.]\d[1-46-9]")

_TIME: Final = r"(?:(?:[01]?\d|2[0-4])(?::[0-5]\d)|\d{1,2}(?:[:.][0-5]\d)?(?=\s?[ap]\.?m\b))(?:\s?[ap]\.?m\b\.?)?"
"""Clauses are numbered as "10.15", so that a full stop needs "am" or "pm"."""
_ENTRY: Final = lazy_pattern(
    rf"^[^\w\n]{{0,9}}(?P<start>{_TIME})(?:\s*(?:[-–—]|to|until|till)\s*(?P<end>{_TIME}))?(?!\s*[-–—]\s*\d)"
    r"[\s:|–—*_-]+(?P<label>[^\W\d][^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS: Final = lazy_pattern(
    r"(?:(?:at|by|from) )?(?:what time|when) (?:is|are|does|do|will|did|was|were)\b", re.IGNORECASE
)
_ENDS: Final = lazy_pattern(r"\b(?:end|finish|over)s?\W*(?:on\b.*)?$", re.IGNORECASE)
_STARTS: Final = Text("time start begin take place happen held schedule scheduled planned end finish over").content
"""Words of a question that ask for the time of an entry, and name none."""


_PARTS: Final = re.compile(r"[\W_]+")
_SPEAKER: Final = lazy_pattern(r"[\w.'’-]+(?: [\w.'’-]+){0,2}:\s")
"""How a line of a chat goes on after its time."""
_ASIDE: Final = lazy_pattern(r"[(,;–—].*|\s(?:with|in|at|by)\s.*", re.DOTALL)
"""What is said besides in an entry."""
_SHARE: Final = 0.5
"""Of an entry's words without asides, which the question must have."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a timetable: its place, the times that it begins with, and what happens then."""

    span: Span
    start: str
    end: str
    label: str


def answer_by_timetable(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The time of the one entry that has all that a question for a time names.

    None if the question asks for something else, or if no entry of the documents with evidence is it, or several with
    different times are. A weekday of the question must be that of the entry, or of the headings above it.
    """
    question = evidence.question.strip()
    if not _ASKS.match(question) or asked(question) not in (Asked.CLOCK, Asked.DATE):
        return None
    at_end = bool(_ENDS.search(question))
    found = [
        (document, entry, time)
        for document in with_evidence(evidence, documents)
        for entry in _asked_for(question, document)
        if (time := entry.end if at_end else entry.start)
    ]
    if len({time for _, _, time in found}) != 1 or len({document.id for document, _, _ in found}) != 1:
        return None
    document, _, time = found[0]
    return quoted_as(evidence, document, [entry.span for _, entry, _ in found], time, SpanAnswerKind.SPAN)


def _asked_for(question: str, document: Document) -> Iterator[_Entry]:
    """The entries that have all words of the question but those of its weekday and of the document's name."""
    entries, days = list(_entries(document)), weekdays(question)
    name = Text(f"{document.title} {_PARTS.sub(' ', PurePath(document.source).stem)}").content
    wanted = Text(question).content - name - Text(" ".join(_day_words(question))).content
    for names in (wanted, wanted - _STARTS) if _is_timetable(entries) else ():
        matches = [one for one in entries if names and _has(one, names)]
        if matches:
            yield from (one for one in matches if not days or _is_on(days, one, document))
            return


def _is_timetable(entries: Sequence[_Entry]) -> bool:
    n_round = sum(not _MINUTES.search(one.start) for one in entries)
    return len(entries) >= _MIN_ENTRIES and n_round >= _ROUND * len(entries)


def _has(entry: _Entry, names: frozenset[str]) -> bool:
    """Whether an entry has these words, and few others."""
    heart = Text(_ASIDE.sub("", entry.label)).content
    return names <= Text(entry.label).content and len(names & heart) >= _SHARE * len(heart)


def _day_words(question: str) -> list[str]:
    return [word.text for word in Text(question).words if weekdays(word.text)]


def _is_on(days: frozenset[int], entry: _Entry, document: Document) -> bool:
    above = reversed(document.section_path(entry.span.start))
    known = next(filter(None, map(weekdays, (entry.label, *above))), frozenset())
    return bool(known & days)


def _entries(document: Document) -> Iterator[_Entry]:
    tables = [(start, end) for kind, start, end in document.paragraph_edges() if kind is ParagraphKind.TABLE]
    for found in _ENTRY.finditer(document.text):
        is_in_table = any(start <= found.start() < end for start, end in tables)
        label = without_markup(found["label"])
        if not is_in_table and not _SPEAKER.match(label) and not addresses_a_model(found[0]):
            yield _Entry(Span(*found.span()), found["start"], found["end"] or "", label)
