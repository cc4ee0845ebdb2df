"""A language model that orders passages as a list, window by window from the end (Sun et al. 2023)."""

import json
import re
from collections.abc import Sequence
from typing import Final

from treatise.core.errors import EngineError, ModelReplyError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.words import clip, n_tokens
from treatise.llm.prompts import prompt

PROMPT_VERSION: Final = 1

_WINDOW: Final = 20  # passages ordered by one call
_STEP: Final = 10  # by how much windows move towards the front, so that the best of one are ordered again in the next
_PASSAGE_TOKENS: Final = 400  # more of a passage is not shown
_UNKNOWN_CONTEXT: Final = 8_192
_OVERHEAD_TOKENS: Final = 300  # of the rules, the tags and a chat template
_FENCE: Final = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)
_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "properties": {"order": {"type": "array", "items": {"type": "integer"}}},
    "required": ["order"],
    "additionalProperties": False,
}


class ListwiseReranker:
    """A ``Reranker`` by a language model; its scores are ranks.

    More passages than fit into a call are ordered in windows that overlap, from the last to the first. A reply must
    name numbers of passages; repeated ones are dropped, and those left out keep their order behind the others, as long
    as half are named. What does not fit is asked for once more, with the reason, and then refused.

    A passage of more than 400 tokens (fewer in a small context window) is shown up to there, with an ellipsis.

    Args:
        model: Asked once a window.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Kind, prompt and model."""
        return f"listwise-{PROMPT_VERSION} {self._model.name}"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """The number of texts that stand behind each; see ``Reranker.score``."""
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
        """Places of the texts, best first. Raises ``EngineError`` where no reply can be used."""
        messages = self._messages(question, texts)
        reply = self._asked(messages, len(texts))
        try:
            return _read(reply, len(texts))
        except ModelReplyError as error:
            remark = prompt("treatise.engines", "rank-again", PROMPT_VERSION).format(reason=error, n=len(texts))
            again = [*messages, Message("assistant", reply.text[:2_000] or "…"), Message("user", remark)]
        try:
            return _read(self._asked(again, len(texts)), len(texts))
        except ModelReplyError as error:
            raise ModelReplyError(f"{self._model.name} gave no order of {len(texts)} passages: {error}") from error

    def _messages(self, question: str, texts: Sequence[str]) -> list[Message]:
        context = self._model.context_tokens or _UNKNOWN_CONTEXT
        room = (context - _reply_tokens(len(texts)) - n_tokens(question) - _OVERHEAD_TOKENS) // (len(texts) or 1)
        shown = [clip(" ".join(text.split()), max(16, min(_PASSAGE_TOKENS, room)), n_tokens) for text in texts]
        safe = [text.replace("</passage", "< /passage") for text in shown]
        passages = [f'<passage number="{i}">\n{text}\n</passage>' for i, text in enumerate(safe, 1)]
        rules = prompt("treatise.engines", "rank", PROMPT_VERSION).format(n=len(texts))
        return [Message("system", rules), Message("user", "\n".join([*passages, "", f"Question: {question}"]))]

    def _asked(self, messages: Sequence[Message], n: int) -> Reply:
        ((_, reply),) = self._model.chat([messages], max_tokens=_reply_tokens(n), schema=_SCHEMA)
        if isinstance(reply, ModelReplyError):
            return Reply("", 0, 0)
        if isinstance(reply, Exception):
            raise reply if isinstance(reply, EngineError) else EngineError(str(reply)) from reply
        return reply


def _reply_tokens(n: int) -> int:
    return 6 * n + 64


def _read(reply: Reply, n: int) -> list[int]:
    """The order that a reply gives, completed; places from 0."""
    body = reply.text.strip()
    if fenced := _FENCE.match(body):
        body = fenced.group(1)
    try:
        numbers = json.loads(body)["order"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ModelReplyError("it is not the JSON that was asked for") from error
    if not isinstance(numbers, list) or not all(type(number) is int and 1 <= number <= n for number in numbers):
        raise ModelReplyError(f"its order is no list of numbers from 1 to {n}")
    named = list(dict.fromkeys(number - 1 for number in numbers))
    if 2 * len(named) < n:
        raise ModelReplyError(f"it orders {len(named)} of {n} passages")
    return named + [i for i in range(n) if i not in named]
