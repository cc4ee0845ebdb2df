"""The table of index jobs, which all workers share. A job of a worker that is gone is taken again."""

import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from treatise.server.state import Row, State

MAX_ATTEMPTS: Final = 100
"""A job that was running at so many crashes has failed. They are many: a kill is rarely the fault of a job."""

LAPSE_S: Final = 15.0
"""A running job whose worker sent no heartbeat for this long is taken again."""


class JobStatus(StrEnum):
    """The state of a job."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing more happens to the job."""
        return self not in (JobStatus.QUEUED, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class Job:
    """One job as the table has it.

    Attributes:
        id: Sixteen hexadecimal digits.
        key: The id of the key that made it.
        status: Its state.
        task: What to do: ``files`` with ``source`` and ``name``, ``recipe``, ``collection``, ``metadata``.
        progress: ``files``, one record per file, and ``at``: file, stage, done and total.
        version: Grows with each change.
        attempts: How often it was taken.
        is_cancelled: Whether it shall end.
        created_at, updated_at: Seconds since the epoch.
    """

    id: str
    key: str
    status: JobStatus
    task: dict[str, Any]
    progress: dict[str, Any]
    version: int
    attempts: int
    is_cancelled: bool
    created_at: float
    updated_at: float

    def record(self) -> dict[str, Any]:
        """The JSON object of the job."""
        return {
            "job": self.id,
            "status": str(self.status),
            "files": self.progress["files"],
            "progress": self.progress["at"],
            "error": self.progress.get("error"),
            "recipe": self.task["recipe"],
            "collection": self.task["collection"],
            "attempts": self.attempts,
            "version": self.version,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
        }


class JobTable:
    """Jobs in the server's database.

    Args:
        state: The database.
        clock: Seconds since the epoch.
    """

    def __init__(self, state: State, clock: Callable[[], float] = time.time) -> None:
        self._state = state
        self._clock = clock
        self.owner: str = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    def add(self, key: str, task: Mapping[str, Any]) -> Job:
        """Queues a job."""
        now, job_id = self._clock(), secrets.token_hex(8)
        files = [{"name": one["name"], "status": "queued", "document": None, "error": None} for one in task["files"]]
        row = (job_id, key, json.dumps(dict(task)), json.dumps({"files": files, "at": None}), now, now)
        self._state.change(
            "INSERT INTO jobs (id, key, status, task, progress, created_at, updated_at)"
            " VALUES (?, ?, 'queued', ?, ?, ?, ?)",
            row,
        )
        found = self.get(job_id)
        assert found is not None
        return found

    def get(self, job_id: str) -> Job | None:
        """The job with this id."""
        row = self._state.row("SELECT * FROM jobs WHERE id = ?", (job_id,))
        return _job(row) if row else None

    def newest(self, limit: int, key: str | None = None) -> list[Job]:
        """The newest jobs, of one key or of all."""
        of_key, arguments = ("WHERE key = ?", [key]) if key is not None else ("", [])
        rows = self._state.rows(f"SELECT * FROM jobs {of_key} ORDER BY number DESC LIMIT ?", [*arguments, limit])
        return [_job(row) for row in rows]

    def take(self) -> Job | None:
        """The oldest queued job, or one whose worker is gone; it is now this worker's. None if there is none."""
        with self._state.transaction() as connection:
            waiting = connection.execute(
                "SELECT id, status, owner, seen_at, attempts FROM jobs WHERE status IN ('queued', 'running')"
                " ORDER BY attempts, number"  # what was running at crashes must not hold up the rest
            )
            free = [row for row in waiting if row[1] == "queued" or self._has_lapsed(row[2], row[3])]
            for job_id, _, _, _, attempts in free:
                if attempts >= MAX_ATTEMPTS:
                    connection.execute(_GIVE_UP, (self._clock(), job_id))
                    continue
                now = self._clock()
                connection.execute(_TAKE, (self.owner, now, now, job_id))
                break
            else:
                return None
        return self.get(job_id)

    def has_work(self) -> bool:
        """Whether a job waits or lapsed; a cheap look without a lock."""
        rows = self._state.rows("SELECT status, owner, seen_at FROM jobs WHERE status IN ('queued', 'running')")
        return any(row["status"] == "queued" or self._has_lapsed(row["owner"], row["seen_at"]) for row in rows)

    def save(self, job_id: str, progress: Mapping[str, Any]) -> None:
        """Saves how far a job of this worker is."""
        now = self._clock()
        self._state.change(
            "UPDATE jobs SET progress = ?, version = version + 1, seen_at = ?, updated_at = ?"
            " WHERE id = ? AND owner = ?",
            (json.dumps(dict(progress)), now, now, job_id, self.owner),
        )

    def finish(self, job_id: str, status: JobStatus, progress: Mapping[str, Any]) -> None:
        """Ends a job of this worker."""
        self._state.change(
            "UPDATE jobs SET status = ?, progress = ?, version = version + 1, updated_at = ?"
            " WHERE id = ? AND owner = ?",
            (str(status), json.dumps(dict(progress)), self._clock(), job_id, self.owner),
        )

    def give_back(self, job_id: str) -> None:
        """Queues a job of this worker again, because the server stops; it counts as no attempt."""
        self._state.change(
            "UPDATE jobs SET status = 'queued', owner = '', attempts = attempts - 1, version = version + 1 WHERE id = ?"
            " AND owner = ?",
            (job_id, self.owner),
        )

    def cancel(self, job_id: str) -> None:
        """Cancels a job: at once if it waits, else at the next heartbeat of its worker."""
        now = self._clock()
        self._state.change(
            "UPDATE jobs SET cancelled = 1, version = version + 1, updated_at = ?,"
            " status = CASE status WHEN 'queued' THEN 'cancelled' ELSE status END WHERE id = ?"
            " AND status IN ('queued', 'running')",
            (now, job_id),
        )

    def heartbeat(self) -> set[str]:
        """Notes that this worker runs, and returns those of its jobs that are cancelled."""
        self._state.change(
            "UPDATE jobs SET seen_at = ? WHERE owner = ? AND status = 'running'", (self._clock(), self.owner)
        )
        rows = self._state.rows(
            "SELECT id FROM jobs WHERE owner = ? AND status = 'running' AND cancelled = 1", (self.owner,)
        )
        return {row["id"] for row in rows}

    def _has_lapsed(self, owner: str, seen_at: float) -> bool:
        host, pid, _ = owner.rsplit(":", 2)
        is_here = host == socket.gethostname()
        return self._clock() - seen_at > LAPSE_S or (is_here and not _is_alive(int(pid)))


_TAKE: Final = """
    UPDATE jobs SET status = 'running', owner = ?, seen_at = ?, updated_at = ?, attempts = attempts + 1,
                    version = version + 1 WHERE id = ?
"""

_GIVE_UP: Final = """
    UPDATE jobs SET status = 'failed', updated_at = ?, version = version + 1, progress = json_set(progress, '$.error',
        'the server stopped a hundred times during this job: one of its files may be the cause; upload them one by one')
    WHERE id = ?
"""


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _job(row: Row) -> Job:
    return Job(
        id=row["id"],
        key=row["key"],
        status=JobStatus(row["status"]),
        task=json.loads(row["task"]),
        progress=json.loads(row["progress"]),
        version=row["version"],
        attempts=row["attempts"],
        is_cancelled=bool(row["cancelled"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
