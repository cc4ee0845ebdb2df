"""A small library for the tests of every framework, and what frameworks do to it."""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

import treatise
from treatise.pipeline.library import Library

TEXT = "\n\n".join(f"# Part {n}\n\nKettle number {n} boils its water at {n} degrees." for n in range(60, 70))
QUESTION = "At how many degrees does kettle number 63 boil its water?"
NO_QUESTIONS = (None, "", " \n", b"Why?", [], ["Why?"], {"query": "Why?"}, 3)
"""What a framework may pass instead of a question."""
NO_COUNTS = (0, -3, 2.5, "3", True)
"""What a framework may pass instead of a number of passages."""
HUGE = 10**30
ODD_METADATA: Final[dict[str, Any]] = {"year": 2024, "tags": ["a", None], "draft": True, "weight": 0.5, "owner": None}
"""Metadata that are not texts."""
FORK_S = 120

can_fork = pytest.mark.skipif(
    not hasattr(os, "fork") or sys.platform == "darwin", reason="this platform does not fork safely"
)


@contextmanager
def kettles(folder: Path) -> Iterator[Library]:
    """The opened library."""
    with treatise.open_library(store=folder / "library.db") as opened:
        opened.add(TEXT, "kettles.md")
        yield opened


def in_two_loops(ask: Callable[[], Awaitable[Any]]) -> list[Any]:
    """What two tasks in each of two event loops in two threads get."""

    async def both() -> list[Any]:
        return await asyncio.gather(ask(), ask())

    with ThreadPoolExecutor(2) as threads:
        return [one for found in threads.map(lambda _: asyncio.run(both()), range(2)) for one in found]


def cancel(ask: Callable[[], Awaitable[Any]]) -> None:
    """Cancels a task that has begun; the task must say that it was cancelled."""

    async def begin() -> None:
        task = asyncio.ensure_future(ask())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(begin())


def in_a_fork(ask: Callable[[], object]) -> bool:
    """Whether a forked process gets something, and ends."""
    child = multiprocessing.get_context("fork").Process(target=lambda: os._exit(0 if ask() else 1))
    child.start()
    child.join(FORK_S)
    if child.is_alive():
        child.kill()
    return child.exitcode == 0
