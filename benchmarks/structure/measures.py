"""What a tree is worth for a task. Each document has a numerator and a denominator: figures are ratios of sums."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from structure import passages
from structure.gum import Annotated
from structure.neighbours import CAUSAL, LIMITING, Choice, cued, needs, nucleus_beside, previous, resolved
from structure.rouge import rouge1
from structure.satellites import Deletion, deletions, is_safe, shortened, single_edus
from structure.summaries import BUDGETS, Extra, by_one_score, by_product, product_scores
from structure.trees import ATTACHMENT, NUCLEARITY, RELATION
from treatise.core.indexed import IndexedDocument
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats
from treatise.generate.salience import satellites_above

MAY_GO: Final = frozenset({"elaboration", "explanation", "mode", "restatement"})
"""On GUM train at least 90 % of these satellites are safe to delete, and they hold fewer words of summaries than the
rest of their sentence by 3 points or more."""

LIMITS: Final = frozenset({"contingency", "adversative"})
CAUSES: Final = frozenset({"causal", "explanation"})
PROMOTION: Final = 1.0
PLACE: Final = 0.5

Sum = tuple[float, float]
"""Numerator and denominator of one document's part in a figure."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees of one system on one document, over EDUs and over sentences."""

    edus: DiscourseTree
    sentences: DiscourseTree


@dataclass(frozen=True, slots=True)
class Subject:
    """A document, indexed as for ``treatise summarize``, over its gold sentences."""

    annotated: Annotated
    indexed: IndexedDocument


Score = Callable[[Annotated, Sequence[int]], float]
"""What an extract of these sentences is worth."""

Measure = Callable[[Subject, Trees | None], Sum]
"""A task's figure with these trees; with None, the best that needs no tree."""


def summary(score: Score, place: float) -> Measure:
    """Extracts by the product's salience, with this weight of the place in the text; mean over both budgets.

    Without a tree: the same salience with no weight on nuclearity.
    """

    def measure(subject: Subject, trees: Trees | None) -> Sum:
        tree = trees.sentences if trees else subject.indexed.tree
        extra = Extra(PROMOTION if trees else 0.0, place)
        chosen = [by_product(subject.indexed, tree, extra, words) for words in BUDGETS]
        return float(np.mean([score(subject.annotated, one) for one in chosen])), 1.0

    return measure


def summary_alone(score: Score) -> Measure:
    """The same by nuclearity alone, the earlier of equal sentences first. Without a tree: the first sentences."""

    def measure(subject: Subject, trees: Trees | None) -> Sum:
        none = np.zeros(len(subject.indexed.units), dtype=np.float32)
        scores = -satellites_above(trees.sentences) if trees else none
        chosen = [by_one_score(subject.indexed, scores, words) for words in BUDGETS]
        return float(np.mean([score(subject.annotated, one) for one in chosen])), 1.0

    return measure


def by_rouge(annotated: Annotated, sentences: Sequence[int]) -> float:
    """ROUGE-1 with the nearest of five summaries, in percent."""
    return 100 * rouge1(" ".join(annotated.sentences.units[at] for at in sentences), annotated.summaries)


def by_entities(annotated: Annotated, sentences: Sequence[int]) -> float:
    """The share of the salient entities that the sentences mention, in percent."""
    return _covered(annotated, sentences, {})


def safe_deletions(relations: frozenset[str] | None) -> Measure:
    """Satellites inside sentences that may go by the dependency tree, of all or of these relations.

    Without a tree: single EDUs, drawn by chance.
    """

    def measure(subject: Subject, trees: Trees | None) -> Sum:
        of_sentences = subject.annotated.sentence_of_edu
        found = list(deletions(trees.edus, of_sentences) if trees else single_edus(of_sentences))
        kept = [one for one in found if trees is None or relations is None or one.relation in relations]
        return 100.0 * sum(is_safe(subject.annotated, one) for one in kept), len(kept)

    return measure


def compressed(subject: Subject, trees: Trees | None) -> Sum:
    """Salient entities covered by an extract whose sentences lose the satellites that may go, in percent.

    The order of sentences is that without a tree. Without a tree: whole sentences.
    """
    annotated = subject.annotated
    scores = product_scores(subject.indexed, subject.indexed.tree, Extra())
    gone: dict[int, list[Deletion]] = {}
    for one in deletions(trees.edus, annotated.sentence_of_edu) if trees else ():
        if one.relation in MAY_GO:
            gone.setdefault(annotated.sentence_of_edu[one.start], []).append(one)
    covered = [_covered(annotated, _filled(annotated, scores, gone, words), gone) for words in BUDGETS]
    return float(np.mean(covered)), 1.0


def neighbours(subject: Subject, trees: Trees | None) -> Sum:
    """Open pronouns that the attached sentence names, per attached sentence; without a tree, the sentence before it
    in its paragraph."""
    annotated = subject.annotated
    choice: Choice = nucleus_beside(annotated, trees.sentences) if trees else previous(annotated)
    attached = [need for need in needs(annotated) if choice(need.sentence) is not None]
    return 100 * sum(resolved(need, choice) for need in attached), len(attached)


def boundaries(relations: frozenset[str], cues: Callable[[Annotated], set[int]]) -> Measure:
    """F1 of the sentences that the gold tree joins to the one before by one of these relations; else by cue words."""

    def measure(subject: Subject, trees: Trees | None) -> Sum:
        annotated = subject.annotated
        gold = _joined(_gold_sentences(annotated), relations, annotated)
        found = _joined(trees.sentences, relations, annotated) if trees else cues(annotated)
        return 200.0 * len(gold & found), len(gold) + len(found)

    return measure


def split(subject: Subject, trees: Trees | None) -> Sum:
    """Pronouns in one passage with what they stand for, when passages of at most 100 words follow the tree inside
    paragraphs; without a tree, paragraphs alone."""
    annotated = subject.annotated
    costs: Floats = passages.by_paragraphs(annotated)
    if trees:
        costs = costs + np.float32(0.1) * passages.by_tree(annotated, trees.sentences)
    values = list(passages.intact(annotated, passages.cuts(annotated, costs)))
    return 100 * sum(values), len(values)


MEASURES: Final[Mapping[str, Measure]] = {
    "summary without place: ROUGE-1": summary(by_rouge, 0.0),
    "summary without place: salient entities": summary(by_entities, 0.0),
    "summary: ROUGE-1": summary(by_rouge, PLACE),
    "summary: salient entities": summary(by_entities, PLACE),
    "by nuclearity alone: ROUGE-1": summary_alone(by_rouge),
    "by nuclearity alone: salient entities": summary_alone(by_entities),
    "deletions that are safe": safe_deletions(None),
    "deletions that are safe, four relations": safe_deletions(MAY_GO),
    "compressed: salient entities": compressed,
    "attached sentence names the pronoun's entity": neighbours,
    "condition or contrast with the sentence before": boundaries(LIMITS, cued(LIMITING)),
    "cause or reason with the sentence before": boundaries(CAUSES, cued(CAUSAL)),
    "pronouns kept with their antecedent by passages": split,
}


USED: Final[Mapping[str, frozenset[str]]] = {
    "summary: ROUGE-1": frozenset({ATTACHMENT, NUCLEARITY}),
    "summary: salient entities": frozenset({ATTACHMENT, NUCLEARITY}),
    "deletions that are safe": frozenset({ATTACHMENT, NUCLEARITY}),
    "attached sentence names the pronoun's entity": frozenset({NUCLEARITY}),
    "condition or contrast with the sentence before": frozenset({RELATION}),
    "pronouns kept with their antecedent by passages": frozenset({ATTACHMENT}),
}
"""The measures with a curve, and the parts of a tree that they rest on."""


def _filled(annotated: Annotated, scores: Floats, gone: Mapping[int, Sequence[Deletion]], max_words: int) -> list[int]:
    """The best sentences that fit, as long as they are without what goes; headings are left out."""
    chosen, left = [], max_words
    for at in np.argsort(-scores, kind="stable").tolist():
        length = len(shortened(annotated, at, gone.get(at, ())).split())
        if length <= left and not annotated.is_heading[at]:
            chosen.append(at)
            left -= length
    return chosen


def _covered(annotated: Annotated, sentences: Iterable[int], gone: Mapping[int, Sequence[Deletion]]) -> float:
    """The share of the salient entities that the sentences mention outside of what goes; each counts as often as the
    summaries mention it."""
    chosen = set(sentences)
    dropped = {edu for at in chosen for one in gone.get(at, ()) for edu in range(one.start, one.end)}
    weights = {mention.entity: mention.n_summaries for mention in annotated.mentions}
    found = {
        mention.entity
        for mention in annotated.mentions
        if mention.sentence in chosen and annotated.tokens[mention.start].edu not in dropped
    }
    return 100 * sum(weights[entity] for entity in found) / sum(weights.values())


def _gold_sentences(annotated: Annotated) -> DiscourseTree:
    rows = annotated.conversion.sentences
    assert rows is not None
    return rows.tree


def _joined(tree: DiscourseTree, relations: frozenset[str], annotated: Annotated) -> set[int]:
    """Sentences that are joined to the one before, in their paragraph, by one of the relations."""
    paragraphs = annotated.paragraph_of_sentence
    return {
        split
        for _, split, _, join in tree.joins()
        if join.relation in relations and paragraphs[split] == paragraphs[split - 1]
    }
