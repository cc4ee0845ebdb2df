"""Progress of the stages of indexing and answering."""

from collections.abc import Callable

from treatise.core.ports import Progress

ProgressCallback = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``; ``total`` is 0 if a reader cannot know it."""


def stage(progress: ProgressCallback | None, name: str) -> Progress | None:
    """The progress of one stage, reported under its name."""
    return None if progress is None else lambda done, total: progress(name, done, total)
