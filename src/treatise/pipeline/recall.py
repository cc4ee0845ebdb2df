"""Measures how much of a full scan's evidence the candidates of a large library yield."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import EmptyLibraryError, QuestionError
from treatise.core.evidence import Evidence
from treatise.pipeline.candidates import Candidates, Found
from treatise.pipeline.corpus import Load
from treatise.pipeline.system import DEFAULT_WORDS, System
from treatise.retrieve import best_score

_N_BEST: Final = 128
"""Documents with the best nodes that stand for all: the evidence of a full scan comes from fewer."""

_AS_GOOD: Final = 0.05
"""Scores within a twentieth of a standard deviation count as equal."""


@dataclass(frozen=True, slots=True)
class CandidateRecall:
    """What two stages find of what a full scan finds.

    Attributes:
        n_questions: Number of questions.
        passages: Share of the full scan's passages that are found, mean over questions.
        as_good: The same, counting any passage that scores no less than the worst of the full scan's: of
            near-duplicates, another one counts.
        identical: Share of the questions with the same passages in the same order.
    """

    n_questions: int
    passages: float
    as_good: float
    identical: float


def candidate_recall(
    candidates: Candidates, system: System, load: Load, questions: Sequence[str], max_words: int = DEFAULT_WORDS
) -> CandidateRecall:
    """Compares the evidence from candidates with that of all documents, for at least one question.

    Every document is read once, and scored for every question on the library's statistics; few are kept.

    Raises:
        QuestionError: If there is no question, or questions are no list.
        EmptyLibraryError: If there is no document.
    """
    if isinstance(questions, str) or not questions:
        raise QuestionError("there is no question to measure with: give a list of one question or more")
    if not candidates.ids:
        raise EmptyLibraryError("there is no document to ask: index one first with `treatise index FILE`")
    chosen = [candidates.choose(question, max_words=max_words) for question in questions]
    best: list[list[tuple[float, str]]] = [[] for _ in questions]
    for id_ in candidates.ids:
        one = candidates.read(id_)
        for question, found, heap in zip(questions, chosen, best, strict=True):
            heapq.heappush(heap, (best_score(one, question, system.recipe, found.statistics), id_))
            if len(heap) > _N_BEST:
                heapq.heappop(heap)
    order = {id_: place for place, id_ in enumerate(candidates.ids)}
    shares, as_good, n_identical = [], [], 0
    for question, found, heap in zip(questions, chosen, best, strict=True):
        ids = sorted((id_ for _, id_ in heap), key=order.__getitem__)
        whole = _evidence(system, load, question, Found(ids, found.corpus), max_words)
        two_stages = _evidence(system, load, question, found, max_words)
        shares.append(len({*_places(whole)} & {*_places(two_stages)}) / max(1, len(whole.passages)))
        as_good.append(_n_as_good(whole, two_stages) / max(1, len(whole.passages)))
        n_identical += _places(whole) == _places(two_stages)
    n_questions = len(questions)
    return CandidateRecall(
        n_questions, sum(shares) / n_questions, sum(as_good) / n_questions, n_identical / n_questions
    )


def _evidence(system: System, load: Load, question: str, found: Found, max_words: int) -> Evidence:
    return system.search(question, [load(id_) for id_ in found.ids], max_words=max_words, corpus=found.corpus)


def _n_as_good(whole: Evidence, two_stages: Evidence) -> int:
    """The number of passages of the second evidence that score no less than the worst of the first."""
    worst = min((one.score for one in whole.passages), default=0.0)
    return min(len(whole.passages), sum(one.score >= worst - _AS_GOOD for one in two_stages.passages))


def _places(evidence: Evidence) -> list[tuple[str, int]]:
    return [(passage.document, passage.span.start) for passage in evidence.passages]
