"""The rhetorical graph without a language model: what nearness, contrast, dates and examples of two chunks say."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats
from treatise.plan.contradiction import Contrast, contrasts

_RELATED: Final = 0.4  # cosine of two chunks from which on they have to do with each other
_NEAREST: Final = 3  # chunks that a chunk is linked with at least, where there are so many
_NEAR: Final = 0.75  # cosine of two sentences of which one denies what the other says

_SENTENCE: Final = re.compile(r"[^.!?。！？]+[.!?。！？]*")
_YEAR: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NEGATION: Final = re.compile(
    r"\b(?:not?|never|none|neither|nor|cannot|without|\w+n['’]t)\b|没有|并非|不是|不", re.IGNORECASE
)
_EXAMPLE: Final = re.compile(r"\b(?:for example|for instance|such as)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LocalRelator:
    """``core.ports.Relator`` by rules over an encoder's vectors; contradiction by :mod:`treatise.plan.contradiction`.

    Two chunks can be related where their vectors are near. Those that the scorer calls contradictory, or in which two
    near sentences differ in a negation, contradict. Other links go between a chunk and its nearest alone, so that their
    number is linear in that of the chunks: one whose earliest year is before the other's precedes it; one that gives
    examples exemplifies; what is left supplements.

    Attributes:
        encoder: Makes the vectors.
    """

    encoder: Encoder

    @property
    def name(self) -> str:
        """Rules and encoder."""
        return f"local-3 {self.encoder.name}"

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        sentences = [_sentences(chunk) for chunk in chunks]
        vectors = self.encoder.encode([sentence for of_one in sentences for sentence in of_one])
        edges_of = np.cumsum([0, *map(len, sentences)])
        rows = [vectors[start:end] for start, end in pairwise(edges_of)]
        found = {(i, j): contrast for i, j, contrast in contrasts(chunks, self.encoder, _RELATED)}
        nearest = _nearest({pair: contrast.cosine for pair, contrast in found.items()}, len(chunks))
        edges: list[Edge] = []
        for (i, j), contrast in found.items():
            there, back = _links((chunks[i], chunks[j]), (sentences[i], sentences[j]), rows[i] @ rows[j].T, contrast)
            contradict = there is Link.CONTRADICTS
            if contradict or (i, j) in nearest:
                score = contrast.score if contradict else contrast.cosine
                edges += [Edge(i, j, there, score), Edge(j, i, back, score)]
        wanted = (edge for edge in edges if pairs is None or (edge.source, edge.target) in pairs)
        return RhetoricalGraph(len(chunks), tuple(sorted(wanted, key=lambda edge: (edge.source, edge.target))))


def _nearest(cosines: Mapping[tuple[int, int], float], n_chunks: int) -> set[tuple[int, int]]:
    """The pairs ``(i, j)``, ``i < j``, of which one is among the ``_NEAREST`` that are nearest to the other."""
    pairs: set[tuple[int, int]] = set()
    for chunk in range(n_chunks):
        own = sorted((pair for pair in cosines if chunk in pair), key=lambda pair: -cosines[pair])
        pairs |= set(own[:_NEAREST])
    return pairs


def _links(
    chunks: tuple[str, str], sentences: tuple[list[str], list[str]], nearness: Floats, contrast: Contrast
) -> tuple[Link, Link]:
    """What the first does for the second, and the second for the first."""
    if contrast.is_contradiction or _denies(sentences, nearness):
        return Link.CONTRADICTS, Link.CONTRADICTS
    first, second = (min(map(int, _YEAR.findall(chunk)), default=0) for chunk in chunks)
    if first and second and first != second:
        return (Link.PRECEDES, Link.FOLLOWS) if first < second else (Link.FOLLOWS, Link.PRECEDES)
    if _EXAMPLE.search(chunks[0]):
        return Link.EXEMPLIFIES, Link.GENERALIZES
    if _EXAMPLE.search(chunks[1]):
        return Link.GENERALIZES, Link.EXEMPLIFIES
    return Link.SUPPLEMENTS, Link.SUPPLEMENTS


def _denies(sentences: tuple[list[str], list[str]], nearness: Floats) -> bool:
    """Whether of two near sentences one alone holds a negation."""
    negated = [[bool(_NEGATION.search(sentence)) for sentence in of_one] for of_one in sentences]
    return any(negated[0][a] != negated[1][b] for a, b in np.argwhere(nearness >= _NEAR).tolist())


def _sentences(chunk: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(chunk) if sentence.strip()]
