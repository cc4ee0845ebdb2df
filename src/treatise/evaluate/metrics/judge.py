"""A language model as judge of answers, following Loong's protocol (Wang et al., 2024).

The judge sees the question, gold answer and answer, and rates accuracy, faithfulness and completeness with a number
from 1 to 100. The instructions are our own wording: results are comparable with each other, and with published ones
only if the judge is the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.ports import CallCache, LanguageModel
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged

PROMPT_VERSION: Final = 1
FULL_MARKS: Final = 100.0

_MAX_TOKENS: Final = 400
_RATINGS: Final = (re.compile(r"\[\[\s*([0-9]+(?:\.[0-9]+)?)\s*\]\]"), re.compile(r"\[\s*([0-9]+(?:\.[0-9]+)?)\s*\]"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's rating of an answer.

    Attributes:
        score: 1 to 100; None if the reply has no valid number; the answer is then not scored.
        reason: The whole reply.
    """

    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Aggregate of all judgements.

    Attributes:
        mean: Loong's score: the mean over scored answers; NaN if none.
        full: Loong's perfect rate: the share of those with full marks.
        n_scored, n: Number of scored answers and of all answers.
    """

    mean: float
    full: float
    n_scored: int
    n: int


def judge(
    model: LanguageModel, rows: Sequence[tuple[str, str, str]], calls: CallCache | None = None
) -> list[Judgement]:
    """Rates each ``(question, gold answer, answer)``, in order. A blank answer scores 1 without a call.

    ``calls`` keeps finished calls; a judgement found there is not requested again.

    Raises:
        EngineError: If the model failed.
    """
    judgements = [Judgement(1.0, "there is no answer")] * len(rows)
    places = [i for i, (_, _, answer) in enumerate(rows) if answer.strip()]
    replies = LlmRunner(model, cache=calls).ask_all([_request(model, *rows[i]) for i in places])
    for i, (reply,) in zip(places, replies, strict=True):
        judgements[i] = Judgement(_rating(reply), reply)
    return judgements


def verdict(judgements: Sequence[Judgement]) -> Verdict:
    """Mean and perfect rate over the scored answers."""
    scores = [one.score for one in judgements if one.score is not None]
    n = len(scores)
    mean = sum(scores) / n if n else float("nan")
    full = sum(score == FULL_MARKS for score in scores) / n if n else float("nan")
    return Verdict(mean, full, n, len(judgements))


def _request(model: LanguageModel, question: str, gold: str, answer: str) -> Request:
    shown = [tagged("question", question), tagged("gold", gold), tagged("answer", answer)]
    messages = conversation(prompt("treatise.evaluate.metrics", "judge", PROMPT_VERSION), "\n".join(shown))
    return Request(request_key("judge", model, messages, _MAX_TOKENS), messages, _MAX_TOKENS, plain_text)


def _rating(text: str) -> float | None:
    """The last number in double brackets, else in single ones; None if it is not from 1 to 100."""
    for pattern in _RATINGS:
        if found := pattern.findall(text):
            score = float(found[-1])
            return score if 1 <= score <= FULL_MARKS else None
    return None
