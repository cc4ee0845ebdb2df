"""A cache of finished calls that lives in memory."""

from collections.abc import Sequence

from treatise.core.note import Finished
from treatise.core.ports import CallCache


class MemoryCache:
    """A ``CallCache`` that ends with the process; over another one it reads that and writes nothing to it."""

    def __init__(self, below: CallCache | None = None) -> None:
        self._below = below
        self._finished: dict[str, Finished] = {}

    def finished(self, keys: Sequence[str]) -> dict[str, Finished]:
        """See ``CallCache.finished``."""
        mine = {key: self._finished[key] for key in keys if key in self._finished}
        rest = [key for key in keys if key not in mine]
        return mine | (self._below.finished(rest) if self._below and rest else {})

    def save(self, key: str, finished: Finished) -> None:
        """See ``CallCache.save``."""
        self._finished.setdefault(key, finished)
