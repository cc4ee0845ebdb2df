"""Conversations kept by the server: the turns so far, so that a follow-up question is read with them."""

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.conversation import Turn
from treatise.core.document import Span
from treatise.core.evidence import Evidence, Passage
from treatise.server.state import Row, State

MAX_KEPT_TURNS: Final = 200
"""Turns of a conversation that the server keeps; the oldest go first."""

_MAX_TITLE: Final = 120


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """One conversation as the server keeps it.

    Attributes:
        id: Sixteen hexadecimal digits.
        key: The id of the key that began it.
        title: Its first question.
        turns: Records with ``question``, ``resolved``, ``at`` and ``answer``, the object of ``ask --json``.
        created_at, updated_at: Seconds since the epoch.
    """

    id: str
    key: str
    title: str
    turns: tuple[dict[str, Any], ...]
    created_at: float
    updated_at: float

    def head(self) -> dict[str, Any]:
        """The JSON object without the turns."""
        return {
            "conversation": self.id,
            "title": self.title,
            "n_turns": len(self.turns),
            "created_at": self.created_at,
            "updated_at": self.updated_at,
        }

    def record(self) -> dict[str, Any]:
        """The JSON object."""
        return {**self.head(), "turns": list(self.turns)}

    def read_turns(self) -> tuple[Turn, ...]:
        """The turns for ``pipeline.Conversation``."""
        return tuple(_turn(one) for one in self.turns)


class Conversations:
    """The conversations of a server.

    Args:
        state: Its database.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, key: str) -> StoredConversation:
        """Begins a conversation."""
        now = time.time()
        made = StoredConversation(secrets.token_hex(8), key, "", (), now, now)
        self._state.change(
            "INSERT INTO conversations (id, key, title, record, created_at, updated_at) VALUES (?, ?, '', '[]', ?, ?)",
            (made.id, key, now, now),
        )
        return made

    def get(self, conversation_id: str) -> StoredConversation | None:
        """The conversation with this id."""
        row = self._state.row("SELECT * FROM conversations WHERE id = ?", (conversation_id,))
        return _conversation(row) if row else None

    def newest(self, key: str, limit: int) -> list[StoredConversation]:
        """The conversations of a key, last used first."""
        rows = self._state.rows(
            "SELECT * FROM conversations WHERE key = ? ORDER BY updated_at DESC LIMIT ?", (key, limit)
        )
        return [_conversation(row) for row in rows]

    def append(self, conversation_id: str, turn: Mapping[str, Any]) -> None:
        """Adds a turn; harmless if the conversation was removed meanwhile."""
        with self._state.transaction() as connection:
            found = connection.execute("SELECT record FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
            if found is None:
                return
            turns = [*json.loads(found[0]), dict(turn)][-MAX_KEPT_TURNS:]
            connection.execute(
                "UPDATE conversations SET record = ?, updated_at = ?,"
                " title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?",
                (json.dumps(turns), time.time(), str(turn["question"])[:_MAX_TITLE], conversation_id),
            )

    def remove(self, conversation_id: str) -> None:
        """Removes a conversation."""
        self._state.change("DELETE FROM conversations WHERE id = ?", (conversation_id,))


def _conversation(row: Row) -> StoredConversation:
    turns = tuple(json.loads(row["record"]))
    return StoredConversation(row["id"], row["key"], row["title"], turns, row["created_at"], row["updated_at"])


def _turn(record: Mapping[str, Any]) -> Turn:
    """A turn with what a follow-up is read with: the text, the statements, the direct answer, the passages."""
    answer = record["answer"]
    direct = answer["direct"]
    evidence = Evidence(record["resolved"], tuple(map(_passage, answer["evidence"])), "", 0, answer["confidence"])
    found = Answer(
        question=record["resolved"],
        text=answer["answer"],
        statements=tuple(Statement(one["text"], (), Support(one["support"])) for one in answer["statements"]),
        citations=(),
        evidence=evidence,
        found=answer["found"],
        direct=DirectAnswer(direct["text"], direct["kind"], direct["confidence"]) if direct else None,
    )
    return Turn(record["question"], record["resolved"], found)


def _passage(record: Mapping[str, Any]) -> Passage:
    return Passage(record["document"], Span(record["start"], record["end"]), record["text"], record["score"])
