"""A question with the words of a table where it has others for them: "offene Rechnungen" for "offen", and "the most
people" for the highest population.
"""

import re
from collections.abc import Collection
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.grid import Grid
from treatise.generate.tabular.languages import ENGLISH
from treatise.generate.tabular.words import Head, Wording, languages_of, tokens

_UMLAUTS: Final = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_LEAST_STEM: Final = 4
_PEOPLE: Final = lazy_pattern(
    rf"(?P<before>\b(?:most|fewest|least|{ENGLISH.more}|{ENGLISH.fewer}|{ENGLISH.thousand}|{ENGLISH.million}|"
    rf"{ENGLISH.billion}|\d+)\s+)people\b(?:\s+lives?\b)?",
    re.IGNORECASE,
)
_INHABITANTS: Final = "inhabitants"


def in_words_of(question: str, grid: Grid) -> str:
    """The question with its people as inhabitants if the table has a population, and with the table's endings."""
    return _with_endings(_with_inhabitants(question, grid), grid)


def _with_inhabitants(question: str, grid: Grid) -> str:
    """The question with "inhabitants" for "people" that are compared, if one head means these and none has people."""
    match = _PEOPLE.search(question)
    if match is None:
        return question
    (inhabitants,), people = tokens(_INHABITANTS), tokens("people")
    heads = [Head(one) for one in grid.heads.values()]
    if sum(one.means(inhabitants) for one in heads) != 1 or any(one.means(people[0]) for one in heads):
        return question
    return f"{question[: match.start()]}{match['before']}{_INHABITANTS}{question[match.end() :]}"


def _with_endings(question: str, grid: Grid) -> str:
    """The question with each word that the table has only with another ending, as the table writes it.

    Only of languages whose words have many endings. A word that may be several of the table stays.
    """
    endings = tuple(ending for language in languages_of(question) for ending in language.endings.split("|") if ending)
    if not endings:
        return question
    of_heads = {one.text for head in grid.heads.values() for one in tokens(Head(head).in_words)}
    of_cells = {word for words in grid.places for word in words}
    wording = Wording(question)
    for one in reversed(wording.tokens):
        if one.is_number or one.text in wording.light or one.text in of_heads or one.text in of_cells:
            continue
        known = _of_one_stem(one.text, of_heads, endings) or _of_one_stem(one.text, of_cells, endings)
        if len(known) == 1:
            question = f"{question[: one.start]}{known[0]}{question[one.end :]}"
    return question


def _of_one_stem(word: str, known: Collection[str], endings: Collection[str]) -> list[str]:
    stems = _stems(word, endings)
    beginning = word.translate(_UMLAUTS)[:_LEAST_STEM]
    near = (one for one in known if one.translate(_UMLAUTS).startswith(beginning))  # a sheet has many words
    return [one for one in near if not stems.isdisjoint(_stems(one, endings))]


def _stems(word: str, endings: Collection[str]) -> set[str]:
    """A word with and without each ending that it may have, and without umlauts.

    >>> sorted(_stems("räume", ("e", "en"))), sorted(_stems("offenen", ("e", "en")))
    (['raum', 'raume'], ['offen', 'offenen'])
    """
    plain = word.translate(_UMLAUTS)
    found = {plain, *(plain.removesuffix(ending) for ending in endings)}
    return {one for one in found if len(one) >= _LEAST_STEM}
