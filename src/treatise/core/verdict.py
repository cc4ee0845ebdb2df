"""Verdicts: whether a text supports a statement."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_TOLERANCE: Final = 1e-3


class Verdict(StrEnum):
    """What a text says about a statement."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_STATED = "not stated"


@dataclass(frozen=True, slots=True)
class VerdictOdds:
    """Probabilities of the three verdicts on a statement; their sum is 1."""

    supported: float
    contradicted: float
    not_stated: float

    def __post_init__(self) -> None:
        values = (self.supported, self.contradicted, self.not_stated)
        if not all(0 <= value <= 1 for value in values) or abs(sum(values) - 1) > _TOLERANCE:
            raise ValueError(f"expected three probabilities with the sum 1, found {values}")

    @property
    def likeliest(self) -> Verdict:
        """The verdict with the highest probability."""
        values = (self.supported, self.contradicted, self.not_stated)
        return tuple(Verdict)[values.index(max(values))]
