"""Rules: quantifiers and modal words before the same word have the same strength in statement and text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from treatise.claims.difference import Difference, contradiction
from treatise.claims.words import Text
from treatise.core.patterns import lazy_pattern

_QUANTIFIERS: Final[Mapping[str, str]] = {
    "all": r"all|every|each|always|both|entirely|everyone|everything|whole|entire|exclusively",
    "none": r"no|none(?: of)?|never|neither(?: of)?|nobody|nothing|not any",
    "some": r"some|several|certain|sometimes|a few|a number of|occasionally|partly",
    "many": r"many|most|mostly|usually|often|frequently|generally|the majority of|typically|numerous|much",
    "few": r"few|rarely|seldom|hardly any",
}
_QUANTITIES_IN_CONFLICT: Final = frozenset({
    ("all", "none"), ("all", "some"), ("all", "many"), ("all", "few"), ("none", "all"), ("none", "some"),
    ("none", "many"), ("none", "few"), ("some", "none"), ("many", "none"), ("many", "few"), ("many", "some"),
    ("few", "many"), ("few", "all"), ("few", "none"),
})  # fmt: skip
"""Of the statement and of the text; a statement weaker than the text is no conflict."""

_MODALS: Final[Mapping[str, str]] = {
    "must not": r"(?:must|shall|may|can|could)(?: not|n't)|ha(?:s|ve) to not|cannot"
    r"|(?:is|are|be) (?:forbidden|prohibited|not (?:allowed|permitted)) "
    r"(?:to|from)|may never|must never|shall never|no \w+ (?:may|shall)",
    "need not": r"(?:need|does|do|is|are|has|have|did)(?: not|n't)"
    r"(?: have to| need to|(?: be)? (?:required|obliged|obligated) to)"
    r"|need not|needn't|free not to",
    "should": r"should|ought to|recommended to|advised to|encouraged to",
    "must": r"must|shall|ha(?:s|ve) to|had to|needs? to|(?:required|obliged|obligated|bound) to|mandatory",
    "can": r"can|could|able to",
    "may": r"may|might|(?:permitted|allowed|free|entitled) to|optional(?:ly)?",
}
_MODALS_IN_CONFLICT: Final = frozenset({
    ("must", "may"), ("must", "must not"), ("must", "need not"), ("must", "should"), ("may", "must"),
    ("may", "must not"), ("can", "must not"), ("must not", "can"), ("must", "can"), ("must not", "may"),
    ("must not", "must"), ("must not", "should"), ("need not", "must"),
    ("need not", "must not"), ("need not", "should"), ("should", "must not"), ("should", "need not"), ("should", "may"),
})  # fmt: skip
_LOWER: Final = (
    r"at least|no (?:fewer|less) than|not (?:fewer|less) than|a minimum of|more than|over|above|exceed(?:s|ed|ing)?"
)
_UPPER: Final = (
    r"at most|no more than|not more than|a maximum of|up to|fewer than|less than|under|below|within|not exceed(?:ing)?"
    r"|must not exceed"
)
_BOUND: Final = lazy_pattern(
    rf"\b(?:(?P<upper>{_UPPER})|(?P<lower>{_LOWER}))\s+(?:the |a |an )?[$€£]?(?P<number>\d[\d.,]*\b|[a-z]+)",
    re.IGNORECASE,
)
_REACH: Final = 5
_HEADS: Final = 2


@dataclass(frozen=True, slots=True)
class _Marker:
    """A quantifier or modal.

    Attributes:
        sort: Its strength, a key of its table.
        text: As written.
        heads: Stems of the next content words.
    """

    sort: str
    text: str
    heads: tuple[str, ...]


def differing_quantifier(claim: Text, sentence: Text) -> Difference | None:
    """A quantifier of the statement that the text has weaker or reversed before the same word.

    >>> differing_quantifier(Text("All members vote."), Text("Some members vote.")).reason
    'the answer says “All members”, the text “Some members”'
    """
    return _conflict("quantity", _QUANTIFIER, _QUANTITIES_IN_CONFLICT, claim, sentence)


def differing_modal(claim: Text, sentence: Text) -> Difference | None:
    """A modal verb of the statement that is another in the text before the same word.

    >>> differing_modal(Text("You must copy it."), Text("You may copy it.")).reason
    'the answer says “must copy”, the text “may copy”'
    """
    return _conflict("modality", _MODAL, _MODALS_IN_CONFLICT, claim, sentence)


def differing_bound(claim: Text, sentence: Text) -> Difference | None:
    """A lower bound of a number that is an upper one in the text, or the other way round.

    >>> differing_bound(Text("At least 5 votes are needed."), Text("At most 5 votes count.")).rule
    'quantity'
    """
    there = {found["number"].casefold(): found for found in _BOUND.finditer(sentence.text)}
    for found in _BOUND.finditer(claim.text):
        other = there.get(found["number"].casefold())
        if other and bool(found["upper"]) != bool(other["upper"]):
            return contradiction("quantity", found.group(), other.group())
    return None


def _pattern(table: Mapping[str, str]) -> re.Pattern[str]:
    groups = "|".join(f"(?P<{sort.replace(' ', '_')}>{words})" for sort, words in table.items())
    return lazy_pattern(rf"(?<![\w-])(?:{groups})(?![\w-])", re.IGNORECASE)


_QUANTIFIER: Final = _pattern(_QUANTIFIERS)
_MODAL: Final = _pattern(_MODALS)


def _conflict(
    rule: str, pattern: re.Pattern[str], conflicts: frozenset[tuple[str, str]], claim: Text, sentence: Text
) -> Difference | None:
    """The first marker of the statement in conflict with those before the same word in the text, and with no other."""
    there = list(_markers(sentence.text, pattern))
    for marker in _markers(claim.text, pattern):
        same = [other for other in there if marker.heads[:1] == other.heads[:1]]
        same = same or [other for other in there if set(marker.heads) & set(other.heads)]
        against = [other for other in same if (marker.sort, other.sort) in conflicts]
        if against and len(against) == len(same):
            shared = next(head for head in marker.heads if head in against[0].heads)
            return contradiction(rule, _shown(marker, shared, claim), _shown(against[0], shared, sentence))
    return None


def _markers(text: str, pattern: re.Pattern[str]) -> Iterator[_Marker]:
    for found in pattern.finditer(text):
        after = Text(text[found.end() : found.end() + 120]).words[:_REACH]
        heads: list[str] = []
        for word in after:
            if word.is_stop or len(heads) == _HEADS:
                break
            if word.is_content:
                heads.append(word.stem)
        if found.lastgroup and heads:
            yield _Marker(found.lastgroup.replace("_", " "), found.group(), tuple(heads))


def _shown(marker: _Marker, head: str, text: Text) -> str:
    word = next((word.text for word in text.words if word.stem == head), head)
    return f"{marker.text} {word}"
