"""Progress of readers, to whoever listens in this thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

_Item = TypeVar("_Item")

ReadingProgress = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``, such as ``("read pages", 3, 43)``; ``total`` is 0 if it is not known."""

SCANNED_PAGES: Final = "read scanned pages"
"""The stage that takes seconds for each page."""

_LISTENER: Final[ContextVar[ReadingProgress | None]] = ContextVar("listener", default=None)


@contextmanager
def listening(progress: ReadingProgress | None) -> Iterator[None]:
    """Within it, readers report the pages, lines or rows that they have read, and what they do with them next."""
    before = _LISTENER.set(progress)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def report(stage: str, done: int, total: int = 0) -> None:
    """Tells the listener, if any."""
    if listener := _LISTENER.get():
        listener(stage, done, total)


def reported(stage: str, items: Sequence[_Item]) -> Iterator[_Item]:
    """The items, each of which is reported when the one before it is done."""
    for done, item in enumerate(items):
        report(stage, done, len(items))
        yield item
