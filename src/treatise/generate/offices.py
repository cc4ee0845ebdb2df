"""Who holds an office: the one name beside it in brackets, after a dash or a comma, or after "Chair:"; and who signed
for it: "Ann Lee, Mayor".
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.lines import FILLED_LINE
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.attendance import people_present
from treatise.generate.people import CHAIR, MEETING_OFFICERS, OFFICERS
from treatise.generate.quoted import quoted_as

_BODY: Final = (
    r"(?: (?:of|at|in|for) (?:the |our |this )?(?:meeting|board|committee|council|club|society|association|group))?"
)
_ASKS: Final = lazy_pattern(
    rf"who (?:is|was) the (?P<office>(?:(?:vice|deputy)[ -])?(?:{MEETING_OFFICERS})){_BODY}\W*|"
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


_ACTING: Final = r"(?:deputy|vice|assistant|acting|interim|former|past)[ -]"
_POST: Final = (
    rf"(?:{_ACTING}|(?:city|town|county|village|township|borough|parish|district|council|school|state|general|board|"
    rf"managing|executive)[ -]){{0,2}}(?:{OFFICERS}|mayor|manager|administrator|"
    r"attorney|auditor|recorder|registrar|commissioner|superintendent|governor|director|principal)"
)
_ASKS_POST: Final = lazy_pattern(
    rf"who (?:is|was) the (?P<post>{_POST})(?: of the (?:city|town|county|village|board|council))?\W*", re.IGNORECASE
)
_SIGNATURE: Final = (
    r"(?P<name{n}>[^\W\d_a-z][\w.'’-]+(?: [^\W\d_a-z][\w.'’-]*){{1,3}}), (?P<post{n}>(?-i:(?=[^\W\d_a-z]))(?i:{post}))"
)
_SIGNED: Final = lazy_pattern(_SIGNATURE.format(n="", post=_POST) + r"(?![\w-])")
_ONLY_SIGNED: Final = lazy_pattern(
    _SIGNATURE.format(n=1, post=_POST) + rf"(?:[ ;]+{_SIGNATURE.format(n=2, post=_POST)})*[ .;]*"
)


def answer_signed(evidence: Evidence, document: Document) -> Answer | None:
    """The holder of the office that the question asks for, of a line that is only names with their offices.

    Such lines are those of signatures: "Ann Lee, Mayor  Bo Ek, City Clerk". None if the question asks for something
    else, if not exactly one name stands before the office, or if the text gives the office to somebody else.
    """
    found = _ASKS_POST.fullmatch(evidence.question.strip())
    if not found:
        return None
    wanted = found["post"].casefold().replace("-", " ")
    signatures = list(_signatures(document))
    signed = [(name, line) for name, post, line in signatures if _is_post(post, wanted)]
    sentences = (document.quote(one.start, one.end) for one in document.sentences())
    if len({name for name, _ in signed}) != 1 or any(_changes_hands(wanted, one) for one in sentences):
        return None
    name, line = signed[0]
    rest = _without(document.text, [one for *_, one in signatures])
    holders = re.findall(rf"\b(?i:{re.escape(wanted)}):? ((?!{re.escape(name)})[^\W\d_a-z][a-z]\S*)", rest)
    if set(holders) - set(name.split()) or addresses_a_model(document.quote(line.start, line.end)):
        return None
    return quoted_as(evidence, document, [line], name, SpanAnswerKind.SPAN)


def _signatures(document: Document) -> Iterator[tuple[str, str, Span]]:
    """The names and offices of lines of nothing else, each with its line."""
    for found in FILLED_LINE.finditer(document.text):
        text = " ".join(found[0].split())
        if _ONLY_SIGNED.fullmatch(text):
            line = trim(document.text, Span(*found.span()))
            yield from ((one["name"], one["post"].casefold().replace("-", " "), line) for one in _SIGNED.finditer(text))


def _is_post(post: str, wanted: str) -> bool:
    """Whether an office is the one that is asked for; "clerk" is also the city clerk, but not the deputy clerk."""
    return post == wanted or (post.endswith(f" {wanted}") and not re.match(_ACTING, post))


def _without(text: str, lines: Sequence[Span]) -> str:
    """The text without these lines."""
    starts, ends = [0, *(one.end for one in lines)], [*(one.start for one in lines), len(text)]
    return "\n".join(text[start:end] for start, end in zip(starts, ends, strict=True))


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
