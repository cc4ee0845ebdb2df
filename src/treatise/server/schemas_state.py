"""The replies about what the server itself keeps: jobs, conversations, keys, the audit log."""

from typing import Literal

from treatise.server.schemas import AnswerReply, Shape


class JobFile(Shape):
    """One file of a job."""

    name: str
    status: Literal["queued", "running", "done", "failed"]
    document: str | None
    error: str | None


class JobProgress(Shape):
    """How far a running job is."""

    file: str
    stage: str
    done: int
    total: int


class JobReply(Shape):
    """An index job."""

    job: str
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    files: list[JobFile]
    progress: JobProgress | None
    error: str | None
    recipe: str
    collection: str
    attempts: int
    version: int
    created_at: float
    updated_at: float


class JobList(Shape):
    """The newest jobs."""

    jobs: list[JobReply]


class TurnReply(Shape):
    """One turn of a conversation."""

    question: str
    resolved: str
    at: float
    answer: AnswerReply


class ConversationHead(Shape):
    """A conversation without its turns."""

    conversation: str
    title: str
    n_turns: int
    created_at: float
    updated_at: float


class ConversationReply(ConversationHead):
    """A conversation."""

    turns: list[TurnReply]


class ConversationList(Shape):
    """The newest conversations."""

    conversations: list[ConversationHead]


class KeyReply(Shape):
    """A key without its secret."""

    id: str
    name: str
    scope: Literal["read", "write", "admin"]
    collections: list[str]
    limits: dict[str, float]
    created_at: float
    used_at: float | None


class NewKeyReply(KeyReply):
    """A new key; ``key`` is the text to send."""

    key: str


class KeyList(Shape):
    """The keys."""

    keys: list[KeyReply]


class AuditRecord(Shape):
    """One action."""

    number: int
    at: float
    key: str
    action: str
    subject: str
    request_id: str


class AuditReply(Shape):
    """The newest actions."""

    audit: list[AuditRecord]
