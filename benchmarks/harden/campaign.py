"""What every campaign shares: counts, faults, and a clock."""

import time
from collections import Counter
from dataclasses import dataclass, field

_KIND, _MAX_EXAMPLES = 40, 8


@dataclass
class Campaign:
    """Counts of one campaign, and the faults that it found."""

    seconds: float
    seed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._started = time.monotonic()

    @property
    def goes_on(self) -> bool:
        return time.monotonic() - self._started < self.seconds

    def count(self, what: str, n: int = 1) -> None:
        self.counts[what] += n

    def fault(self, what: str) -> None:
        self.counts["faults"] += 1
        self.faults.append(what[:2_000])

    def record(self, name: str) -> dict[str, object]:
        spent = round(time.monotonic() - self._started)
        return {"campaign": name, "seed": self.seed, "seconds": spent, **self.counts, "examples": self._examples()}

    def _examples(self) -> list[str]:
        """One fault of each kind, by how it begins."""
        return list({fault[:_KIND]: fault for fault in reversed(self.faults)}.values())[:_MAX_EXAMPLES]
