"""The marker baseline without a language model: connectives found in the chunks."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.graph import Edge, RhetoricalGraph
from treatise.core.ports import Encoder
from treatise.plan.relations import MARKERS

_NEAR: Final = 0.15  # minimum cosine of a sentence with a connective and the chunk that it refers to
_OPENING: Final = re.compile(
    rf"(?:^|(?<=[.!?;]\s))\s*({'|'.join(sorted(MARKERS, key=len, reverse=True))})\b[^.!?]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class LocalMarkers:
    """A ``core.ports.Relator``: a sentence that opens with a connective links its chunk to the chunk most similar to
    the sentence.

    Attributes:
        encoder: The encoder of chunks and sentences.
    """

    encoder: Encoder

    @property
    def name(self) -> str:
        """Rules and encoder."""
        return f"markers-1 {self.encoder.name}"

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        found = [
            (i, match[1].lower(), match[0]) for i, chunk in enumerate(chunks) for match in _OPENING.finditer(chunk)
        ]
        if not found or len(chunks) < 2:
            return RhetoricalGraph(len(chunks))
        vectors = self.encoder.encode([*chunks, *(sentence for _, _, sentence in found)])
        nearness = vectors[len(chunks) :] @ vectors[: len(chunks)].T
        edges: dict[tuple[int, int], Edge] = {}
        for (source, marker, _), row in zip(found, nearness, strict=True):
            row[source] = -1.0
            target = int(row.argmax())
            if row[target] >= _NEAR and (pairs is None or (source, target) in pairs):
                edges.setdefault((source, target), Edge(source, target, MARKERS[marker], float(row[target]), marker))
        return RhetoricalGraph(len(chunks), tuple(edges[pair] for pair in sorted(edges)))
