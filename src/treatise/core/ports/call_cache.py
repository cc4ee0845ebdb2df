"""The seam that keeps outcomes of requests to language models."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.note import CallOutcome


class CallCache(Protocol):
    """Outcomes of requests to language models, by the hash of everything that a reply depends on.

    Several processes may use one at the same time. An outcome is kept once ``save`` returns, even after ``kill -9``.
    """

    def finished(self, keys: Sequence[str]) -> dict[str, CallOutcome]:
        """The outcomes that are there; other keys are left out."""
        ...

    def save(self, key: str, outcome: CallOutcome) -> None:
        """Keeps an outcome; of two with one key the first stays.

        Raises:
            StoreError: If it cannot be kept.
        """
        ...
