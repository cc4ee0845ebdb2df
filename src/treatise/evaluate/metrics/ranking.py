"""Ranking metrics over paragraphs: recall, nDCG and reciprocal rank, by ``ir_measures`` (trec_eval)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.errors import DataError, MissingExtraError
from treatise.evaluate.data.dataset import LabelledDocument, Question, Retrieved

RANK_MEASURES: Final = ("R@5", "R@10", "nDCG@10", "RR")


def rank_scores(
    documents: Sequence[LabelledDocument], retrieved: Mapping[str, Retrieved], measures: Sequence[str] = RANK_MEASURES
) -> dict[str, dict[str, float]]:
    """Ranking metrics (0 to 1) by question. Questions without marked spans are left out.

    The ranked items are paragraphs, in the order in which the retrieved passages reach them; relevant
    ones overlap a marked span of any annotator. ``measures`` are named as in ``ir_measures``.

    Raises:
        DataError: If a measure is unknown, or a question has no result.
        MissingExtraError: Without ``treatise[eval]``.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtraError("ranking measures", "eval") from error
    try:
        parsed = [ir_measures.parse_measure(name) for name in measures]
    except (NameError, ValueError, TypeError, SyntaxError) as error:
        raise DataError(f"expected measures such as {', '.join(RANK_MEASURES)}, found {', '.join(measures)}") from error
    right: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for labelled in documents:
        for question in labelled.questions:
            marked = set(_marked(labelled.documents, question))
            if not marked:
                continue
            if question.id not in retrieved:
                raise DataError(f"the results have no line for question {question.id}")
            right[question.id] = dict.fromkeys(marked, 1)
            ranking = dict.fromkeys(_ranked(labelled.documents, retrieved[question.id]))
            run[question.id] = {name: -float(rank) for rank, name in enumerate(ranking)} or {"": 0.0}
    scores: dict[str, dict[str, float]] = {name: {} for name in right}
    for metric in ir_measures.iter_calc(parsed, right, run):
        scores[metric.query_id][str(metric.measure)] = float(metric.value)
    return scores


def _marked(documents: Sequence[Document], question: Question) -> Iterator[str]:
    for reference in question.references:
        numbers = reference.documents or (0,) * len(reference.spans)
        for number, span in zip(numbers, reference.spans, strict=True):
            yield from _paragraphs(documents, number, span)


def _ranked(documents: Sequence[Document], retrieved: Retrieved) -> Iterator[str]:
    numbers = retrieved.documents or (0,) * len(retrieved.spans)
    for number, span in zip(numbers, retrieved.spans, strict=True):
        yield from _paragraphs(documents, number, span)


def _paragraphs(documents: Sequence[Document], number: int, span: Span) -> Iterator[str]:
    """Names of the paragraphs that overlap a span, in order."""
    at = span.start
    while at < span.end:
        paragraph = documents[number].paragraph_at(at)
        yield f"{number}:{paragraph.start}"
        at = paragraph.end
