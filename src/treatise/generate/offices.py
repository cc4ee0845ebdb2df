"""Who holds an office: the one name beside it in brackets, after a dash or a comma, or after "Chair:"."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.quoted import quoted_answer

_BODY: Final = (
    r"(?: (?:of|at|in|for) (?:the |our |this )?(?:meeting|board|committee|council|club|society|association|group))?"
)
_ASKS: Final = re.compile(
    rf"who (?:is|was) (?:the |our |its |your )?(?P<office>[a-z][\w -]{{2,40}}?){_BODY}\W*|"
    rf"who (?:chaired|presided over|led|ran) (?:the |this |that )?(?:\w+ )?(?P<chaired>meeting|session|call)\W*",
    re.IGNORECASE,
)
_CHAIR: Final = r"chair(?:man|woman|person)?"
_OTHER: Final = r"(?<!vice )(?<!vice-)(?<!deputy )(?<!assistant )(?<!co-)(?<!former )(?<!past )(?<!acting )(?<!ex-)"
_NAME: Final = r"(?P<name>[^\W\d_a-z][\w'’-]*\.?(?: [^\W\d_a-z][\w'’-]*\.?){0,4})"


def answer_office(evidence: Evidence, document: Document) -> Answer | None:
    """The holder of the office that the question asks for, or who chaired the meeting.

    None if the question asks for something else, or if not exactly one name stands beside the office.
    """
    found = _ASKS.fullmatch(evidence.question.strip())
    if not found:
        return None
    office = _CHAIR if found["chaired"] else _pattern(found["office"])
    places = list(_places(document, office))
    names = {" ".join(name.split()).strip(" .").casefold() for name, _ in places}
    if len(names) != 1 or addresses_a_model(document.quote(places[0][1].start, places[0][1].end)):
        return None
    name, span = places[0]
    direct = DirectAnswer(" ".join(name.split()), str(SpanAnswerKind.SPAN), 1.0, (0,))
    return replace(quoted_answer(evidence, document, [span], 1.0), direct=direct)


def _pattern(office: str) -> str:
    """An office as a text has it: "chair" is a chairman, and between its words are blanks or hyphens."""
    words = office.casefold().replace("-", " ").split()
    of_chair = [_CHAIR if re.fullmatch(_CHAIR, word) else re.escape(word) for word in words]
    return r"[ -]".join(of_chair)


def _places(document: Document, office: str) -> Iterator[tuple[str, Span]]:
    """The names beside an office, each with the place of both."""
    held = rf"{_OTHER}(?i:{office})"
    for pattern in (
        rf"{_NAME} ?\((?i:the )?{held}\b[^()\n]{{0,30}}\)",
        rf"{_NAME} [–—-] (?i:the )?{held}(?=[\s,;.)*]|$)",
        rf"{_NAME}, (?i:the )?{held}(?=[,;.)]|\s*$|\s+(?:and|said|opened|presided)\b)",
        rf"^\W*{held}\W{{0,3}}:\W{{0,3}}\s*{_NAME}(?=\W*$| ?\()",
    ):
        for match in re.finditer(pattern, document.text, re.MULTILINE):
            yield match["name"], Span(*match.span())
