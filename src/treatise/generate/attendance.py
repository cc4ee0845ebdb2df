"""Who came to a meeting and who did not: the people under a heading, or after a label such as "Present:"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from treatise.core.answer import Answer
from treatise.core.dates import dates_in, without_dates
from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.lines import FILLED_LINE
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.attendance_words import NO_PERSON, is_attendance, says
from treatise.generate.headed import with_evidence
from treatise.generate.people import EXCUSED, IN_BRACKETS, people_below, people_in
from treatise.generate.quoted import quoted_as
from treatise.generate.roll_calls import is_marked, roll_calls
from treatise.generate.section_lists import listed_answer, plain_items, section_items

_MEETING: Final = (
    r"(?: (?:in|at|to|from))?(?: (?:the|this|that|our|its|last) (?:[\w-]+ ){0,4}?"
    r"(?:meeting|call|session|conference|workshop|hearing|assembly|event|retrospective|retro|standup)\b(?P<which>.*))?\W*"
)
_CAME: Final = (
    r"(?:there|present|attend(?:ed|ing)?|participat(?:e|ed|ing)|(?:took|take|taken) part|came|come|in attendance|at)"
)
_MISSED: Final = (
    r"(?:absent|excused|missing|sen[dt] (?:an |his |her |their )?apolog(?:y|ies)|apologi[sz]ed?|miss(?:ed)?|"
    r"not (?:there|present|attend(?:ed)?|come|participated?))"
)
_WHO: Final = (
    r"(?:who|how many(?: (?:people|persons|members|participants|attendees|of them))?) "
    r"(?:(?:is|are|was|were|has|have) )?"
)
_NOT: Final = (
    r"(?:(?:did|could|was|were|has|have)(?: not|n['’]t)|not) (?:there|present|attend(?:ed)?|come|participated?)"
)
_NAME: Final = r"[^\W\d_a-z][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,3}"
_WHO_CAME: Final = lazy_pattern(
    rf"{_WHO}{_CAME}{_MEETING}|"
    r"(?:wer|wie ?viele(?: personen| mitglieder)?) (?:war|ist|waren|sind) (?:anwesend|dabei|da)\W*|"
    r"(?:qui|combien de personnes) (?:était|est|étaient|sont) présente?s?\W*|"
    r"(?:the )?(?:roll[ -]?call|attendees|"
    r"(?:names|list) of (?:the )?(?:attendees|those (?:present|who (?:came|attended))))\W*",
    re.IGNORECASE,
)
_WHO_MISSED: Final = lazy_pattern(
    rf"{_WHO}(?:{_MISSED}|{_NOT}){_MEETING}|"
    r"wer (?:hat (?:sich entschuldigt|gefehlt)|fehlte|(?:war|ist) (?:entschuldigt|abwesend|nicht (?:anwesend|da)))\W*|"
    r"qui (?:était|est|étaient|sont) (?:absente?s?|excusée?s?)\W*",
    re.IGNORECASE,
)
_DID_COME: Final = lazy_pattern(
    rf"(?i:is|was|did|has|war|ist) (?P<name>{_NAME}) (?i:(?:{_CAME}|anwesend|dabei|da){_MEETING})"
)
_DID_MISS: Final = lazy_pattern(rf"(?i:is|was|did|has) (?P<name>{_NAME}) (?i:{_MISSED}{_MEETING})")
_COUNTS: Final = lazy_pattern(r"(?:how many|wie ?viele|combien)\b", re.IGNORECASE)
_WORDS: Final = lazy_pattern(r"[\w'’-]+")
_SMALL: Final = frozenset(("of", "on", "in", "at", "the", "held", "for", "that", "was", "a"))
_ROLE: Final = lazy_pattern(
    r".*\b(?:secretary|treasurer|president|clerk|director|planner|engineer|attorney|counsel|solicitor|manager|officer|"
    r"administrator|inspector|coordinator|accountant|auditor|mayor|councillor|member|trustee|head|lead|assistant)",
    re.IGNORECASE,
)
"""What may be the office of the one named before, or the end of a name."""
_ROLL_CALL: Final = lazy_pattern(r"roll[ -]?call", re.IGNORECASE)
"""A heading above those who answered it."""
_SEVERAL: Final = lazy_pattern(r"[,;&]|\band\b|\d")
_LABEL: Final = lazy_pattern(r"(?:^|(?<=[;.]))\s*(?:[-*•]\s+)?(?P<label>[^:;.,\n]{4,40}):(?=\**\s)")
_LINE: Final = lazy_pattern(r"^[^\n]*?:[^\n]+$", re.MULTILINE)
_BARE_LABEL: Final = lazy_pattern(r"[^:\n]{4,40}:\**")
_BULLETS: Final = "-*•+"
_MOST: Final = 40  # people below a label
_LABELLED: Final = (ParagraphKind.PROSE, ParagraphKind.LIST)


@dataclass(frozen=True, slots=True)
class _Roll:
    """The people who came to a meeting, or who did not.

    Attributes:
        spans: What is quoted: the items of a list, or the line.
        people: Their names; an item that names several people is one text.
    """

    spans: list[Span]
    people: list[str]


def answer_attendance(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """Who came to a meeting or did not, how many they were, or whether somebody was one of them.

    None if the question asks for something else, or if not exactly one document with evidence has exactly one such
    list of the meeting that the question names, of people alone.
    """
    question = evidence.question.strip()
    missed, came = _WHO_MISSED.fullmatch(question), _WHO_CAME.fullmatch(question)
    searched = with_evidence(evidence, documents)
    if asked := missed or came:
        which = asked["which"] or ""
        found = [(one, roll) for one in searched for roll in _rolls(one, which, is_absent=bool(missed))]
        return _who(evidence, *found[0]) if len(found) == 1 and found[0][1].people else None
    missed, came = _DID_MISS.fullmatch(question), _DID_COME.fullmatch(question)
    asked = missed or came
    return _whether(evidence, searched, asked, asks_absence=bool(missed)) if asked else None


def people_present(document: Document) -> list[Span]:
    """Where minutes name those who came; empty if a document has no such list."""
    return [span for roll in _rolls(document, "", is_absent=False) for span in roll.spans]


def _who(evidence: Evidence, document: Document, roll: _Roll) -> Answer | None:
    """Who they were, or how many; None if lines of several people, or what may be offices, are to be counted."""
    if not _COUNTS.match(evidence.question):
        return listed_answer(evidence, document, roll.spans, roll.people)
    starts = {document.text.rfind("\n", 0, item.start) + 1 - item.start for item in roll.spans}
    if len(starts) > 1 or any(map(_SEVERAL.search, roll.people)) or any(map(_ROLE.fullmatch, roll.people)):
        return None
    return quoted_as(evidence, document, roll.spans, str(len(roll.people)), "computed")


def _whether(
    evidence: Evidence, documents: Sequence[Document], asked: re.Match[str], *, asks_absence: bool
) -> Answer | None:
    """Whether the person whom the question names came, or did not; None if no list, or both, have the name."""
    found = []
    for document in documents:
        for is_absent in (False, True):
            rolls = list(_rolls(document, asked["which"] or "", is_absent=is_absent))
            if len(rolls) > 1:
                return None  # of several meetings, or of people of several sorts
            found += [
                (document, span, is_absent)
                for roll in rolls
                if (span := _line_of(document, roll, asked["name"].casefold()))
            ]
    if len(found) != 1:
        return None
    document, span, is_absent = found[0]
    kind = SpanAnswerKind.YES if is_absent is asks_absence else SpanAnswerKind.NO
    return quoted_as(evidence, document, [span], str(kind).capitalize(), kind)


def _line_of(document: Document, roll: _Roll, name: str) -> Span | None:
    """What a list says of the only person of whose name all these words are."""
    wanted = set(_WORDS.findall(name))
    lines = [one for one in roll.spans if wanted <= set(_WORDS.findall(document.text[one.start : one.end].casefold()))]
    n_people = sum(wanted <= set(_WORDS.findall(one.casefold())) for one in roll.people)
    return lines[0] if len(lines) == 1 and n_people == 1 else None


def _rolls(document: Document, which: str, *, is_absent: bool) -> Iterator[_Roll]:
    """The lists of those who came to that meeting, or who did not: under headings, after labels and in roll calls."""
    for at, section in enumerate(document.sections):
        title = section.title.strip()
        is_roll_call = _ROLL_CALL.fullmatch(title)
        if (is_attendance(title) or is_roll_call) and _is_of(document, section.start, which, is_own=False):
            yield from _named(document, section_items(document, at), is_absent=is_absent, heading=title)
            if says("present" if is_roll_call else title, is_absent=is_absent):
                yield from _below(document, at)
    for at, paragraph in enumerate(document.paragraphs):
        if paragraph.kind not in _LABELLED or not _is_of(document, paragraph.start, which, is_own=True):
            continue
        for line in _LINE.finditer(document.text, paragraph.start, paragraph.end):
            said = [names for label, names in _labelled(line[0]) if says(label, is_absent=is_absent)]
            if said:  # without people if not all are names
                people = [name for names in said for name in names] if all(said) else []
                yield _Roll([trim(document.text, Span(*line.span()))], people)
        if items := _list_below(document, at):
            label = document.text[paragraph.start : paragraph.end].strip().partition("\n")[0]
            yield from _named(document, items, is_absent=is_absent, heading=label)
    for call in roll_calls(document):
        marked = [one for one in call.people if one.is_absent is is_absent]
        if (marked or not call.people) and _is_of(document, call.start, which, is_own=True):
            yield _Roll([one.span for one in marked], [one.name for one in marked])


def _below(document: Document, at: int) -> Iterator[_Roll]:
    """The people of a section of nothing else: at least two, none marked as one who did not come."""
    found = people_below(document, at)
    people = [name for _, names in found for name in names]
    if len(people) > 1 and not any(is_marked(document.quote(line.start, line.end)) for line, _ in found):
        yield _Roll([line for line, _ in found], people)


def _list_below(document: Document, at: int) -> list[Span]:
    """The items of the list below the label of an attendance with which a paragraph begins, in it or after it."""
    paragraph = document.paragraphs[at]
    label, _, rest = document.text[paragraph.start : paragraph.end].strip().partition("\n")
    if not (_BARE_LABEL.fullmatch(label) and is_attendance(label)):
        return []
    if not rest:
        below = takewhile(lambda one: one.kind is ParagraphKind.LIST, document.paragraphs[at + 1 : at + 1 + _MOST])
        return [trim(document.text, Span(*_ends(one))) for one in below]
    lines = [trim(document.text, Span(*line.span())) for line in FILLED_LINE.finditer(document.text, *_ends(paragraph))]
    return lines[1 : 1 + _MOST] if all(document.text[one.start] in _BULLETS for one in lines[1:]) else []


def _ends(paragraph: Paragraph) -> tuple[int, int]:
    return paragraph.start, paragraph.end


def _named(document: Document, items: list[Span], *, is_absent: bool, heading: str) -> Iterator[_Roll]:
    """The people of a list: those of the groups in it that came or did not, else all if the heading says so."""
    inner = {item.start: {one.start for one in document.items_after(item.start)} for item in items}
    groups = [item for item in items if inner[item.start]]
    chosen = items if not groups and says(heading, is_absent=is_absent) else []
    for group in groups:
        label = plain_items(document, [group])[0]
        is_of_absent = says(label, is_absent=True) or says(heading, is_absent=True)
        chosen = chosen + [item for item in items if item.start in inner[group.start] and is_of_absent is is_absent]
    texts = plain_items(document, chosen)
    if any(is_marked(document.quote(item.start, item.end)) for item in chosen):
        return  # a roll call
    people = [IN_BRACKETS.sub("", item).strip(" ,;.") for item in texts]
    is_of_people = all(one[:1].isupper() and not NO_PERSON.search(one) for one in people)
    if people and is_of_people and not any(map(EXCUSED.search, texts)):
        yield _Roll(chosen, people)


def _labelled(line: str) -> Iterator[tuple[str, list[str]]]:
    """The labels of a line with the people after each: "Present: A, B; Apologies: C"."""
    labels = [*_LABEL.finditer(line)]
    ends = [*(one.start() for one in labels[1:]), len(line)]
    for label, end in zip(labels, ends, strict=False):  # without a label there is an end all the same
        yield without_markup(label["label"]).strip(" *_-"), people_in(line[label.end() : end])


def _is_of(document: Document, start: int, which: str, *, is_own: bool) -> bool:
    """Whether the title and the headings above have the dates and words by which the question names the meeting.

    The title has no say about dates if the headings have some: it may be that of the first of several meetings.
    """
    path = document.section_path(start)
    headings = " ".join(path if is_own else path[:-1]).casefold()
    above = f"{document.title.casefold()} {headings}"
    dates = {date for _, date in dates_in(which)}
    known = {date for _, date in dates_in(headings) or dates_in(above)}
    words = _WORDS.findall(without_dates(which).casefold())
    return dates <= known and all(word in above for word in words if word not in _SMALL)
