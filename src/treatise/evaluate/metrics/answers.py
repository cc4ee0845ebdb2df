"""Word overlap of answers with references."""

from treatise.evaluate.data.dataset import AnswerKind, Question
from treatise.evaluate.metrics.tokens import normal_words, overlap


def answer_overlap(question: Question, answer: str) -> tuple[tuple[float, float, float], AnswerKind]:
    """Token precision, recall and F1 of the reference with the best F1, and that reference's kind."""
    found = normal_words(answer)
    scored = [(overlap(found, normal_words(reference.answer)), reference.kind) for reference in question.references]
    return max(scored, key=lambda score: score[0][2])


def answer_f1(question: Question, answer: str) -> tuple[float, AnswerKind]:
    """Token F1 of the best reference, and that reference's kind (QASPER's official evaluator)."""
    (_, _, f1), kind = answer_overlap(question, answer)
    return f1, kind


def exact_match(question: Question, answer: str) -> float:
    """1 if the answer is some reference's answer, articles, case and punctuation aside; else 0."""
    found = normal_words(answer)
    return float(any(found == normal_words(reference.answer) for reference in question.references))


def all_and_only(question: Question, answer: str) -> float:
    """1 if an answer contains all correct answers and no wrong ones, else 0 (RAMDocs' exact match)."""
    said = " ".join(normal_words(answer))
    right, wrong = (
        [" ".join(normal_words(reference.answer)) in said for reference in side]
        for side in (question.references, question.wrong)
    )
    return float(all(right) and not any(wrong))
