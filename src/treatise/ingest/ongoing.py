"""Progress of readers that take long, such as OCR, to whoever listens in this thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from treatise.core.ports import Progress

_LISTENER: Final[ContextVar[Progress | None]] = ContextVar("listener", default=None)


@contextmanager
def listening(progress: Progress | None) -> Iterator[None]:
    """Within it, readers report the scanned pages that are done and how many there are."""
    before = _LISTENER.set(progress)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def report(done: int, total: int) -> None:
    """Tells the listener, if any."""
    if listener := _LISTENER.get():
        listener(done, total)
