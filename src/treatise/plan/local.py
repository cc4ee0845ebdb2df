"""The rhetorical graph without a language model: what nearness, numbers, negation and dates of two chunks say."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats

_RELATED: Final = 0.4  # cosine of two chunks from which on they have to do with each other
_ABOUT_THE_SAME: Final = 0.6  # cosine of two sentences that can contradict each other

_SENTENCE: Final = re.compile(r"[^.!?。！？]+[.!?。！？]*")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_NEGATION: Final = re.compile(
    r"\b(?:not?|never|none|neither|nor|cannot|without|\w+n['’]t)\b|没有|并非|不是|不", re.IGNORECASE
)
_EXAMPLE: Final = re.compile(r"\b(?:for example|for instance|such as)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LocalRelator:
    """``core.ports.Relator`` by rules over an encoder's vectors.

    Two chunks are related where their vectors are near. Then: sentences about the same that differ in negation or in
    their numbers contradict; a chunk whose earliest year is before the other's precedes it; one that gives examples
    exemplifies; what is left supplements.

    Attributes:
        encoder: Makes the vectors.
    """

    encoder: Encoder

    @property
    def name(self) -> str:
        """Rules and encoder."""
        return f"local-1 {self.encoder.name}"

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        if len(chunks) < 2:
            return RhetoricalGraph(len(chunks))
        sentences = [_sentences(chunk) for chunk in chunks]
        vectors = self.encoder.encode([*chunks, *(sentence for of_one in sentences for sentence in of_one)])
        of_chunks, rest = vectors[: len(chunks)], vectors[len(chunks) :]
        rows: list[Floats] = []
        for of_one in sentences:
            rows.append(rest[: len(of_one)])
            rest = rest[len(of_one) :]
        edges: list[Edge] = []
        for i in range(len(chunks)):
            for j in range(i + 1, len(chunks)):
                nearness = float(of_chunks[i] @ of_chunks[j])
                if nearness >= _RELATED:
                    there, back = _links((chunks[i], chunks[j]), (sentences[i], sentences[j]), rows[i] @ rows[j].T)
                    score = max(0.0, min(1.0, nearness))
                    edges += [Edge(i, j, there, score), Edge(j, i, back, score)]
        wanted = (edge for edge in edges if pairs is None or (edge.source, edge.target) in pairs)
        return RhetoricalGraph(len(chunks), tuple(sorted(wanted, key=lambda edge: (edge.source, edge.target))))


def _links(chunks: tuple[str, str], sentences: tuple[list[str], list[str]], nearness: Floats) -> tuple[Link, Link]:
    """What the first does for the second, and the second for the first."""
    for a, one in enumerate(sentences[0]):
        for b, other in enumerate(sentences[1]):
            if nearness[a, b] >= _ABOUT_THE_SAME and _contradict(one, other):
                return Link.CONTRADICTS, Link.CONTRADICTS
    first, second = (min(map(int, _YEAR.findall(chunk)), default=0) for chunk in chunks)
    if first and second and first != second:
        return (Link.PRECEDES, Link.FOLLOWS) if first < second else (Link.FOLLOWS, Link.PRECEDES)
    if _EXAMPLE.search(chunks[0]):
        return Link.EXEMPLIFIES, Link.GENERALIZES
    if _EXAMPLE.search(chunks[1]):
        return Link.GENERALIZES, Link.EXEMPLIFIES
    return Link.SUPPLEMENTS, Link.SUPPLEMENTS


def _contradict(one: str, other: str) -> bool:
    """Negation on one side alone; or numbers on both sides, and none in common, years aside."""
    if bool(_NEGATION.search(one)) != bool(_NEGATION.search(other)):
        return True
    numbers = [set(_NUMBER.findall(_YEAR.sub("", text))) for text in (one, other)]
    return all(numbers) and not numbers[0] & numbers[1]


def _sentences(chunk: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(chunk) if sentence.strip()]
