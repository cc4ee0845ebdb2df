"""A language model that orders passages as a list, window by window from the end (Sun et al. 2023)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from treatise.core.errors import ModelReplyError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.words import clip, n_tokens
from treatise.llm.json_reply import json_list
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, Schema, conversation, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import tagged
from treatise.llm.window import window_of

PROMPT_VERSION: Final = 1

_WINDOW: Final = 20  # passages per call
_STEP: Final = 10  # step of windows towards the front, so that the best of one are ordered again in the next
_PASSAGE_TOKENS: Final = 400  # tokens shown of a passage
_OVERHEAD_TOKENS: Final = 300  # tokens of the rules, the tags and a chat template
_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {"order": {"type": "array", "items": {"type": "integer"}}},
    "required": ["order"],
    "additionalProperties": False,
}


class ListwiseReranker:
    """A ``Reranker`` by a language model; its scores are ranks.

    If there are more passages than fit one call, they are ordered in overlapping windows, from last to first. A reply
    must list passage numbers; repeats are dropped, and missing ones follow in their old order if at least half are
    listed. Other replies are rejected.

    A passage is clipped after 400 tokens, or earlier in a small context window.

    Args:
        model: Called once per window.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Kind, prompt and model."""
        return f"listwise-{PROMPT_VERSION} {self._model.name}"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """The number of texts ranked below each; see ``Reranker.score``."""
        order = list(range(len(texts)))
        end = len(order)
        while end > 1:
            start = max(0, end - _WINDOW)
            window = order[start:end]
            order[start:end] = [window[i] for i in self._order(question, [texts[i] for i in window])]
            end = start + _WINDOW - _STEP if start else 0
        scores = [0.0] * len(texts)
        for rank, i in enumerate(order):
            scores[i] = float(len(texts) - 1 - rank)
        return scores

    def _order(self, question: str, texts: Sequence[str]) -> list[int]:
        """Places of the texts, best first. Raises ``EngineError`` without an accepted reply."""
        messages = self._messages(question, texts)
        n, max_tokens = len(texts), _reply_tokens(len(texts))
        key = request_key("rank", self._model, messages, max_tokens, _SCHEMA)
        request = Request(key, messages, max_tokens, partial(_read, n), _SCHEMA)
        try:
            return list(map(int, LlmRunner(self._model).ask(request)))
        except ModelReplyError as error:
            raise ModelReplyError(f"{self._model.name} gave no order of {n} passages: {error}") from error

    def _messages(self, question: str, texts: Sequence[str]) -> Sequence[Message]:
        taken = _reply_tokens(len(texts)) + n_tokens(question) + _OVERHEAD_TOKENS
        room = (window_of(self._model) - taken) // (len(texts) or 1)
        shown = [clip(" ".join(text.split()), max(16, min(_PASSAGE_TOKENS, room)), n_tokens) for text in texts]
        passages = [tagged("passage", text, i) for i, text in enumerate(shown, 1)]
        rules = prompt("treatise.engines", "rank", PROMPT_VERSION).format(n=len(texts))
        return conversation(rules, "\n".join([*passages, "", f"Question: {question}"]))


def _reply_tokens(n: int) -> int:
    return 6 * n + 64


def _read(n: int, reply: Reply) -> tuple[str, ...]:
    """The order in a reply, completed; places from 0."""
    numbers = json_list(reply, "order")
    if not all(type(number) is int and 1 <= number <= n for number in numbers):
        raise ModelReplyError(f"its order is no list of numbers from 1 to {n}")
    named = list(dict.fromkeys(number - 1 for number in numbers))
    if 2 * len(named) < n:
        raise ModelReplyError(f"it orders {len(named)} of {n} passages")
    return tuple(map(str, named + [i for i in range(n) if i not in named]))
