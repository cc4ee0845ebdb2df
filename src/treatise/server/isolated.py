"""Work on hostile bytes in a process of its own, with limits of time and memory, that may be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Final

from treatise.core.errors import DamagedSourceError, SourceTooLargeError

_POLL_S: Final = 0.1
_KEPT: Final = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "SYSTEMROOT")
"""Variables of the environment that the process gets: none of them holds a key."""


class CancelledError(Exception):
    """The work was cancelled."""


def never() -> bool:
    """False: the work is not cancelled."""
    return False


@dataclass(frozen=True, slots=True)
class Isolation:
    """Limits of a process.

    Attributes:
        timeout_s: Wall time; the process is then killed.
        memory_mb: Address space; the process then fails.
    """

    timeout_s: float = 120.0
    memory_mb: int = 4_096

    def run(
        self, module: str, arguments: Sequence[str], data: bytes, *, name: str, is_cancelled: Callable[[], bool] = never
    ) -> bytes:
        """The output of ``python -m module`` for this input; ``name`` is the source's, for messages.

        Raises:
            SourceTooLargeError: If it took too long.
            DamagedSourceError: If the process died.
            CancelledError: If the work was cancelled meanwhile.
        """
        with (
            _as_file(data) as file,
            subprocess.Popen(
                [sys.executable, "-m", module, str(self.memory_mb), str(int(self.timeout_s) + 5), *arguments],
                stdin=file,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={key: os.environ[key] for key in _KEPT if key in os.environ},
                start_new_session=True,
            ) as process,
        ):
            try:
                output = self._output(process, name, is_cancelled)
            finally:
                _kill(process)
        if process.returncode != 0:
            raise DamagedSourceError(
                f"{name}: the reader needed too much memory or stopped (status {process.returncode}): the file may be "
                "damaged or made to exhaust it; save it again in another format"
            )
        return output

    def _output(self, process: "subprocess.Popen[bytes]", name: str, is_cancelled: Callable[[], bool]) -> bytes:
        deadline = time.monotonic() + self.timeout_s
        while True:
            try:
                return process.communicate(timeout=_POLL_S)[0]
            except subprocess.TimeoutExpired:
                pass
            if is_cancelled():
                raise CancelledError
            if time.monotonic() > deadline:
                raise SourceTooLargeError(
                    f"{name}: reading it took longer than {self.timeout_s:g} s: split it into several files"
                )


@contextmanager
def _as_file(data: bytes) -> Iterator[IO[bytes]]:
    """The data as a file to read from. After a timeout, ``communicate`` sends no more of an input through a pipe."""
    with TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Ends the process and what it started; harmless if it has ended."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def limit_process(memory_mb: int, cpu_s: int) -> None:
    """Limits this process; called first by a module that :meth:`Isolation.run` starts."""
    import resource

    for kind, limit in (
        (resource.RLIMIT_AS, memory_mb * 2**20),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        wanted = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with suppress(ValueError, OSError):  # a system without this limit
            resource.setrlimit(kind, (wanted, hard))
