"""What workers of the tests run; they import it by name."""

import os
import signal
import time
from pathlib import Path

from tests.pipeline.test_openings import Knowing
from treatise.core.document import Document
from treatise.core.ports import Progress
from treatise.core.vectors import Floats
from treatise.pipeline.engines import Engines
from treatise.pipeline.openings import Openings
from treatise.pipeline.sources import read_source
from treatise.testing import HashingEncoder


def open_engines() -> Engines:
    return Engines(HashingEncoder(96))


class Dying(Knowing):
    """Opening 13 kills the worker that reads it."""

    def encode(self, texts: list[str], progress: Progress | None = None) -> Floats:  # type: ignore[override]
        if any("Title 13" in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode(texts, progress)


def open_with_openings() -> Engines:
    return Engines(HashingEncoder(96), openings=Openings("knowing", lambda: Knowing(96)))


def open_dying() -> Engines:
    return Engines(HashingEncoder(96), openings=Openings("dying", lambda: Dying(96)))


def open_others() -> Engines:
    return Engines(HashingEncoder(32))


def read(data: bytes, name: str) -> Document:
    """Documents that name it kill their worker, use all memory, fail, or kill it the first time only."""
    if b"KILL" in data:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"RAISE" in data:
        raise ZeroDivisionError("a fault of the reader")
    if b"ONCE" in data:
        tried = Path(name).with_suffix(".tried")
        if not tried.exists():
            tried.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if b"SLOW" in data:
        time.sleep(0.5)
    return read_source(data, name)
