"""The protocol of sectioners, which divide text by theme."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.vectors import Floats


class Sectioner(Protocol):
    """Finds where themes begin in text without headings.

    Attributes:
        name: Identifies method, model and settings: the same name on the same texts cuts at the same places.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """The places in ``texts`` at which a section begins: ascending, each once, the first 0.

        ``texts`` are sentences or paragraphs in order, at least one; ``vectors`` has one L2-normalised row for each.
        There are at most ``n_sections``, which is at least 1, unless the sectioner determines their number itself. The
        result is deterministic.
        """
        ...
