"""Progress on standard error: one line, redrawn in place, in a terminal only."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from treatise.core.printable import one_line

if TYPE_CHECKING:
    from treatise.core.ports import LanguageModel
    from treatise.pipeline.progress import ProgressCallback

_FIRST_AFTER_S: Final = 0.5  # shorter work shows nothing
_EVERY_S: Final = 0.1
_WAITING_EVERY_S: Final = 1.0
_CLEAR: Final = "\r\x1b[K"


@contextmanager
def progress_line(name: str) -> "Iterator[ProgressCallback | None]":
    """A callback that draws stage, rate and remaining time of the work on ``name``; None outside a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    drawn = _ProgressLine(name)
    try:
        yield drawn.update
    finally:
        drawn.clear()


@contextmanager
def waiting_line(model: "LanguageModel | None") -> Iterator[None]:
    """Draws the time spent waiting for a language model, once per second: a slow server is silent for minutes."""
    if model is None or not sys.stderr.isatty():
        yield
        return
    done = Event()
    drawing = Thread(target=_draw_waiting, args=(model.name, done), daemon=True)
    drawing.start()
    try:
        yield
    finally:
        done.set()
        drawing.join()


def _draw_waiting(name: str, done: Event) -> None:
    started = time.monotonic()
    while not done.wait(_WAITING_EVERY_S):
        _draw(f"waiting for {name}  {duration(time.monotonic() - started)}"[: get_terminal_size().columns - 1])
    _draw("")


class _ProgressLine:
    def __init__(self, name: str) -> None:
        self._name = name
        self._stage = ""
        self._stage_started = self._last_drawn = time.monotonic()
        self._done = 0
        self._drawn = False

    def update(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != self._stage or done < self._done:  # another pass with the same name starts over
            self._stage, self._stage_started = stage, now
        self._done = done
        if now - self._last_drawn >= (_EVERY_S if self._drawn else _FIRST_AFTER_S):
            self._last_drawn, self._drawn = now, True
            text = progress_text(self._name, stage, done, total, now - self._stage_started)
            _draw(text[: get_terminal_size().columns - 1])

    def clear(self) -> None:
        if self._drawn:
            _draw("")


def progress_text(name: str, stage: str, done: int, total: int, seconds: float) -> str:
    """The progress of a stage, as one line.

    >>> progress_text("a.pdf", "encode", 200, 1000, 2.0)
    'a.pdf  encode 200 of 1,000 (20 %)  100/s  8 s left'
    >>> progress_text("a.pdf", "read scanned pages", 3, 43, 24.0)
    'a.pdf  read scanned pages 3 of 43 (7 %)  8 s each  5 min 20 s left'

    If the total is not known, it is 0:

    >>> progress_text("a.mbox", "read messages", 1200, 0, 2.0)
    'a.mbox  read messages 1,200  600/s'
    """
    share = f"{name}  {stage} {done:,}"
    if total:
        share += f" of {total:,} ({done / total:.0%})".replace("%", " %")
    if not done or seconds <= 0:
        return share
    rate = done / seconds
    pace = f"{rate:,.0f}/s" if rate >= 1 else f"{duration(1 / rate)} each"
    left = f"  {duration((total - done) / rate)} left" if total else ""
    return f"{share}  {pace}{left}"


def duration(seconds: float) -> str:
    """A duration, in one or two units.

    >>> duration(0.42), duration(75), duration(7300)
    ('0.4 s', '1 min 15 s', '2 h 1 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s" if seconds % 1 and seconds < 3 else f"{seconds:.0f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def _draw(text: str) -> None:
    sys.stderr.write(_CLEAR + one_line(text))
    sys.stderr.flush()
