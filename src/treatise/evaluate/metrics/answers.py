"""How well an answer's words match the references'."""

from treatise.evaluate.data.dataset import AnswerKind, Question
from treatise.evaluate.metrics.tokens import normal_words, overlap


def answer_f1(question: Question, answer: str) -> tuple[float, AnswerKind]:
    """Token F1 of the best reference, and that reference's kind (QASPER's official evaluator)."""
    found = normal_words(answer)
    scored = [(overlap(found, normal_words(reference.answer))[2], reference.kind) for reference in question.references]
    return max(scored, key=lambda score: score[0])


def exact_match(question: Question, answer: str) -> float:
    """1 where the answer is some reference's answer, articles, case and punctuation aside; else 0."""
    found = normal_words(answer)
    return float(any(found == normal_words(reference.answer) for reference in question.references))


def answer_f1_by_kind(scores: list[tuple[float, AnswerKind]]) -> dict[str, tuple[float, int]]:
    """Mean F1 and number of questions, over all and per kind of the best reference; kinds that did not occur are out.

    >>> answer_f1_by_kind([(1.0, AnswerKind.BOOLEAN), (0.5, AnswerKind.EXTRACTIVE)])
    {'all': (0.75, 2), 'boolean': (1.0, 1), 'extractive': (0.5, 1)}
    """
    groups = {"all": [score for score, _ in scores]}
    for score, kind in scores:
        groups.setdefault(kind.value, []).append(score)
    return {name: (sum(group) / len(group), len(group)) for name, group in groups.items() if group}


def all_and_only(question: Question, answer: str) -> float:
    """1 where an answer holds every right answer and no wrong one, else 0: RAMDocs' exact match (Wang et al., 2025)."""
    said = " ".join(normal_words(answer))
    right, wrong = (
        [" ".join(normal_words(reference.answer)) in said for reference in side]
        for side in (question.references, question.wrong)
    )
    return float(all(right) and not any(wrong))
