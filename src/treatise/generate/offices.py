"""Who holds an office: the one name beside it in brackets, after a dash or a comma, or after "Chair:"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.attendance import people_present
from treatise.generate.people import CHAIR
from treatise.generate.quoted import quoted_as

_BODY: Final = (
    r"(?: (?:of|at|in|for) (?:the |our |this )?(?:meeting|board|committee|council|club|society|association|group))?"
)
_ASKS: Final = lazy_pattern(
    rf"who (?:is|was) the (?P<office>(?:(?:vice|deputy)[ -])?(?:{CHAIR}|president|secretary|treasurer|clerk|moderator|"
    rf"facilitator|scribe|minute[ -]taker|note[ -]taker)){_BODY}\W*|"
    rf"who (?:chaired|presided over|led|ran) (?:the |this |that )?(?:\w+ )?(?P<chaired>meeting|session|call)\W*",
    re.IGNORECASE,
)
_OTHER: Final = r"(?<!vice )(?<!vice-)(?<!deputy )(?<!assistant )(?<!co-)(?<!former )(?<!past )(?<!acting )(?<!ex-)"
_NAME: Final = r"(?<![\w'’-])(?P<name>[^\W\d_a-z][\w'’-]{0,40}\.?(?: [^\W\d_a-z][\w'’-]{0,40}\.?){0,4})"
_CHANGES: Final = lazy_pattern(
    r"\b(?:acting|elected|resign\w*|retire[ds]?|stood down|steps? down|replac\w+|former|outgoing|in the chair|"
    r"chaired by|presided)\b",
    re.IGNORECASE,
)
"""Words by which the holder of an office may be another than the one beside it."""
_NOBODY: Final = lazy_pattern(r"(?:vacant|none|nobody|tb[acd]|n/a|see|open|various|position|to be)\b", re.IGNORECASE)


def answer_office(evidence: Evidence, document: Document) -> Answer | None:
    """The holder of the office that the question asks for, or who chaired the meeting.

    Only minutes are asked: their list of those present, and lines that begin with the office. None if the question asks
    for something else, if not exactly one name stands beside the office, or if somebody was elected, acted or resigned.
    """
    found = _ASKS.fullmatch(evidence.question.strip())
    present = people_present(document) if found else []
    if not (found and present):
        return None
    office = CHAIR if found["chaired"] else _pattern(found["office"])
    if any(_changes_hands(office, document.quote(one.start, one.end)) for one in document.sentences()):
        return None
    places = [place for place in _places(document, office, present) if not _NOBODY.match(place[0])]
    names = {" ".join(name.split()).strip(" .").casefold() for name, _ in places}
    if len(names) != 1 or addresses_a_model(document.quote(places[0][1].start, places[0][1].end)):
        return None
    name, span = places[0]
    return quoted_as(evidence, document, [span], " ".join(name.split()), SpanAnswerKind.SPAN)


def _changes_hands(office: str, sentence: str) -> bool:
    """Whether a sentence says that an office passes on, or that somebody acts for its holder."""
    return bool(_CHANGES.search(sentence) and re.search(office, sentence, re.IGNORECASE))


def _pattern(office: str) -> str:
    """An office as a text has it: "chair" is a chairman, and between its words are blanks or hyphens."""
    words = office.casefold().replace("-", " ").split()
    of_chair = [CHAIR if re.fullmatch(CHAIR, word) else re.escape(word) for word in words]
    return r"[ -]".join(of_chair)


def _places(document: Document, office: str, present: Sequence[Span]) -> Iterator[tuple[str, Span]]:
    """The names beside an office among those present, and after the office at the beginning of a line."""
    held = rf"{_OTHER}(?i:{office})"
    for pattern in (
        rf"{_NAME} ?\((?i:the )?{held}\b[^()\n]{{0,30}}\)",
        rf"{_NAME} [–—-] (?i:the )?{held}(?=[\s,;.)*]|$)",
        rf"{_NAME}, (?i:the )?{held}(?=[,;.)]|\s*$)",
    ):
        for line in present:
            for match in lazy_pattern(pattern, re.MULTILINE).finditer(document.text, line.start, line.end):
                yield match["name"], Span(*match.span())
    label = rf"^[^\w\n]{{0,10}}{held}[^\w\n]{{0,3}}:[^\w\n]{{0,4}}{_NAME}(?=[^\w\n]{{0,10}}$| ?\()"
    for match in re.finditer(label, document.text, re.MULTILINE):
        yield match["name"], Span(*match.span())
