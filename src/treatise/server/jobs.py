"""Index jobs: read, indexed and saved file by file in threads; what a killed server left is done after its restart."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Any, Final

from treatise.core.errors import DocumentNotFoundError, SourceError, TreatiseError
from treatise.pipeline.library import Library
from treatise.pipeline.metadata import annotate
from treatise.server.isolated import CancelledError, Isolation
from treatise.server.job_table import Job, JobStatus, JobTable
from treatise.server.limits import LimitCounter
from treatise.server.metrics import Metrics
from treatise.server.originals import Originals
from treatise.server.problems import ProblemError
from treatise.server.reading import IsolatedReader
from treatise.server.replies import Redactor

_LOG: Final = logging.getLogger("treatise.jobs")
_IDLE_S: Final = 0.5
_HEARTBEAT_S: Final = 1.0
_REPORT_S: Final = 0.2

LibraryOf = Callable[[str], Library]
"""The library that indexes under the recipe of this name; one of its own per call is not needed."""


class StoppingError(Exception):
    """The server stops: the job waits for the next one."""


class JobRunner:
    """Runs the jobs of the table in threads of this worker.

    Args:
        table: The jobs.
        originals: Their files.
        library_of: Indexes them.
        isolation: Limits of reading a file.
        redactor: Hides places of the server in messages.
        limits: Counts the tokens of keys.
        metrics: Of the server.
    """

    def __init__(  # noqa: PLR0913  (what a job needs, wired in one place)
        self,
        table: JobTable,
        originals: Originals,
        library_of: LibraryOf,
        isolation: Isolation,
        redactor: Redactor,
        limits: LimitCounter,
        metrics: Metrics,
    ) -> None:
        self.table = table
        self._originals = originals
        self._library_of = library_of
        self._isolation = isolation
        self._redactor = redactor
        self._limits = limits
        self._metrics = metrics
        self._stopping = Event()
        self._wake = Event()
        self._lock = Lock()
        self._cancelled: set[str] = set()
        self._threads: list[Thread] = []

    def start(self, threads: int) -> None:
        """Starts the threads: some that work, one for the heartbeat."""
        targets = [*[self._work] * threads, self._beat]
        self._threads = [Thread(target=target, name="job", daemon=True) for target in targets]
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Says that there is a new job."""
        self._wake.set()

    def stop(self, timeout_s: float = 10.0) -> None:
        """Ends the threads. A running job is queued again and resumes with the file that it was at."""
        self._stopping.set()
        self._wake.set()
        deadline = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def is_cancelled(self, job_id: str) -> bool:
        """Whether a job of this worker shall end."""
        with self._lock:
            return job_id in self._cancelled

    def _beat(self) -> None:
        while not self._stopping.wait(_HEARTBEAT_S):
            try:
                found = self.table.heartbeat()
            except TreatiseError:
                _LOG.warning("the heartbeat of jobs failed", exc_info=True)
                continue
            with self._lock:
                self._cancelled = found

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                job = self.table.take() if self.table.has_work() else None
            except TreatiseError:
                _LOG.warning("no job could be taken", exc_info=True)
                job = None
            if job is None:
                self._wake.wait(_IDLE_S)
                self._wake.clear()
            else:
                self._run(job)

    def _run(self, job: Job) -> None:
        """Runs a job. If its end cannot be saved, it is queued again, and this thread goes on to other jobs."""
        try:
            _Run(self, job, self._stopping).run()
        except TreatiseError:
            _LOG.warning("the end of a job could not be saved", exc_info=True, extra={"job": job.id})
            with suppress(TreatiseError):
                self.table.give_back(job.id)

    def indexed(self, job: Job, number: int, progress: Callable[[str, int, int], None]) -> dict[str, Any]:
        """Indexes one file of a job, and returns its record.

        Raises:
            CancelledError, StoppingError: If the job shall end.
            ProblemError: If the job's key has used its tokens.
            TreatiseError: If it cannot be indexed.
        """
        file = job.task["files"][number]
        original = self._originals.get(file["source"])
        if original is None:
            raise SourceError(f"{file['name']} was removed before it was indexed: upload it again")
        library = self._library_of(job.task["recipe"])
        reader = IsolatedReader(self._isolation, lambda: self.is_cancelled(job.id) or self._stopping.is_set())
        with self._counted(job, library):
            report = library.index(original.source, data=original.read(), progress=progress, read=reader)
            self._originals.belongs(original.source, report.document)
            _tag(library, report.document, job.task)
            library.parse_chunks([report.document], progress)
        return {
            "name": file["name"],
            "status": "done",
            "document": report.document,
            "outcome": str(report.outcome),
            "words": report.n_words,
            "seconds": round(report.seconds, 3),
            "error": None,
        }

    @contextmanager
    def _counted(self, job: Job, library: Library) -> Iterator[None]:
        """Counts the tokens of a file for the job's key, even if the file fails; refuses it beyond the key's limits."""
        if library.system.asks_while_indexing:
            self._limits.check_model_of(job.key)
        before = library.spending
        try:
            yield
        finally:
            self._limits.model(job.key, library.spending.since(before).usage)

    def message(self, error: Exception) -> str:
        """A message for clients."""
        return self._redactor.text(str(error))

    def count(self, status: JobStatus) -> None:
        """Counts a finished job."""
        self._metrics.jobs.labels(str(status)).inc()


def _tag(library: Library, document: str, task: dict[str, Any]) -> None:
    """Sets the metadata of an upload; a document that is in other collections stays in them."""
    values = dict(task["metadata"])
    if task["collection"]:
        entry = next((one for one in library.documents() if one.id == document), None)
        if entry is None:
            raise DocumentNotFoundError(f"document {document} was removed while its job ran: upload it again")
        others = [name for name in entry.metadata.get("collection", ()) if name != task["collection"]]
        if others and task.get("is_restricted"):
            values = {}  # an equal file is in collections that the key may not open
        values["collection"] = [*others, task["collection"]]
    if values:
        annotate(library.store, document, (), (), values)


class _Run:
    """One job in one thread."""

    def __init__(self, runner: JobRunner, job: Job, stopping: Event) -> None:
        self._runner = runner
        self._job = job
        self._stopping = stopping
        self._progress = job.progress
        self._reported = 0.0

    def run(self) -> None:
        """Does what is left of the job."""
        job, table = self._job, self._runner.table
        try:
            for number, file in enumerate(self._progress["files"]):
                if file["status"] not in ("done", "failed"):
                    self._file(number)
            all_failed = all(file["status"] == "failed" for file in self._progress["files"])
            self._finish(JobStatus.FAILED if all_failed else JobStatus.DONE)
        except CancelledError:
            if self._stopping.is_set() and not self._runner.is_cancelled(job.id):
                table.give_back(job.id)
            else:
                self._finish(JobStatus.CANCELLED)
        except StoppingError:
            table.give_back(job.id)
        except Exception as error:
            _LOG.exception("job failed", extra={"job": job.id})
            reason = self._runner.message(error) if isinstance(error, TreatiseError) else "see the server's log"
            self._progress["error"] = f"the job failed: {reason}"
            for file in self._progress["files"]:
                if file["status"] == "running":
                    file.update(status="failed", error=reason)
            self._finish(JobStatus.FAILED)

    def _file(self, number: int) -> None:
        name = self._job.task["files"][number]["name"]
        self._progress["files"][number]["status"] = "running"
        self._report(name, "read", 0, 1, always=True)
        try:
            record = self._runner.indexed(
                self._job, number, lambda stage, done, total: self._report(name, stage, done, total)
            )
        except (SourceError, ProblemError, DocumentNotFoundError) as error:
            record = {"name": name, "status": "failed", "document": None, "error": self._runner.message(error)}
        self._progress["files"][number] = record
        self._report(name, "done", 1, 1, always=True)

    def _report(self, name: str, stage: str, done: int, total: int, *, always: bool = False) -> None:
        """Saves how far the job is, now and then, and ends it if it shall end."""
        if self._runner.is_cancelled(self._job.id):
            raise CancelledError
        if self._stopping.is_set():
            raise StoppingError
        now = time.monotonic()
        if always or now - self._reported > _REPORT_S:
            self._reported = now
            self._progress["at"] = {"file": name, "stage": stage, "done": done, "total": total}
            self._runner.table.save(self._job.id, self._progress)

    def _finish(self, status: JobStatus) -> None:
        self._progress["at"] = None
        self._runner.table.finish(self._job.id, status, self._progress)
        self._runner.count(status)
        _LOG.info("job ended", extra={"job": self._job.id, "status": str(status)})
