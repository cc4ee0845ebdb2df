"""What the server keeps, and for how long."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from treatise.core.errors import SettingsError
from treatise.server.config import ServerConfig
from treatise.server.conversations import Conversations
from treatise.server.job_table import JobStatus, JobTable
from treatise.server.keys import Keys
from treatise.server.limits import LimitCounter, ModelUsage
from treatise.server.metrics import Metrics
from treatise.server.originals import Originals
from treatise.server.retention import Retention
from treatise.server.state import State

DAY = 86_400.0


class _Kept:
    """A server's folder with a document's file, a file of no document, an ended and an open job, a conversation."""

    def __init__(self, folder: Path) -> None:
        self.state = State(folder)
        self.originals, self.jobs = Originals(self.state), JobTable(self.state)
        self.read, self.unread, self.waiting = (
            self.originals.add(BytesIO(name.encode()), f"{name}.txt") for name in ("read", "unread", "waiting")
        )
        self.originals.belongs(self.read.source, "d0c")
        self.ended = self.jobs.add("local", _task(self.unread)).id
        assert self.jobs.take() is not None
        self.jobs.finish(self.ended, JobStatus.DONE, {"files": [], "at": None})
        self.open = self.jobs.add("local", _task(self.waiting)).id
        self.conversation = Conversations(self.state).add("local").id

    def after(self, days: float, **config: Any) -> set[str]:
        """What is left after so many days, by name."""
        now = self.state.rows("SELECT max(created_at) AS at FROM files")[0]["at"] + days * DAY
        Retention(ServerConfig(**config), self.state, self.originals, lambda: {"d0c"}, lambda: now).sweep()
        names = {"read": self.read, "unread": self.unread, "waiting": self.waiting}
        files = {name for name, one in names.items() if self.originals.get(one.source)}
        assert {one.name for one in (self.state.folder / "files").iterdir()} == {
            names[name].path.name for name in files
        }
        jobs = {name for name, id_ in (("ended", self.ended), ("open", self.open)) if self.jobs.get(id_)}
        talk = {"conversation"} if Conversations(self.state).get(self.conversation) else set()
        return files | jobs | talk


@pytest.fixture
def kept(tmp_path: Path) -> Any:
    """The folder, closed at the end."""
    made = _Kept(tmp_path)
    yield made
    made.state.close()


def test_nothing_goes_before_its_time_and_open_jobs_never(kept: _Kept) -> None:
    everything = {"read", "unread", "waiting", "ended", "open", "conversation"}
    assert kept.after(29) == everything
    assert kept.after(31) == everything - {"unread", "ended"}
    assert kept.after(366) == {"read", "waiting", "open"}


def test_zero_days_are_for_ever_and_files_of_documents_go_if_wanted(kept: _Kept) -> None:
    forever = {"keep_jobs_days": 0, "keep_conversations_days": 0}
    assert "read" in kept.after(9_999, **forever)
    left = kept.after(9_999, keep_originals_days=10, **forever)
    assert left == {"unread", "waiting", "ended", "open", "conversation"}


def test_counts_of_past_months_are_not_kept(kept: _Kept) -> None:
    _, key = Keys(kept.state).add("ann")
    LimitCounter(kept.state, Metrics()).model(key.id, ModelUsage(prompt_tokens=5))
    kept.after(10)
    assert LimitCounter(kept.state, Metrics()).used(key)["tokens"] == 5
    kept.after(70)
    assert kept.state.rows("SELECT * FROM usage") == []


def test_a_wrong_number_of_days_is_refused() -> None:
    with pytest.raises(SettingsError, match="keep_jobs_days must be a number of days"):
        ServerConfig(keep_jobs_days=-1)


def _task(original: Any) -> dict[str, Any]:
    files = [{"source": original.source, "name": original.name}]
    return {"files": files, "recipe": "", "collection": "", "metadata": {}}
