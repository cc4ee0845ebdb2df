"""A small library for the tests of every framework."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import treatise
from treatise.pipeline.library import Library

TEXT = "\n\n".join(f"# Part {n}\n\nKettle number {n} boils its water at {n} degrees." for n in range(60, 70))
QUESTION = "At how many degrees does kettle number 63 boil its water?"
NO_QUESTIONS = (None, "", " \n", b"Why?", [], ["Why?"], {"query": "Why?"}, 3)
"""What a framework may pass instead of a question."""


@contextmanager
def kettles(folder: Path) -> Iterator[Library]:
    """The opened library."""
    with treatise.open_library(store=folder / "library.db") as opened:
        opened.add(TEXT, "kettles.md")
        yield opened
