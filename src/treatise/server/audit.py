"""The audit log: every change and every refused key."""

import logging
import time
from typing import Final

from treatise.server.state import Row, State

_LOG: Final = logging.getLogger("treatise.audit")
_KEPT: Final = 100_000


class AuditLog:
    """Records actions in the server's database and in its log.

    Args:
        state: The server's database.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    def add(self, key: str, action: str, subject: str, request_id: str = "") -> None:
        """Records that a key (by its id) did something to a subject."""
        row = (time.time(), key, action, subject, request_id)
        self._state.change("INSERT INTO audit (at, key, action, subject, request_id) VALUES (?, ?, ?, ?, ?)", row)
        self._state.change("DELETE FROM audit WHERE number <= (SELECT max(number) FROM audit) - ?", (_KEPT,))
        _LOG.info(action, extra={"key": key, "subject": subject, "request_id": request_id})

    def newest(self, limit: int, before: int | None = None) -> list[Row]:
        """The newest records below a number, newest first."""
        return self._state.rows(
            "SELECT * FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?", (before or 2**62, limit)
        )
