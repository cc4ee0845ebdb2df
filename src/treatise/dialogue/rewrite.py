"""A follow-up question rewritten by a language model."""

from collections.abc import Sequence
from typing import Final

from treatise.core.conversation import Turn
from treatise.core.errors import ModelReplyError
from treatise.core.ports import LanguageModel, Reply
from treatise.core.words import clip, n_words
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.tags import tagged

PROMPT_VERSION: Final = 1

_MAX_TOKENS: Final = 160
_ANSWER_WORDS: Final = 60
_MAX_WORDS: Final = 100  # of the rewritten question


def rewrite_request(question: str, turns: Sequence[Turn], model: LanguageModel) -> Request:
    """The request for a question that stands alone; its reply has one text."""
    history = "\n".join(f"Q: {turn.resolved}\nA: {clip(_said(turn), _ANSWER_WORDS)}" for turn in turns)
    user = f"{tagged('conversation', history)}\n{tagged('question', question)}"
    messages = conversation(prompt("treatise.dialogue", "rewrite", PROMPT_VERSION), user)
    return Request(request_key("rewrite", model, messages, _MAX_TOKENS), messages, _MAX_TOKENS, _one_question)


def _said(turn: Turn) -> str:
    direct = turn.answer.direct
    return f"{direct.text}. {turn.answer.text}" if direct else turn.answer.text


def _one_question(reply: Reply) -> tuple[str]:
    """The first line of the reply.

    Raises:
        ModelReplyError: If it is empty or too long for a question.
    """
    (text,) = plain_text(reply)
    line = text.splitlines()[0].strip().strip('"“”').strip()
    if not line or n_words(line) > _MAX_WORDS:
        raise ModelReplyError("it is no question of one line", "form")
    return (line,)
