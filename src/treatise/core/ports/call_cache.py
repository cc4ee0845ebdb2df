"""The protocol of caches of language model calls."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.note import CallOutcome


class CallCache(Protocol):
    """Outcomes of requests to language models, by the hash of everything that a reply depends on.

    Several processes may use one at the same time. An outcome is durable once ``save`` returns, even after ``kill -9``.
    """

    def finished(self, keys: Sequence[str]) -> dict[str, CallOutcome]:
        """The cached outcomes; other keys are left out."""
        ...

    def save(self, key: str, outcome: CallOutcome) -> None:
        """Saves an outcome; of two with the same key, the first is kept.

        Raises:
            StoreError: If it cannot be saved.
        """
        ...
