"""Answers as the messages of a chat, and chats as questions: the shapes of OpenAI's chat completions."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field

from treatise.core.answer import Answer, Statement, Support
from treatise.core.conversation import Turn
from treatise.core.document import Span
from treatise.core.errors import QuestionError
from treatise.core.evidence import Evidence, Passage
from treatise.core.quotation import between
from treatise.dialogue import resolve
from treatise.pipeline.conversation import MAX_TURNS

WHOLE_LIBRARY: Final = "treatise"
"""Name of the model that answers from all documents; a collection's name answers from that collection."""


_MARK: Final = re.compile(r" ?\[\d+\]")


class Part(BaseModel):
    """A part of a message; only text can be read."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    type: str
    text: str = ""


class Message(BaseModel):
    """A message of a chat."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    role: str = Field(max_length=20)
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its text.

        Raises:
            QuestionError: If it contains something else.
        """
        if isinstance(self.content, list):
            if strange := next((part.type for part in self.content if part.type != "text"), ""):
                raise QuestionError(f"a message contains a part of type {strange!r}: only text can be read")
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(BaseModel):
    """What a stream contains beside the text."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")

    include_usage: bool = False


class ChatRequest(BaseModel):
    """A chat to continue. Settings of sampling are accepted and have no effect."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [{"model": "treatise", "messages": [{"role": "user", "content": "When does water boil?"}]}]
        },
    )

    model: str = Field(max_length=200)
    messages: list[Message] = Field(min_length=1, max_length=1000)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = Field(None, ge=1, le=1, description="One answer per request.")


def question_of(messages: Sequence[Message]) -> str:
    """The last message of the user.

    Raises:
        QuestionError: If there is none, or it is no text.
    """
    asked = [message for message in messages if message.role == "user"]
    if not asked or not asked[-1].text.strip():
        raise QuestionError("the chat has no question: its last message of the role user is missing or empty")
    return asked[-1].text.strip()


def turns_of(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """The turns before the last question, oldest first, at most ``MAX_TURNS``: a client sends the whole chat each time.

    Raises:
        QuestionError: If a message is no text.
    """
    turns: tuple[Turn, ...] = ()
    for asked, answered in pairwise(messages):
        if (asked.role, answered.role) == ("user", "assistant") and asked.text.strip():
            resolved = resolve(asked.text.strip(), turns)
            turns = (*turns, Turn(asked.text.strip(), resolved, _past_answer(resolved, answered.text)))[-MAX_TURNS:]
    return turns


def _past_answer(question: str, text: str) -> Answer:
    """An answer from the text that ``pieces`` made of it, which is all that is left of its evidence."""
    said = _MARK.sub("", text.partition("\n\n[1] ")[0]).replace("**", "").strip()
    statements = (Statement(said, (), Support.UNVERIFIED),) if said else ()
    passages = (Passage("", Span(0, len(said)), said, 0.0),) if said else ()
    evidence = Evidence(question, passages, context=said, max_words=0, confidence=0.0)
    return Answer(question, said, statements, (), evidence, found=bool(said))


def pieces(record: dict[str, Any]) -> Iterator[str]:
    """The text of an answer in pieces: what is asked for, the statements with the numbers of citations, the sources."""
    direct = record["direct"]
    if record["found"] and direct and direct["text"] not in record["answer"]:
        yield f"**{direct['text']}**\n\n"
    if record["statements"]:
        yield from _statements(record)
    else:
        yield record["answer"]
    if record["citations"]:
        yield "\n"
    for number, citation in enumerate(record["citations"], 1):
        yield f"\n[{number}] {source_line(citation)}"
    for note in record["notes"]:
        yield f"\n\n*{note}*"


def source_line(citation: dict[str, Any]) -> str:
    """The place of a citation: file, page and section."""
    page = f"page {citation['page']}" if citation["page"] is not None else ""
    return " · ".join(filter(None, (citation["source"], page, citation["section"])))


def annotations(record: dict[str, Any], base_url: str) -> list[dict[str, Any]]:
    """The citations as annotations of the text that ``pieces`` makes; each points at its line among the sources."""
    text = "".join(pieces(record))
    found, start = [], text.find("\n\n[1] ") if record["citations"] else 0
    for number, citation in enumerate(record["citations"], 1):
        line = f"[{number}] {source_line(citation)}"
        start = text.index(line, start)
        found.append(_annotation(citation, start, start + len(line), base_url))
    return found


def _statements(record: dict[str, Any]) -> Iterator[str]:
    for i, statement in enumerate(record["statements"]):
        marks = "".join(f"[{number + 1}]" for number in statement["citations"])
        doubt = " (not verified)" if statement["support"] == "unverified" and statement["is_claim"] else ""
        before = between(record["statements"][i - 1]["text"] if i else "", statement["text"])
        yield f"{before}{statement['text']}{f' {marks}' if marks else ''}{doubt}"


def _annotation(citation: dict[str, Any], start: int, end: int, base_url: str) -> dict[str, Any]:
    place = urlencode({"document": citation["document"], "start": citation["start"], "end": citation["end"]})
    cited = {"start_index": start, "end_index": end, "url": f"{base_url}#{place}", "title": source_line(citation)}
    return {"type": "url_citation", "url_citation": cited}
