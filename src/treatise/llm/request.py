"""A request to a language model: the conversation, and the reader of its reply."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from treatise.core.errors import ModelReplyError
from treatise.core.note import CallOutcome, note_key
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.words import n_tokens
from treatise.llm.json_reply import CUT_OFF

Texts = tuple[str, ...]
Schema = dict[str, object]

ReplyReader = Callable[[Reply], Texts]
"""The texts of a reply to keep, at least one. Raises ``ModelReplyError`` if the reply is invalid."""


@dataclass(frozen=True, slots=True)
class ExpectedReply:
    """A reply as assumed by estimates: its texts and its length."""

    texts: Texts
    completion_tokens: int


Expectation = Callable[[float], ExpectedReply]
"""The expected reply, given the words of a summary per word of its source."""


@dataclass(frozen=True, slots=True)
class Request:
    """One conversation for a language model.

    Attributes:
        key: Hash of everything that the reply depends on. Equal keys are sent once; outcomes are stored by key.
        messages: The conversation.
        max_tokens: Length limit of the reply.
        reader: Checks a reply and extracts its texts.
        schema: JSON schema of the reply; None for plain text.
        expectation: The reply that an estimate assumes; if None, the longest allowed, without texts.
    """

    key: str
    messages: Sequence[Message]
    max_tokens: int
    reader: ReplyReader
    schema: Schema | None = None
    expectation: Expectation | None = None

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the conversation, by our own count."""
        return sum(n_tokens(message.content) for message in self.messages)

    def expected(self, share: float) -> CallOutcome:
        """The outcome that an estimate assumes; ``share`` is words of a summary per word of its source."""
        expected = self.expectation(share) if self.expectation else ExpectedReply((), self.max_tokens)
        return CallOutcome(expected.texts, self.prompt_tokens, expected.completion_tokens)

    def with_turns(self, *turns: Message) -> "Request":
        """The same request with a longer conversation."""
        return replace(self, messages=(*self.messages, *turns))


def conversation(system: str, user: str) -> tuple[Message, Message]:
    """A system prompt and one turn of the user."""
    return Message("system", system), Message("user", user)


def request_key(
    purpose: str, model: LanguageModel, messages: Sequence[Message], max_tokens: int, schema: Schema | None = None
) -> str:
    """A hash of the purpose, the model and the whole request."""
    form = json.dumps(schema, sort_keys=True)
    return note_key(purpose, model.name, str(max_tokens), form, *(message.content for message in messages))


def plain_text(reply: Reply) -> Texts:
    """The reply itself, stripped of whitespace. A ``ReplyReader``.

    Raises:
        ModelReplyError: If it is empty.
    """
    if text := reply.text.strip():
        return (text,)
    raise ModelReplyError("it is empty", "empty")


def text_and_ending(reply: Reply) -> Texts:
    """As :func:`plain_text`, and ``CUT_OFF`` if the reply reached its length limit, else an empty text."""
    return (*plain_text(reply), CUT_OFF if reply.truncated else "")
