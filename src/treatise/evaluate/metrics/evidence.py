"""How much of the marked evidence a retrieved context holds, and how much else."""

from collections.abc import Iterable, Sequence

from treatise.core.document import Span
from treatise.evaluate.dataset import AnswerKind, Question, Retrieved
from treatise.evaluate.metrics.tokens import normal_words, overlap


def evidence_tokens(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """Token ``f1`` and ``recall`` of the whole context against the joined evidence of the best annotator by F1.

    The measure of DISRetrieval's Table 2: a question whose references mark no text scores 0 against a context.
    """
    found = normal_words(retrieved.context)
    scores = [overlap(found, normal_words(" ".join(reference.evidence))) for reference in question.references]
    _, recall, f1 = max(scores, key=lambda score: score[2])
    return {"f1": f1, "recall": recall}


def span_cover(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """``span_recall`` and ``span_precision`` in characters: marked ones that were retrieved, retrieved ones marked.

    Of the best annotator by their harmonic mean. Not scored where no reference has a span.
    """
    scores = [cover(retrieved.spans, reference.spans) for reference in question.references if reference.spans]
    if not scores:
        return {}
    recall, precision = max(scores, key=lambda score: _harmonic(*score))
    return {"span_recall": recall, "span_precision": precision}


def answer_in_context(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """``answer_in_context``: 1 where the first reference's words stand in the context in a row, else 0.

    Scored only where that answer is made of the document's words (FairytaleQA's explicit ones).
    """
    reference = question.references[0]
    gold = normal_words(reference.answer)
    if reference.kind is not AnswerKind.EXTRACTIVE or not gold:
        return {}
    context = f" {' '.join(normal_words(retrieved.context))} "
    return {"answer_in_context": float(f" {' '.join(gold)} " in context)}


def cover(found: Iterable[Span], gold: Iterable[Span]) -> tuple[float, float]:
    """Share of the gold characters that were found, and share of the found ones that are gold; 0 of nothing is 0.

    Spans of one side may overlap: a character counts once.

    >>> cover([Span(0, 10)], [Span(5, 25)])
    (0.25, 0.5)
    """
    found, gold = _merged(found), _merged(gold)
    common = sum(max(0, min(a.end, b.end) - max(a.start, b.start)) for a in found for b in gold)
    n_found, n_gold = sum(map(len, found)), sum(map(len, gold))
    return common / n_gold if n_gold else 0.0, common / n_found if n_found else 0.0


def _merged(spans: Iterable[Span]) -> Sequence[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: s.start):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0
