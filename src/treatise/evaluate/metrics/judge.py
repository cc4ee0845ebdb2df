"""A language model as the judge of answers, by the protocol of Loong (Wang et al., 2024).

The judge sees question, gold answer and answer, and weighs accuracy without invention, and completeness, in a number
from 1 to 100. The instructions say that in our own words: figures are comparable among themselves, and with published
ones only as far as the judge is the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.errors import EngineError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.llm.prompts import prompt

PROMPT_VERSION: Final = 1
FULL_MARKS: Final = 100.0

_MAX_TOKENS: Final = 400
_RATINGS: Final = (re.compile(r"\[\[\s*([0-9]+(?:\.[0-9]+)?)\s*\]\]"), re.compile(r"\[\s*([0-9]+(?:\.[0-9]+)?)\s*\]"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of an answer.

    Attributes:
        score: 1 to 100; None where the reply held no such number, and the answer is not scored.
        reason: The whole reply.
    """

    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """All judgements together.

    Attributes:
        mean: Loong's score: the mean over those that were scored; NaN of none.
        full: Loong's perfect rate: the share of those with full marks.
        n_scored, n: How many were scored, and how many there are.
    """

    mean: float
    full: float
    n_scored: int
    n: int


def judge(model: LanguageModel, rows: Sequence[tuple[str, str, str]]) -> list[Judgement]:
    """What a model says of each ``(question, gold answer, answer)``, in order. A blank answer gets 1 without a call.

    Raises:
        EngineError: Where the model failed.
    """
    judgements = [Judgement(1.0, "there is no answer")] * len(rows)
    places = [i for i, (_, _, answer) in enumerate(rows) if answer.strip()]
    conversations = [_conversation(*rows[i]) for i in places]
    for index, reply in model.chat(conversations, max_tokens=_MAX_TOKENS):
        if not isinstance(reply, Reply):
            raise reply if isinstance(reply, EngineError) else EngineError(str(reply))
        judgements[places[index]] = Judgement(_rating(reply.text), reply.text)
    return judgements


def verdict(judgements: Sequence[Judgement]) -> Verdict:
    """Mean and perfect rate over what was scored."""
    scores = [one.score for one in judgements if one.score is not None]
    n = len(scores)
    mean = sum(scores) / n if n else float("nan")
    full = sum(score == FULL_MARKS for score in scores) / n if n else float("nan")
    return Verdict(mean, full, n, len(judgements))


def _conversation(question: str, gold: str, answer: str) -> tuple[Message, ...]:
    parts = (("question", question), ("gold", gold), ("answer", answer))
    shown = "\n".join(f"<{name}>\n{text.replace(f'</{name}', f'< /{name}')}\n</{name}>" for name, text in parts)
    return Message("system", prompt("treatise.evaluate.metrics", "judge", PROMPT_VERSION)), Message("user", shown)


def _rating(text: str) -> float | None:
    """The last number in double brackets, else in single ones; None where it is not from 1 to 100."""
    for pattern in _RATINGS:
        if found := pattern.findall(text):
            score = float(found[-1])
            return score if 1 <= score <= FULL_MARKS else None
    return None
