"""The contract of ``treatise.core.ports.Reranker``."""

import math
from collections.abc import Callable, Sequence

from treatise.core.ports import Reranker

_QUESTION = "When does water boil?"
_TEXTS = (
    "Water boils at 100 degrees at sea level.",
    "Rain fell on the harbour for three days, and nobody went out to sea.",
    "Одно предложение. 一个句子。",
    "word",
)


def check_reranker(make: Callable[[], Reranker]) -> None:
    """Asserts that a reranker keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Names the first violated rule.
    """
    reranker = make()
    assert reranker.name, "the name is empty"
    for check in (
        _no_texts_give_no_scores,
        _a_score_a_text,
        _blank_and_long_texts_have_scores,
        _equal_calls_give_equal_scores,
        _scores_follow_the_texts,
    ):
        check(reranker)


def _scores(reranker: Reranker, texts: Sequence[str]) -> list[float]:
    scores = list(reranker.score(_QUESTION, texts))
    assert len(scores) == len(texts), f"expected {len(texts)} scores, found {len(scores)}"
    assert all(isinstance(score, float) and math.isfinite(score) for score in scores), f"expected finite: {scores}"
    return scores


def _no_texts_give_no_scores(reranker: Reranker) -> None:
    assert list(reranker.score(_QUESTION, [])) == [], "no texts must give no scores"


def _a_score_a_text(reranker: Reranker) -> None:
    _scores(reranker, _TEXTS)
    _scores(reranker, _TEXTS[:1])


def _blank_and_long_texts_have_scores(reranker: Reranker) -> None:
    _scores(reranker, ["", " \n", "The harbour was closed for the winter. " * 200, "\ud800 lone", *_TEXTS * 12])


def _equal_calls_give_equal_scores(reranker: Reranker) -> None:
    assert _scores(reranker, _TEXTS) == _scores(reranker, _TEXTS), "the same call gives other scores"


def _scores_follow_the_texts(reranker: Reranker) -> None:
    """Checks that reversing the texts does not change which of the extremes is better."""
    forwards, backwards = _scores(reranker, _TEXTS), _scores(reranker, _TEXTS[::-1])[::-1]
    best, worst = forwards.index(max(forwards)), forwards.index(min(forwards))
    assert backwards[best] > backwards[worst] or forwards[best] == forwards[worst], "scores do not follow their texts"
