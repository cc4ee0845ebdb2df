"""Answers in the form that a data set asks for: short, out of several options, on a story, in Chinese.

The instructions are those of DISRetrieval's prompts (appendix B.6) in our own words, as files in ``prompts``.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from string import ascii_uppercase
from typing import Final

from treatise.core.errors import EngineError
from treatise.core.ports import LanguageModel, Message
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged

PROMPT_VERSION: Final = 1

_LETTER: Final = re.compile(r"\(([a-z])\)", re.IGNORECASE)


class Task(StrEnum):
    """What kind of answer is wanted."""

    SHORT = "short"  # QASPER: a few words, yes, no, or unanswerable
    CHOICE = "choice"  # QuALITY: one of several options
    STORY = "story"  # NarrativeQA: a few words on a story
    SHORT_ZH = "short-zh"  # MultiFieldQA-zh: short, in Chinese


MAX_TOKENS: Final = {Task.SHORT: 64, Task.CHOICE: 128, Task.STORY: 96, Task.SHORT_ZH: 128}


def task_messages(task: Task, context: str, question: str, options: Sequence[str] = ()) -> tuple[Message, ...]:
    """The conversation that asks for such an answer; ``options`` are lettered from A on."""
    lettered = [f"({letter}) {option}" for letter, option in zip(ascii_uppercase, options, strict=False)]
    user = "\n".join([tagged("context", context), "", f"Question: {question}", *lettered])
    return conversation(prompt("treatise.generate", task, PROMPT_VERSION), user)


def answer_tasks(
    model: LanguageModel, task: Task, conversations: Sequence[Sequence[Message]]
) -> list[str | EngineError]:
    """The model's answer to each conversation, or the error in its place, in order."""
    requests = [_request(model, messages, MAX_TOKENS[task]) for messages in conversations]
    found = LlmRunner(model).attempt(requests)
    replies = (found[request.key] for request in requests)
    return [reply if isinstance(reply, EngineError) else reply[0] for reply in replies]


def _request(model: LanguageModel, messages: Sequence[Message], max_tokens: int) -> Request:
    return Request(request_key("task", model, messages, max_tokens), messages, max_tokens, plain_text)


def chosen_option(reply: str, options: Sequence[str]) -> int | None:
    """The option that a reply names first by its letter in brackets; None where it names none (counted as wrong).

    >>> chosen_option("The correct answer is (B). The text says so, not (A).", ["tea", "coffee"])
    1
    """
    numbers = (ascii_uppercase.index(letter.upper()) for letter in _LETTER.findall(reply))
    return next((number for number in numbers if number < len(options)), None)


def nearest_option(reply: str, options: Sequence[str]) -> int:
    """The option with the least edit distance: for readers such as UnifiedQA that answer with the option's words.

    >>> nearest_option("cofee", ["tea", "coffee"])
    1
    """
    return min(range(len(options)), key=lambda i: _edit_distance(reply.casefold(), options[i].casefold()))


def _edit_distance(left: str, right: str) -> int:
    """Levenshtein's, row by row."""
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        row = [i]
        for j, b in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
        above = row
    return above[-1]
