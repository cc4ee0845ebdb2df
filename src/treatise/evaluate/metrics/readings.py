"""ASQA (Stelmakh et al., 2022): metrics of long answers to ambiguous questions."""

import math
from collections.abc import Callable, Sequence

from treatise.core.ports import CallCache, LanguageModel
from treatise.evaluate.data.dataset import Question
from treatise.evaluate.metrics.tokens import normal_words, overlap
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged

Reader = Callable[[Sequence[tuple[str, str]]], list[str]]
"""Maps ``(question, text)`` pairs to short answers, in order; empty if the text has no answer."""

_PROMPT_VERSION = 1
_MAX_TOKENS = 48


def str_em(question: Question, answer: str) -> float:
    """ASQA's STR-EM: share of the readings with a short answer that occurs verbatim in the long answer.

    A question without readings counts as a single reading.
    """
    words = " ".join(normal_words(answer))
    found = [any(gold in words for gold in _short_answers(reading)) for reading in _readings(question)]
    return sum(found) / len(found)


def disambiguation_f1(questions: Sequence[Question], answers: Sequence[str], reader: Reader) -> list[float]:
    """ASQA's QA-F1, 0 to 1, one per question: each reading is asked of the long answer, and the reply's token F1 with
    the nearest short answer averaged over the readings.

    The official reader is RoBERTa-large trained on SQuAD 2.0; figures of other readers are not comparable with it.
    """
    asked = [
        (i, reading, answer)
        for i, (question, answer) in enumerate(zip(questions, answers, strict=True))
        for reading in _readings(question)
    ]
    replies = reader([(reading.text, answer) for _, reading, answer in asked])
    scores: list[list[float]] = [[] for _ in questions]
    for (i, reading, _), reply in zip(asked, replies, strict=True):
        words = normal_words(reply)
        scores[i].append(max(overlap(words, gold.split())[2] for gold in _short_answers(reading)))
    return [sum(of_question) / len(of_question) for of_question in scores]


def dr_score(rouge_mean: float, f1_mean: float) -> float:
    """ASQA's overall score: the geometric mean of mean ROUGE-L and mean disambiguation F1, on their scale."""
    return math.sqrt(rouge_mean * f1_mean)


def reader_by_model(model: LanguageModel, calls: CallCache | None = None) -> Reader:
    """A reader that asks a language model for a few words, or none; ``calls`` keeps finished calls.

    Raises:
        EngineError: From the reader, if the model failed.
    """

    def read(pairs: Sequence[tuple[str, str]]) -> list[str]:
        replies = LlmRunner(model, cache=calls).ask_all([_request(model, question, text) for question, text in pairs])
        return ["" if reply.strip(" .").lower() == "none" else reply for (reply,) in replies]

    return read


def _request(model: LanguageModel, question: str, text: str) -> Request:
    instruction = prompt("treatise.evaluate.metrics", "read", _PROMPT_VERSION)
    messages = conversation(instruction, f"{tagged('text', text)}\n\nQuestion: {question}")
    return Request(request_key("read", model, messages, _MAX_TOKENS), messages, _MAX_TOKENS, plain_text)


def _readings(question: Question) -> Sequence[Question]:
    return question.readings or (question,)


def _short_answers(reading: Question) -> list[str]:
    return [" ".join(normal_words(reference.answer)) for reference in reading.references]
