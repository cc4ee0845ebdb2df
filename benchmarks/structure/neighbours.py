"""Where does a sentence need its neighbour? Antecedents of pronouns, and conditions, concessions and causes.

A sentence that is quoted alone loses what its pronouns stand for, and what limits it. Gold coreference and gold
relations say which other sentence has it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from structure.gum import Annotated
from treatise.core.tree import DiscourseTree, Nuclearity

Choice = Callable[[int], int | None]
"""The sentence to quote beside a sentence, or None."""

LIMITING: Final = re.compile(
    r"(?:but|however|unless|except|otherwise|if|although|though|even if|even though|nevertheless|nonetheless|still|yet|"
    r"only if|provided that|in that case|if not|on the other hand|in contrast|instead|rather)\b",
    re.IGNORECASE,
)
CAUSAL: Final = re.compile(
    r"(?:because|since|so|therefore|thus|hence|as a result|consequently|for (?:this|that|these) reasons?|that is why|"
    r"this is why|due to|accordingly)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Need:
    """A sentence with a pronoun whose antecedent is in an earlier sentence.

    Attributes:
        sentence: It.
        holders: For each such pronoun, the sentences that name the entity.
    """

    sentence: int
    holders: tuple[frozenset[int], ...]


def needs(annotated: Annotated) -> Iterator[Need]:
    """Sentences with a pronoun for an entity that an earlier sentence names, and this one does not."""
    named: dict[int, set[int]] = {}
    for mention in annotated.mentions:
        if not mention.is_pronoun:
            named.setdefault(mention.entity, set()).add(mention.sentence)
    open_mentions: dict[int, dict[int, frozenset[int]]] = {}
    for mention in annotated.mentions:
        holders = named.get(mention.entity, set())
        if mention.is_pronoun and mention.sentence not in holders and min(holders, default=9**9) < mention.sentence:
            open_mentions.setdefault(mention.sentence, {})[mention.entity] = frozenset(holders)
    for sentence, of_entities in sorted(open_mentions.items()):
        yield Need(sentence, tuple(of_entities.values()))


def previous(annotated: Annotated) -> Choice:
    """The sentence before, if it is in the same paragraph."""
    paragraphs = annotated.paragraph_of_sentence
    return lambda at: at - 1 if at and paragraphs[at - 1] == paragraphs[at] else None


def nucleus_beside(annotated: Annotated, tree: DiscourseTree) -> Choice:
    """The rule of ``treatise ask``: the neighbour in the paragraph that the sentence is a satellite of.

    Args:
        annotated: The document.
        tree: Over its sentences.
    """
    nuclearity = {split: join.nuclearity for _, split, _, join in tree.joins()}
    paragraphs = annotated.paragraph_of_sentence

    def choose(sentence: int) -> int | None:
        if nuclearity.get(sentence) is Nuclearity.NS and paragraphs[sentence - 1] == paragraphs[sentence]:
            return sentence - 1
        after = sentence + 1
        if nuclearity.get(after) is Nuclearity.SN and paragraphs[after] == paragraphs[sentence]:
            return after
        return None

    return choose


def resolved(need: Need, choice: Choice) -> float:
    """The share of its open pronouns that the chosen sentence names."""
    chosen = choice(need.sentence)
    return sum(chosen in holders for holders in need.holders) / len(need.holders)


def cued(pattern: re.Pattern[str]) -> Callable[[Annotated], set[int]]:
    """The sentences inside paragraphs that begin with such a word; the first of a paragraph has none before it."""

    def find(annotated: Annotated) -> set[int]:
        units, paragraphs = annotated.sentences.units, annotated.paragraph_of_sentence
        inside = (at for at in range(1, len(units)) if paragraphs[at] == paragraphs[at - 1])
        return {at for at in inside if pattern.match(units[at])}

    return find
