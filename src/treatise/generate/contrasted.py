"""Requests to compare two things ("Compare dogs and cats"): passages on each of both, or which one is never mentioned.

One search finds passages on the thing of which a document says more, so each is searched for alone.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.claims.words import Text
from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.patterns import lazy_pattern
from treatise.generate.not_found import refusal_because
from treatise.generate.on_topic import MAX_STATEMENTS, MAX_WORDS, POLITE, places_on, stems_of
from treatise.generate.quoted import quoting

_THING: Final = r"(?:the )?(?P<{}>\w[^,;?]{{0,60}}?)"
_BOTH: Final = rf"{_THING.format('one')} (?:and|with|to|against|versus|vs\.?) {_THING.format('other')}"
_COMPARES: Final = tuple(
    lazy_pattern(rf"{pattern}[\s?.!]*", re.IGNORECASE)
    for pattern in (
        rf"(?:compare(?: and contrast)?|contrast) {_BOTH}",
        r"(?:describe|explain|outline|summari[sz]e|what(?: is|'s| are)) the (?:main )?"
        rf"(?:comparison|differences?|relationship|similarit(?:y|ies)) (?:between|of) {_BOTH}",
        rf"how (?:does|do|did) {_THING.format('one')} compare (?:to|with) {_THING.format('other')}",
        rf"how (?:do|did) {_BOTH} (?:compare|differ)",
    )
)


def compared_things(question: str) -> tuple[str, ...]:
    """The two things that an English question asks to compare; empty if it asks for something else.

    >>> compared_things("Please compare the dogs with cats."), compared_things("Compare dogs.")
    (('dogs', 'cats'), ())
    >>> compared_things("What is the difference between a lease and a licence?")
    ('a lease', 'a licence')
    """
    plain = POLITE.sub("", question).strip()
    found = next((found for pattern in _COMPARES if (found := pattern.fullmatch(plain))), None)
    return (found["one"], found["other"]) if found and all(_stems(found[one]) for one in ("one", "other")) else ()


def speaks_of_all(answer: Answer, things: Sequence[str]) -> bool:
    """Whether an answer was found and has a word of each thing."""
    words = Text(answer.text).content
    return answer.found and all(words & _stems(one) for one in things)


def refused_unmentioned(things: Sequence[str], evidence: Evidence, document: Document) -> Answer | None:
    """The refusal that names the things of which no word is in the document; None if it has a word of each."""
    known = stems_of(document)
    missing = [one for one in things if not known & _stems(one)]
    reason = f"the document never mentions {' or '.join(missing)}"
    return refusal_because(evidence, reason, several=False) if missing else None


def side_by_side(answer: Answer, things: Sequence[str], found: Sequence[Evidence], document: Document) -> Answer:
    """Passages on each thing, from the evidence ``found`` for it; the answer as it was if one has no passages."""
    n_each = MAX_STATEMENTS // len(things)
    places = [
        places_on(_stems(one), of_one.passages, {document.id: document}, MAX_WORDS // len(things), n_each)
        for one, of_one in zip(things, found, strict=True)
    ]
    if not all(places):
        return answer
    passages = tuple({one.span: one for of_one in found for one in of_one.passages}.values())
    context = "\n\n".join(one.text for one in passages)
    evidence = replace(
        answer.evidence, passages=passages, context=context, confidence=min(one.confidence for one in found)
    )
    spans = dict.fromkeys(span for of_one in places for _, span in of_one)
    return quoting(evidence, [(document, one) for one in spans])


def _stems(thing: str) -> frozenset[str]:
    return Text(thing).content
