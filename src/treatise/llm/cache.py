"""A cache of outcomes in memory."""

from collections.abc import Sequence

from treatise.core.note import CallOutcome
from treatise.core.ports import CallCache


class MemoryCache:
    """A ``CallCache`` in memory, lost when the process ends.

    Args:
        below: A second cache, which is read but never written.
    """

    def __init__(self, below: CallCache | None = None) -> None:
        self._below = below
        self._outcomes: dict[str, CallOutcome] = {}

    def finished(self, keys: Sequence[str]) -> dict[str, CallOutcome]:
        """See ``CallCache.finished``."""
        own = {key: self._outcomes[key] for key in keys if key in self._outcomes}
        rest = [key for key in keys if key not in own]
        return own | (self._below.finished(rest) if self._below and rest else {})

    def save(self, key: str, outcome: CallOutcome) -> None:
        """See ``CallCache.save``."""
        self._outcomes.setdefault(key, outcome)
