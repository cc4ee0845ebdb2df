"""Recall and precision of marked evidence in retrieved contexts."""

from collections.abc import Iterable, Sequence

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, Question, Reference, Retrieved
from treatise.evaluate.metrics.tokens import normal_words, overlap


def evidence_tokens(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """Token ``f1`` and ``recall`` of the whole context against the joined evidence of the best annotator by F1.

    As in DISRetrieval's Table 2, a question whose references mark no text scores 0 for any context.
    """
    found = normal_words(retrieved.context)
    scores = [overlap(found, normal_words(" ".join(reference.evidence))) for reference in question.references]
    _, recall, f1 = max(scores, key=lambda score: score[2])
    return {"f1": f1, "recall": recall}


def span_cover(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """``span_recall`` and ``span_precision`` over the characters of the marked evidence.

    For the best annotator by harmonic mean. Not scored if no reference has a span.
    """
    found = _places(retrieved)
    scores = [cover(found, _places(reference)) for reference in question.references if reference.spans]
    if not scores:
        return {}
    recall, precision = max(scores, key=lambda score: _harmonic(*score))
    return {"span_recall": recall, "span_precision": precision}


def answer_in_context(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """``answer_in_context``: 1 if the first reference's words occur consecutively in the context, else 0.

    Scored only if the answer uses the document's words (FairytaleQA's explicit ones).
    """
    reference = question.references[0]
    gold = normal_words(reference.answer)
    if reference.kind is not AnswerKind.EXTRACTIVE or not gold:
        return {}
    return {"answer_in_context": float(stands_in(gold, retrieved.context))}


def answers_in_context(question: Question, retrieved: Retrieved) -> dict[str, float]:
    """``answers_in_context`` and ``wrong_in_context``: shares of correct and wrong answers found in the context.

    An answer is found if its words occur consecutively. For questions with several correct answers (see
    :func:`answers_in`); not scored if there are none.
    """
    scores = {
        "answers_in_context": answers_in(question, retrieved.context),
        "wrong_in_context": _share(question.wrong, retrieved.context),
    }
    return {name: score for name, score in scores.items() if score is not None}


def answers_in(question: Question, text: str) -> float | None:
    """Share of the correct answers whose words occur consecutively in a text; None if there are no answers.

    For ambiguous questions, the share of the readings with such an answer.
    """
    if not question.readings:
        return _share(question.references, text)
    shares = [_share(reading.references, text) for reading in question.readings]
    found = [bool(share) for share in shares if share is not None]
    return sum(found) / len(found) if found else None


def _share(references: Sequence[Reference], text: str) -> float | None:
    words = [gold for reference in references if (gold := normal_words(reference.answer))]
    return sum(stands_in(gold, text) for gold in words) / len(words) if words else None


def stands_in(words: Sequence[str], text: str) -> bool:
    """Whether these normalised words occur consecutively in a text.

    >>> stands_in(["red", "cat"], "It was a Red cat."), stands_in(["cat"], "Cats.")
    (True, False)
    """
    return f" {' '.join(words)} " in f" {' '.join(normal_words(text))} "


Places = dict[int, list[Span]]
"""Spans by document index."""


def _places(marked: Reference | Retrieved) -> Places:
    places: Places = {}
    for number, span in zip(marked.documents or (0,) * len(marked.spans), marked.spans, strict=True):
        places.setdefault(number, []).append(span)
    return places


def cover(found: Places, gold: Places) -> tuple[float, float]:
    """Recall and precision in characters; 0 / 0 is 0.

    Spans on either side may overlap; each character counts once.

    >>> cover({0: [Span(0, 10)]}, {0: [Span(5, 25)]})
    (0.25, 0.5)
    """
    n_common = n_found = n_gold = 0
    for number in found.keys() | gold.keys():
        of_found, of_gold = _merged(found.get(number, [])), _merged(gold.get(number, []))
        n_common += sum(max(0, min(a.end, b.end) - max(a.start, b.start)) for a in of_found for b in of_gold)
        n_found += sum(map(len, of_found))
        n_gold += sum(map(len, of_gold))
    return n_common / n_gold if n_gold else 0.0, n_common / n_found if n_found else 0.0


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
