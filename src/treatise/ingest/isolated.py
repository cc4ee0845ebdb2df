"""Reads sources in a process of their own, bounded in memory and time: a library for a format may crash its process.

A process reads one source after the other. It is started when first needed, or earlier by ``prepare``, and ends with
this one. Several threads may read at the same time, each with its own process.
"""

import atexit
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import BinaryIO, Final, cast

from treatise.core.errors import SourceTooLargeError
from treatise.ingest.limits import Limits
from treatise.ingest.ongoing import SCANNED_PAGES, report
from treatise.ingest.reader_process import (
    READY,
    out_of_bounds,
    pack_request,
    progress_of,
    read_message,
    write_message,
)
from treatise.ingest.reading import Reading
from treatise.ingest.wire import unpack

_PROGRAM: Final = "import sys; sys.path[:] = {path!r}; from treatise.ingest.reader_process import main; main()"
_MAX_IDLE: Final = 2
_START_S: Final = 60.0


class ReaderUnavailableError(Exception):
    """No process can be started here, as in a frozen program or a sandbox without processes."""


class _EndedError(Exception):
    """The process has ended, and its pipes with it."""


def read_isolated(format_name: str, data: bytes, name: str, limits: Limits) -> Reading:
    """Reads a source of any format in another process.

    Raises:
        SourceError: As the format's reader; also if the process runs out of memory or time, or crashes.
        ReaderUnavailableError: No process can be started.
    """
    with _POOL.process() as process:
        return process.read(format_name, data, name, limits)


def prepare() -> None:
    """Starts a process that a later source will need, and does not wait for it."""
    with suppress(ReaderUnavailableError):
        _POOL.give_back(_POOL.take())


class _ReaderProcess:
    """A running process, and its pipes."""

    def __init__(self) -> None:
        if not sys.executable:
            raise ReaderUnavailableError("the interpreter's path is unknown")
        program = _PROGRAM.format(path=[str(entry) for entry in sys.path])
        try:
            self._process = subprocess.Popen(  # ends in close()
                [sys.executable, "-I", "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches the caller alone, which ends this process
            )
        except OSError as error:
            raise ReaderUnavailableError(str(error)) from error
        self._requests, self._replies = cast(BinaryIO, self._process.stdin), cast(BinaryIO, self._process.stdout)
        self._is_ready = self._owes_reply = False

    @property
    def is_idle(self) -> bool:
        """Whether it can read a source: it has not ended, and owes no reply to an earlier one."""
        return not self._owes_reply and self._process.poll() is None

    def read(self, format_name: str, data: bytes, name: str, limits: Limits) -> Reading:
        """Reads a source. If the listener fails, or the caller is interrupted, it is not idle again."""
        self._owes_reply = True
        self._await_start()
        seconds = limits.seconds(len(data))
        with self._killed_after(seconds) as timer:
            try:
                with self._piped():
                    write_message(self._requests, pack_request(format_name, name, limits))
                    write_message(self._requests, data)
                reply = self._awaited()
            except _EndedError as error:
                raise _too_much(name, limits, timer, seconds) from error
        while found := progress_of(reply):
            report(*found)
            with self._killed_after(seconds) as timer:  # a scanned page that was read shows that the process is alive
                try:
                    reply = self._awaited()
                except _EndedError as error:
                    raise _too_much(name, limits, timer, seconds) from error
        self._owes_reply = False
        return unpack(reply)

    def _awaited(self) -> bytes:
        """The next message that is a reply or tells of a scanned page; other progress is reported."""
        message = self._message()
        while (found := progress_of(message)) and found[0] != SCANNED_PAGES:
            report(*found)  # outside _piped(): an error of the listener is its own
            message = self._message()
        return message

    def _message(self) -> bytes:
        with self._piped():
            return read_message(self._replies)

    @contextmanager
    def _piped(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError) as error:
            raise _EndedError from error

    @contextmanager
    def _killed_after(self, seconds: float) -> Iterator[Timer]:
        timer = Timer(seconds, self._process.kill)
        timer.start()
        try:
            yield timer
        finally:
            timer.cancel()

    def close(self) -> None:
        """Ends the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for stream in (self._requests, self._replies):
            with suppress(OSError):
                stream.close()

    def _await_start(self) -> None:
        if self._is_ready:
            return
        timer = Timer(_START_S, self._process.kill)
        timer.start()
        try:
            self._is_ready = read_message(self._replies) == READY
        except EOFError as error:
            raise ReaderUnavailableError("the reader's process ended while it started") from error
        finally:
            timer.cancel()


def _too_much(name: str, limits: Limits, timer: Timer, seconds: float) -> SourceTooLargeError:
    """The error for a process that ended: after the timer it was killed, else it crashed."""
    late = timer.finished.is_set()
    reason = f"{name}: reading it takes more than {seconds:,.0f} s; split it" if late else out_of_bounds(name, limits)
    return SourceTooLargeError(reason)


class _Pool:
    """Idle processes for the next sources."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._idle: list[_ReaderProcess] = []
        self._is_registered = False

    @contextmanager
    def process(self) -> Iterator[_ReaderProcess]:
        """A process for one source; it is ended if the source ended it, or the caller stopped before its reply."""
        process = self.take()
        try:
            yield process
        except SourceTooLargeError:  # its memory may be scattered, or it was killed
            process.close()
            raise
        except BaseException:
            self.give_back(process)
            raise
        else:
            self.give_back(process)

    def take(self) -> _ReaderProcess:
        """An idle process, or a new one."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.is_idle:
                    return process
                process.close()
            if not self._is_registered:
                self._is_registered = True
                atexit.register(self.close)
        return _ReaderProcess()

    def give_back(self, process: _ReaderProcess) -> None:
        """Keeps a process for the next source, if it is idle and few others are; else ends it."""
        with self._lock:
            if process.is_idle and len(self._idle) < _MAX_IDLE:
                self._idle.append(process)
                return
        process.close()

    def close(self) -> None:
        """Ends all idle processes."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()


_POOL: Final = _Pool()
