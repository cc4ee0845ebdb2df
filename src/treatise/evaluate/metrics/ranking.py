"""Ranking metrics over paragraphs: recall, nDCG and reciprocal rank, by ``ir_measures`` (trec_eval)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.errors import DataError, MissingExtraError
from treatise.evaluate.data.dataset import LabelledDocument, Question, Retrieved

RANK_MEASURES: Final = ("R@5", "R@10", "nDCG@10", "RR")

Judgements = dict[str, dict[str, int]]
"""By question, the paragraphs that are relevant, each with 1: the form of ``ir_measures``."""


def judgements(documents: Sequence[LabelledDocument]) -> Judgements:
    """Relevant paragraphs of each question: those that overlap a marked span of any annotator.

    A paragraph is ``DOCUMENT:START``, by the id of its document. Questions without marked spans are left out.
    """
    found: Judgements = {}
    for labelled in documents:
        for question in labelled.questions:
            if marked := dict.fromkeys(_marked(labelled.documents, question), 1):
                found[question.id] = marked
    return found


def rankings(documents: Sequence[LabelledDocument], retrieved: Mapping[str, Retrieved]) -> dict[str, list[str]]:
    """The paragraphs of each question that was retrieved for, in the order in which its passages reach them."""
    return {
        question.id: list(dict.fromkeys(_ranked(labelled.documents, retrieved[question.id])))
        for labelled in documents
        for question in labelled.questions
        if question.id in retrieved
    }


def rank_scores(
    documents: Sequence[LabelledDocument], retrieved: Mapping[str, Retrieved], measures: Sequence[str] = RANK_MEASURES
) -> dict[str, dict[str, float]]:
    """Ranking metrics (0 to 1) by question. Questions without marked spans are left out.

    The ranked items are paragraphs: see :func:`rankings`. ``measures`` are named as in ``ir_measures``.

    Raises:
        DataError: If a measure is unknown, or a question has no result.
        MissingExtraError: Without ``treatise[eval]``.
    """
    return ranking_scores(judgements(documents), rankings(documents, retrieved), measures)


def ranking_scores(
    relevant: Judgements, ranked: Mapping[str, Sequence[str]], measures: Sequence[str] = RANK_MEASURES
) -> dict[str, dict[str, float]]:
    """As :func:`rank_scores`, of any items."""
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtraError("ranking measures", "eval") from error
    try:
        parsed = [ir_measures.parse_measure(name) for name in measures]
    except (NameError, ValueError, TypeError, SyntaxError) as error:
        raise DataError(f"expected measures such as {', '.join(RANK_MEASURES)}, found {', '.join(measures)}") from error
    if missing := next((name for name in relevant if name not in ranked), None):
        raise DataError(f"the results have no line for question {missing}")
    run = {name: scores_of(ranked[name]) or {"": 0.0} for name in relevant}
    scores: dict[str, dict[str, float]] = {name: {} for name in relevant}
    for metric in ir_measures.iter_calc(parsed, relevant, run):
        scores[metric.query_id][str(metric.measure)] = float(metric.value)
    return scores


def scores_of(ranking: Sequence[str]) -> dict[str, float]:
    """A score for each item of a ranking: its negative rank."""
    return {name: -float(rank) for rank, name in enumerate(ranking)}


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
    """The paragraphs that overlap a span, in order.

    Raises:
        DataError: If the span stands in another document, which only the run knew.
    """
    if number >= len(documents):
        raise DataError(
            "a passage stands in no document of its question, as with --open-domain: score the runs of its --trec"
        )
    at = span.start
    while at < span.end:
        paragraph = documents[number].paragraph_at(at)
        yield f"{documents[number].id}:{paragraph.start}"
        at = paragraph.end
