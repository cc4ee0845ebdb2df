"""How long the server keeps what it adds to the library: jobs, conversations, uploaded files, counts of use."""

import json
import logging
import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Final

from treatise.core.errors import TreatiseError
from treatise.server.config import ServerConfig
from treatise.server.originals import Originals
from treatise.server.state import State

_LOG: Final = logging.getLogger("treatise.retention")
_EVERY_S: Final = 3600.0
_DAY_S: Final = 86_400.0
_USAGE_DAYS: Final = 62

_OLD_JOBS: Final = "DELETE FROM jobs WHERE status IN ('done', 'failed', 'cancelled') AND updated_at < ?"
_OLD_CONVERSATIONS: Final = "DELETE FROM conversations WHERE updated_at < ?"
_OLD_USAGE: Final = "DELETE FROM usage WHERE period LIKE 'day %' AND period < ?"
_OPEN_TASKS: Final = "SELECT task FROM jobs WHERE status IN ('queued', 'running')"


class Retention:
    """Removes what is older than the settings keep; documents of the library are never removed.

    Args:
        config: How many days things are kept; 0 for ever.
        state: The server's database.
        originals: Uploaded files.
        document_ids: The documents of the library.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        config: ServerConfig,
        state: State,
        originals: Originals,
        document_ids: Callable[[], set[str]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._config = config
        self._state = state
        self._originals = originals
        self._document_ids = document_ids
        self._clock = clock

    def run(self, stopping: Event) -> None:
        """Sweeps now and every hour until the server stops; for a thread of its own."""
        while not stopping.is_set():
            try:
                self.sweep()
            except TreatiseError:
                _LOG.warning("what is too old could not be removed", exc_info=True)
            stopping.wait(_EVERY_S)

    def sweep(self) -> None:
        """Removes everything that is too old."""
        config = self._config
        self._remove(_OLD_JOBS, config.keep_jobs_days)
        self._remove(_OLD_CONVERSATIONS, config.keep_conversations_days)
        self._state.change(_OLD_USAGE, (f"day {time.strftime('%Y-%m-%d', time.gmtime(self._before(_USAGE_DAYS)))}",))
        self._originals.remove(list(self._unneeded()))
        self._originals.sweep()

    def _remove(self, statement: str, days: float) -> None:
        if days:
            self._state.change(statement, (self._before(days),))

    def _unneeded(self) -> Iterator[str]:
        """Sources of files that are too old, and of files that are no document (any more) and in no open job."""
        documents, wanted = self._document_ids(), self._in_open_jobs()
        for row in self._state.rows("SELECT source, document, created_at FROM files"):
            days = self._config.keep_originals_days
            if row["document"] not in documents:
                days = self._config.keep_jobs_days
            if days and row["created_at"] < self._before(days) and row["source"] not in wanted:
                yield row["source"]

    def _in_open_jobs(self) -> set[str]:
        tasks = (json.loads(row["task"]) for row in self._state.rows(_OPEN_TASKS))
        return {file["source"] for task in tasks for file in task["files"]}

    def _before(self, days: float) -> float:
        return self._clock() - days * _DAY_S
