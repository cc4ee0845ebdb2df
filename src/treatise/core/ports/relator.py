"""The protocol of relators, which relate retrieved chunks to each other."""

from collections.abc import Collection, Sequence
from typing import Protocol

from treatise.core.graph import RhetoricalGraph


class Relator(Protocol):
    """Builds the rhetorical graph between retrieved chunks.

    Attributes:
        name: Identifies model and settings, for caches.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph over the chunks, in their order; without edges for fewer than two chunks.

        ``pairs`` are the wanted ordered pairs, all if None; edges of other pairs are optional.
        """
        ...
