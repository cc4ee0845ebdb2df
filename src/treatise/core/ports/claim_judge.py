"""The protocol of judges of claims."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.verdict import VerdictOdds


class ClaimJudge(Protocol):
    """Says whether texts support a statement.

    The same input gives the same result. A statement beyond the judge's limit is truncated.
    """

    @property
    def name(self) -> str:
        """Identifies the weights."""
        ...

    def verdict(self, statement: str, passages: Sequence[str]) -> VerdictOdds:
        """The probabilities of each verdict, from all passages together.

        Without passages, or if all are blank, the statement is not stated with probability 1.

        Raises:
            EngineError: If the model failed.
        """
        ...
