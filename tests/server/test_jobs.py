"""Index jobs: progress, failure of one file, cancellation, a worker that is gone."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import serving
from treatise.core.errors import DamagedSourceError, SourceError, SourceTooLargeError, StoreBusyError
from treatise.core.installed import install_command
from treatise.server import schemas_state
from treatise.server.isolated import CancelledError, Isolation
from treatise.server.job_table import LAPSE_S, MAX_ATTEMPTS, JobStatus, JobTable
from treatise.server.originals import safe_name
from treatise.server.reading import IsolatedReader
from treatise.server.state import State

TASK: dict[str, Any] = {
    "files": [{"source": "upload://1/a.txt", "name": "a.txt"}],
    "recipe": "",
    "collection": "",
    "metadata": {},
}


def test_a_job_is_followed_to_its_end_and_one_bad_file_does_not_stop_it(start: Any) -> None:
    server = start()
    parts = [
        ("files", ("good.txt", b"Water boils at 100 degrees.")),
        ("files", ("bad.docx", b"PK\x03\x04 no archive")),
        ("files", ("empty.txt", b"   ")),
    ]
    made = server.client.post(
        "/api/v1/documents", files=parts, data={"collection": "tea", "metadata": '{"year": 2021}'}
    )
    schemas_state.JobReply.model_validate(made.json())
    with server.client.stream("GET", f"/api/v1/jobs/{made.json()['job']}/events") as stream:
        lines = [line for line in stream.iter_lines() if line.startswith("data: ")]
    seen = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert [one["version"] for one in seen] == sorted({one["version"] for one in seen})
    last = seen[-1]
    assert (last["status"], [one["status"] for one in last["files"]]) == ("done", ["done", "failed", "failed"])
    assert "bad.docx" in last["files"][1]["error"]
    assert str(server.services.state.folder) not in json.dumps(seen)
    found = server.client.get("/api/v1/documents", params={"collection": "tea", "where": "year = 2021"}).json()
    assert [one["document"] for one in found["documents"]] == [last["files"][0]["document"]]
    resumed = server.client.get(f"/api/v1/jobs/{last['job']}/events", headers={"last-event-id": "1"})
    assert resumed.text.count("event: job") == 1


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [("a.7z", b"7z\xbc\xaf\x27\x1c", 415), ("a.exe", b"\x7fELF", 415)],
)
def test_a_file_of_another_format_is_refused_at_once(shared: Any, name: str, data: bytes, status: int) -> None:
    reply = shared.client.post("/api/v1/documents", files={"files": (name, data)})
    assert reply.status_code == status


@pytest.mark.parametrize(
    "metadata", ["{", "[]", "[" * 15_000, '{"a": null}', '{"collection": "x"}', '{"id": "x"}', '{"year": NaN}']
)
def test_wrong_metadata_is_refused_before_anything_is_kept(shared: Any, metadata: str) -> None:
    reply = shared.client.post("/api/v1/documents", files={"files": ("a.txt", "Text.")}, data={"metadata": metadata})
    assert reply.status_code == 422


@pytest.mark.parametrize("collection", ["   ", "a\x00b"])
def test_a_collection_without_a_name_is_refused_before_anything_is_kept(shared: Any, collection: str) -> None:
    parts = {"files": ("ferry.txt", b"The ferry leaves at nine."), "collection": (None, collection)}
    reply = shared.client.post("/api/v1/documents", files=parts)
    assert (reply.status_code, reply.json()["type"]) == (422, "urn:treatise:problem:filter")
    assert "'collection'" in reply.json()["detail"]


def test_a_job_that_fails_leaves_no_file_running(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start()

    def fail(*_: Any) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("treatise.server.jobs._tag", fail)
    job = server.upload(ferry_txt="The ferry leaves at nine.")
    assert job["status"] == "failed"
    assert [(file["status"], file["error"]) for file in job["files"]] == [("failed", "see the server's log")]


def test_too_many_files_are_refused(start: Any) -> None:
    server = start(max_upload_files=1)
    parts = [("files", (f"{n}.txt", b"Text.")) for n in range(2)]
    assert server.client.post("/api/v1/documents", files=parts).status_code == 413


def test_the_table_gives_each_job_to_one_worker_and_takes_it_back_from_a_dead_one(tmp_path: Path) -> None:
    now = [1000.0]
    first, second = (JobTable(State(tmp_path), clock=lambda: now[0]) for _ in range(2))
    job = first.add("local", TASK)
    assert first.take() is not None
    assert second.take() is None
    now[0] += LAPSE_S - 1
    first.heartbeat()
    now[0] += LAPSE_S - 1
    assert second.take() is None
    now[0] += 2
    taken = second.take()
    assert taken is not None
    assert (taken.id, taken.attempts) == (job.id, 2)
    first.finish(job.id, JobStatus.DONE, taken.progress)
    assert second.get(job.id).status is JobStatus.RUNNING, "a worker that lost a job no longer decides on it"  # type: ignore[union-attr]


def test_a_job_that_ends_its_worker_again_and_again_has_failed(tmp_path: Path) -> None:
    now = [1000.0]
    table = JobTable(State(tmp_path), clock=lambda: now[0])
    job = table.add("local", TASK)
    for _ in range(MAX_ATTEMPTS):
        assert table.take() is not None
        now[0] += LAPSE_S + 1
    assert table.take() is None
    found = table.get(job.id)
    assert found is not None
    assert found.status is JobStatus.FAILED
    assert "upload them one by one" in found.record()["error"]


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_when_its_worker_hears_of_it(tmp_path: Path) -> None:
    table = JobTable(State(tmp_path))
    running, waiting = table.add("local", TASK), table.add("local", TASK)
    table.take()
    table.cancel(running.id)
    table.cancel(waiting.id)
    assert table.heartbeat() == {running.id}
    statuses = [job.status for job in table.newest(2)]
    assert statuses == [JobStatus.CANCELLED, JobStatus.RUNNING]


def test_a_file_is_read_in_another_process_as_in_this_one() -> None:
    text = b"# Tea\n\nBoil water. Wait.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    from treatise.ingest import read_bytes

    assert IsolatedReader(Isolation())(text, "upload://1/tea.md") == read_bytes(text, name="upload://1/tea.md")


def test_a_reader_that_takes_too_long_or_fails_or_is_cancelled_is_ended() -> None:
    with pytest.raises(SourceTooLargeError, match=r"tea\.txt: reading it took longer"):
        IsolatedReader(Isolation(timeout_s=0.05))(b"Tea. " * 10, "tea.txt")
    with pytest.raises(DamagedSourceError, match=r"tea\.txt"):
        IsolatedReader(Isolation(memory_mb=20))(b"Tea. " * 10, "tea.txt")
    with pytest.raises(CancelledError):
        IsolatedReader(Isolation(), lambda: True)(b"Tea. " * 10, "tea.txt")
    with pytest.raises(SourceError, match=r"^tea\.txt: an empty file"):
        IsolatedReader(Isolation())(b" ", "/srv/data/tea.txt")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\a.txt", "a.txt"),
        ("\u202etxt.exe", "txt.exe"),
        ("a\x00b\n.txt", "ab.txt"),
        ("", "file"),
        (".", "file"),
    ],
)
def test_names_of_uploads_are_names_only(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_a_long_name_keeps_its_suffix() -> None:
    assert safe_name("é" * 500 + ".pdf").endswith(".pdf")
    assert len(safe_name("é" * 500 + ".pdf").encode()) <= 200


@pytest.mark.slow
def test_a_killed_server_resumes_its_job_and_a_stopped_one_ends_cleanly(tmp_path: Path) -> None:
    text = "Water boils at 100 degrees. Green tea wants cooler water. " * 200
    parts = [("files", (f"{n}.txt", f"Number {n}. {text}".encode())) for n in range(3)]
    with serving(tmp_path) as (process, client):
        job = client.post("/api/v1/documents", files=parts).json()["job"]
        while client.get(f"/api/v1/jobs/{job}").json()["status"] == "queued":
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    with serving(tmp_path) as (process, client):
        deadline = time.monotonic() + 120
        while (found := client.get(f"/api/v1/jobs/{job}").json())["status"] in ("queued", "running"):
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        assert (found["status"], found["attempts"]) == ("done", 2)
        assert client.get("/api/v1/documents").json()["total"] == 3
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)


class _BusyTwice(JobTable):
    """A table whose database is busy when the end of the first job is saved, also as failed."""

    n_failures = 0

    def finish(self, job_id: str, status: JobStatus, progress: Any) -> None:
        if self.n_failures < 2:
            self.n_failures += 1
            raise StoreBusyError("the database is busy")
        super().finish(job_id, status, progress)


def test_a_job_whose_end_cannot_be_saved_is_done_again(start: Any) -> None:
    server = start()
    server.services.jobs.table = table = _BusyTwice(server.services.state)
    assert server.upload(tea_txt="Water boils at 100 degrees.")["status"] == "done"
    assert table.n_failures == 2
    assert server.upload(milk_txt="Milk boils at 100 degrees too.")["status"] == "done"


def test_advice_to_install_something_names_no_folder_of_the_server(start: Any) -> None:
    server = start()
    advice = f"to read the text in it: {install_command('ocr')}"
    assert server.services.redactor.text(advice) == "to read the text in it: pip install 'treatise[ocr]'"
