"""The seam of what relates retrieved chunks to each other."""

from collections.abc import Collection, Sequence
from typing import Protocol

from treatise.core.graph import RhetoricalGraph


class Relator(Protocol):
    """Retrieved chunks to the rhetorical graph between them.

    Attributes:
        name: Identifies model and settings, for caches.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph over the chunks, in their order; without an edge for one chunk or none.

        ``pairs`` are the ordered pairs that are wanted, all if None; edges of other pairs are optional.
        """
        ...
