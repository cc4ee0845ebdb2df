"""What planning asks a language model for: one job a request, its prompt a numbered file, its reply checked."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from treatise.core.errors import ModelReplyError
from treatise.core.note import Finished, note_key
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.words import clip, n_tokens
from treatise.llm.prompts import prompt

_UNKNOWN_WINDOW: Final = 131_072  # no server is told to cut what it may well take
_OVERHEAD_TOKENS: Final = 128  # of a chat template and our tags
_FENCE: Final = re.compile(r"^```\w*\s*(.*?)\s*```$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Request:
    """A ``core.ports.Call`` whose reply a function reads.

    Attributes:
        likely: A reply as it is likely to be, for estimates; empty where there are none.
    """

    key: str
    messages: tuple[Message, ...]
    max_tokens: int
    schema: dict[str, object] | None
    reader: Callable[[Reply], tuple[str, ...]]
    likely: str = ""

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the conversation, by our own count."""
        return sum(n_tokens(message.content) for message in self.messages)

    def read(self, reply: Reply) -> tuple[str, ...]:
        """What is kept of the reply. Raises ``ModelReplyError`` where it does not fit."""
        if reply.truncated:
            raise ModelReplyError("it was cut off", "cut off")
        return self.reader(reply)

    def expected(self, share: float) -> Finished:  # noqa: ARG002  (no reply is a summary)
        """What is likely to come of it; where no reply is likely, the longest that is allowed."""
        if not self.likely:
            return Finished((), self.prompt_tokens, self.max_tokens)
        reply = Reply(self.likely, self.prompt_tokens, n_tokens(self.likely))
        return Finished(self.read(reply), reply.prompt_tokens, reply.completion_tokens)

    def again(self, turns: Sequence[Message]) -> "Request":
        """The same request with further turns of the conversation."""
        return replace(self, messages=(*self.messages, *turns))


def rules(name: str, version: int, **values: object) -> str:
    """The system prompt of that name, its ``{fields}`` filled in."""
    return prompt("treatise.plan", name, version).format(**values)


def request(  # noqa: PLR0913  (a request is these things)
    model: LanguageModel,
    system: str,
    asked: str,
    *,
    max_tokens: int,
    schema: dict[str, object],
    reader: Callable[[Reply], tuple[str, ...]],
    likely: str = "",
) -> Request:
    """A request of this model; its key is a hash of all that it is told."""
    key = note_key("plan", model.name, str(max_tokens), json.dumps(schema, sort_keys=True), system, asked)
    return Request(key, (Message("system", system), Message("user", asked)), max_tokens, schema, reader, likely)


def tagged(number: int, text: str) -> str:
    """A passage with its number. It cannot end its own tag."""
    return f'<passage number="{number}">\n{text.replace("</passage", "< /passage")}\n</passage>'


def listed(number: int, text: str) -> str:
    """A short passage on one line with its number; a line cannot end the tag that all of them stand in."""
    return f"[{number}] {' '.join(text.split()).replace('</passage', '< /passage')}"


def fitted(model: LanguageModel, system: str, texts: Sequence[str], max_tokens: int) -> list[str]:
    """The texts, each cut at an equal share of the model's window where they would not all fit."""
    room = (model.context_tokens or _UNKNOWN_WINDOW) - max_tokens - n_tokens(system) - _OVERHEAD_TOKENS
    if sum(map(n_tokens, texts)) <= room:
        return list(texts)
    return [clip(text, max(16, room // len(texts)), n_tokens) for text in texts]


def within_window(model: LanguageModel, wanted: int) -> int:
    """So many tokens of reply, at most half of the model's window."""
    return min(wanted, model.context_tokens // 2) if model.context_tokens else wanted


def json_in(reply: Reply) -> dict[str, Any]:
    """The JSON object that a reply is, in a code fence or not.

    Raises:
        ModelReplyError: Where it is none.
    """
    body = reply.text.strip()
    if fenced := _FENCE.match(body):
        body = fenced.group(1)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ModelReplyError("it is not the JSON that was asked for", "not the JSON asked for") from error
    if not isinstance(found, dict):
        raise ModelReplyError("it is not a JSON object", "not the JSON asked for")
    return found
