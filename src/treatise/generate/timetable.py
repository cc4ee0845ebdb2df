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
from treatise.generate.fitting import TIME
from treatise.generate.headed import with_evidence
from treatise.generate.on_day import days_above
from treatise.generate.quoted import quoted_as

_MIN_ENTRIES: Final = 4
"""Lines that begin with a time, from which on a document has a timetable."""
_ROUND: Final = 0.8
"""Of their times, the share in whole five minutes, which verses ("3:16 For God") and logs lack."""
_MINUTES: Final = lazy_pattern(r"[:.]\d[1-46-9]")

_ENTRY: Final = lazy_pattern(
    rf"^[^\w\n]{{0,9}}(?P<start>{TIME})(?:[^\S\n]*(?:[-–—]|to|until|till)[^\S\n]*(?P<end>{TIME}))?"
    r"(?![^\S\n]*[-–—][^\S\n]*\d)(?:[^\S\n]|[:|–—*_-])+(?P<label>[^\W\d][^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS: Final = lazy_pattern(
    r"(?:(?:at|by|from) )?(?:what time|when) (?:is|are|does|do|will|did|was|were)\b", re.IGNORECASE
)
_TURNED: Final = lazy_pattern(r"\b(?:no|not|never|without|from|to|before|after|last|latest)\b|n['’]t\b", re.IGNORECASE)
"""In a question that more than the words of an entry would answer."""
_ENDS: Final = lazy_pattern(r"\b(?:end(?:s|ed|ing)?|finish(?:es|ed|ing)?|over|until|till)\b", re.IGNORECASE)
_STARTS: Final = Text("time start begin take place happen held schedule scheduled planned end finish over").content
"""Words of a question that ask for the time of an entry, and name none."""
_UNSURE: Final = lazy_pattern(
    rf"\b(?:no|not|never|without|refused|cancel\w*|postponed|moved|rescheduled|instead|tbc|deadline|until|till|before|"
    rf"after|if|or|sign up)\b|{TIME}",
    re.IGNORECASE,
)
"""In an entry that does not say, or not alone, when something is."""
_CHANGED: Final = lazy_pattern(r"\b(?:cancell?ed|postponed|rescheduled|moved to|instead of)\b", re.IGNORECASE)
"""In a document whose entries are not all as they were planned."""
_NO_TIMES: Final = lazy_pattern(r"\b(?:results?|tracks?|songs?|scores?|laps?|race|durations?)\b", re.IGNORECASE)
"""In the title or a heading of a list of lengths of time."""
_PARTS: Final = re.compile(r"[\W_]+")
_SPEAKER: Final = lazy_pattern(r"[\w.'’-]+(?: [\w.'’-]+){0,2}:\s")
"""How a line of a chat goes on after its time."""
_ASIDE: Final = lazy_pattern(r"[(,;–—].*|\s(?:with|in|at|by|and)\s.*", re.DOTALL)
"""What is said besides in an entry."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a timetable: its place, the times that it begins with, and what happens then."""

    span: Span
    start: str
    end: str
    label: str


def answer_by_timetable(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The time of the entry whose words, without asides, are those that a question for a time names.

    None if the question asks for something else, or if no entry of the documents with evidence is it, several with
    different times are, or one is changed, cancelled or uncertain. A weekday of the question must be that of the
    heading above the entry.
    """
    question = evidence.question.strip()
    is_asked = _ASKS.match(question) and asked(question) in (Asked.CLOCK, Asked.DATE)
    if not is_asked or _TURNED.search(question):
        return None
    at_end = bool(_ENDS.search(question))
    found = [
        (document, entry, entry.end if at_end else entry.start)
        for document in with_evidence(evidence, documents)
        for entry in _asked_for(question, document)
    ]
    times = {time for _, _, time in found}
    if len(times) != 1 or "" in times or len({document.id for document, _, _ in found}) != 1:
        return None
    document, _, time = found[0]
    return quoted_as(evidence, document, [entry.span for _, entry, _ in found], time, SpanAnswerKind.SPAN)


def _asked_for(question: str, document: Document) -> list[_Entry]:
    """The entries that have the words of the question but those of its weekday and of the document's name."""
    entries, days = list(_entries(document)), weekdays(question)
    if not _is_timetable(entries, document):
        return []
    of_labels = frozenset[str]().union(*(Text(one.label).content for one in entries))
    name = Text(f"{document.title} {_PARTS.sub(' ', PurePath(document.source).stem)}").content - of_labels
    wanted = Text(question).content - name - Text(" ".join(_day_words(question))).content
    for names in (wanted, wanted - _STARTS):
        matches = [one for one in entries if names and names == Text(_ASIDE.sub("", one.label)).content]
        if matches:
            is_sure = not any(_UNSURE.search(one.label) for one in matches)
            return (
                [one for one in matches if not days or days_above(document, one.span.start) == days] if is_sure else []
            )
    return []


def _is_timetable(entries: Sequence[_Entry], document: Document) -> bool:
    n_round = sum(not _MINUTES.search(one.start) for one in entries)
    is_enough = len(entries) >= _MIN_ENTRIES and n_round >= _ROUND * len(entries)
    names = (document.title, *(section.title for section in document.sections))
    return is_enough and not _CHANGED.search(document.text) and not any(map(_NO_TIMES.search, names))


def _day_words(question: str) -> list[str]:
    return [word.text for word in Text(question).words if weekdays(word.text)]


def _entries(document: Document) -> Iterator[_Entry]:
    for found in _ENTRY.finditer(document.text):
        label = without_markup(found["label"])
        is_in_table = document.paragraph_at(found.start("start")).kind is ParagraphKind.TABLE
        if not is_in_table and not _SPEAKER.match(label) and not addresses_a_model(found[0]):
            yield _Entry(Span(*found.span()), found["start"], found["end"] or "", label)
