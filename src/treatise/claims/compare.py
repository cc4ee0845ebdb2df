"""All rules on a statement and the texts that it cites."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from treatise.claims.difference import Difference
from treatise.claims.markers import differing_bound, differing_modal, differing_quantifier
from treatise.claims.names import missing_name
from treatise.claims.negation import differing_negation
from treatise.claims.opposites import opposite_word
from treatise.claims.order import exchanged_in_place, exchanged_names, reversed_events
from treatise.claims.quantities import differing_magnitude, differing_number
from treatise.claims.scope import opposite_in_clause, other_compound, other_end, within_exception
from treatise.claims.words import Text

Rule = Callable[[Text, Text], Difference | None]
"""Compares a statement with a sentence that is about the same thing."""

SENTENCE_RULES: Final[tuple[Rule, ...]] = (
    exchanged_in_place,  differing_modal, differing_negation, differing_quantifier, differing_bound,
    differing_magnitude, opposite_word,
    reversed_events, exchanged_names, within_exception, other_end,
    opposite_in_clause, other_compound,
)  # fmt: skip

_NEAR: Final = 0.55  # minimum share of the statement's content words in a sentence about the same thing
_AS_NEAR: Final = 0.1
_LONGEST_RUN: Final = 3
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“(\[\d])|(?<=[。！？；])|\n+")


def compare(claim: str, texts: Sequence[str], known: str = "", *, is_english: bool = True) -> Difference | None:
    """Why the texts do not support a statement, as far as rules tell; None if no rule objects.

    Numbers and names may come from any of the texts, names also from ``known``, such as the titles of document and
    section. The other rules compare the statement with the sentences that share most of its words: it is enough that
    one of those agrees.

    Texts in other languages than English are compared by their numbers alone.

    >>> compare("The fee is 5 euros.", ["The fee is 8 euros. Children pay 5 pounds."]).rule
    'number'
    >>> compare("The fee is 8 euros.", ["The fee is 8 euros.", "It was 5 euros."])
    """
    whole = "\n".join(texts)
    if not is_english:
        return differing_number(claim, whole)
    said = Text(claim)
    about = said.content - (Text(known).content - Text(whole).content)  # without names that replace pronouns
    near = sorted(_near(about or said.content, whole), key=lambda one: -one.covers(said))
    in_place = _agreeing(said, [one for one in near if one.covers(said) >= near[0].covers(said) - _AS_NEAR])
    return in_place or differing_number(claim, whole) or missing_name(claim, f"{whole}\n{known}")


def _near(about: frozenset[str], whole: str) -> list[Text]:
    """The sentences about the same thing; if there are none, the runs of two or three that are."""
    parts = [part for part in _SENTENCE.split(whole) if part.strip()]
    for n in range(1, _LONGEST_RUN + 1):
        runs = (Text(" ".join(parts[i : i + n])) for i in range(len(parts) - n + 1))
        if near := [run for run in runs if len(run.content & about) >= _NEAR * len(about)]:
            return near
    return []


def _agreeing(claim: Text, sentences: Sequence[Text]) -> Difference | None:
    """The difference of the nearest sentence; None if a sentence agrees, or there is none."""
    first: Difference | None = None
    for sentence in sentences:
        found = next(filter(None, (rule(claim, sentence) for rule in SENTENCE_RULES)), None)
        if found is None:
            return None
        first = first or found
    return first
