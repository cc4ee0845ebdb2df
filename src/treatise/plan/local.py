"""The rhetorical graph without a language model, from similarity, negation, dates and examples."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from treatise.claims.polarity import Claim, are_of_one_thing, claim_in, is_denied_by
from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats
from treatise.plan.contradiction import contrasts

_RELATED: Final = 0.25  # minimum cosine of two related chunks
_NEAREST: Final = 3  # nearest chunks that a chunk can be linked to
_NEAR: Final = 0.48  # minimum cosine of two sentences, one of which negates the other
_UNSURE: Final = 0.99  # confidence of an edge by rules
_SAME: Final = 0.68  # the same, if one limits the other

_SENTENCE: Final = re.compile(r"[^.!?;。！？；]+[.!?;。！？；]*")
_YEAR: Final = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_EXAMPLE: Final = re.compile(r"\b(?:for example|for instance|such as)\b", re.IGNORECASE)

_Links = tuple[Link, Link]
_AGAINST: Final = (Link.CONTRADICTS, Link.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class LocalRelator:
    """A ``core.ports.Relator`` by rules over an encoder's vectors, contradiction and polarity.

    Two chunks can be related if their vectors are similar. They contradict each other if one of two similar sentences
    negates the other, or if the scorer of :mod:`treatise.plan.contradiction` says so. There are two exceptions. A
    sentence that says that something is *no longer* so replaces the older one. A sentence limited to some cases
    specifies a general one that agrees with it, and contrasts with a general one that denies it. Other links connect a
    chunk with its nearest chunks only, so their number is linear in the number of chunks. A chunk with an earlier first
    year precedes the other; one that gives examples exemplifies the other; the rest supplement each other.

    Attributes:
        encoder: The encoder of chunks and sentences.
    """

    encoder: Encoder

    @property
    def name(self) -> str:
        """Rules and encoder, for caches."""
        return f"local-4 {self.encoder.name}"

    def relate(self, chunks: Sequence[str], pairs: Collection[tuple[int, int]] | None = None) -> RhetoricalGraph:
        """The graph; see ``core.ports.Relator``."""
        sentences = [_sentences(chunk) for chunk in chunks]
        vectors = self.encoder.encode([sentence for of_one in sentences for sentence in of_one])
        edges_of = np.cumsum([0, *map(len, sentences)])
        claims = [[claim_in(sentence) for sentence in of_one] for of_one in sentences]
        rows = [vectors[start:end] for start, end in pairwise(edges_of)]
        found = {(i, j): contrast for i, j, contrast in contrasts(chunks, self.encoder, _RELATED)}
        nearest = _nearest({pair: contrast.cosine for pair, contrast in found.items()}, len(chunks))
        edges: list[Edge] = []
        for (i, j), contrast in found.items():
            nearness = rows[i] @ rows[j].T
            bearing = _denial_in(claims[i], claims[j], nearness)
            if bearing is None:
                bearing = _limit_in(claims[i], claims[j], nearness)
            if bearing is None and contrast.is_contradiction:
                bearing = _AGAINST, contrast.score
            if bearing is None and (i, j) in nearest:
                bearing = _other_links(chunks[i], chunks[j]), contrast.cosine
            if bearing is not None:
                (there, back), score = bearing
                edges += [Edge(i, j, there, score), Edge(j, i, back, score)]
        wanted = (edge for edge in edges if pairs is None or (edge.source, edge.target) in pairs)
        return RhetoricalGraph(len(chunks), tuple(sorted(wanted, key=lambda edge: (edge.source, edge.target))))


def _nearest(cosines: Mapping[tuple[int, int], float], n_chunks: int) -> set[tuple[int, int]]:
    """The pairs ``(i, j)``, ``i < j``, in which one is among the ``_NEAREST`` chunks to the other."""
    pairs: set[tuple[int, int]] = set()
    for chunk in range(n_chunks):
        own = sorted((pair for pair in cosines if chunk in pair), key=lambda pair: -cosines[pair])
        pairs |= set(own[:_NEAREST])
    return pairs


def _denial_in(ones: Sequence[Claim], others: Sequence[Claim], nearness: Floats) -> tuple[_Links, float] | None:
    """The links of the most similar two sentences that negate each other, with their cosine."""
    for cosine, a, b in _near(nearness, _NEAR):
        if is_denied_by(ones[a], others[b]):
            return _denial(ones[a], others[b]), min(cosine, _UNSURE)
    return None


def _limit_in(ones: Sequence[Claim], others: Sequence[Claim], nearness: Floats) -> tuple[_Links, float] | None:
    """The same for two sentences, one of which limits the other."""
    for cosine, a, b in _near(nearness, _SAME):
        if are_of_one_thing(ones[a], others[b]):
            if ones[a].narrows(others[b]):
                return (Link.SPECIFIES, Link.GENERALIZES), min(cosine, _UNSURE)
            if others[b].narrows(ones[a]):
                return (Link.GENERALIZES, Link.SPECIFIES), min(cosine, _UNSURE)
    return None


def _near(nearness: Floats, least: float) -> list[tuple[float, int, int]]:
    """Pairs of sentences with at least that cosine, the most similar first."""
    return sorted(((float(nearness[a, b]), a, b) for a, b in np.argwhere(nearness >= least).tolist()), reverse=True)


def _denial(one: Claim, other: Claim) -> _Links:
    """The links between two sentences that negate each other, in both directions."""
    if one.outdates != other.outdates:
        return (Link.REPLACES, Link.BACKGROUND_FOR) if one.outdates else (Link.BACKGROUND_FOR, Link.REPLACES)
    if not one.narrows(other) and not other.narrows(one):
        return _AGAINST
    general = other if one.narrows(other) else one
    if general.denies:
        return Link.CONTRASTS_WITH, Link.CONTRASTS_WITH
    return (Link.GENERALIZES, Link.SPECIFIES) if general is one else (Link.SPECIFIES, Link.GENERALIZES)


def _other_links(first: str, second: str) -> _Links:
    """The links from the first to the second and back, by dates and examples."""
    here, there = (min(map(int, _YEAR.findall(chunk)), default=0) for chunk in (first, second))
    if here and there and here != there:
        return (Link.PRECEDES, Link.FOLLOWS) if here < there else (Link.FOLLOWS, Link.PRECEDES)
    if _EXAMPLE.search(first):
        return Link.EXEMPLIFIES, Link.GENERALIZES
    if _EXAMPLE.search(second):
        return Link.GENERALIZES, Link.EXEMPLIFIES
    return Link.SUPPLEMENTS, Link.SUPPLEMENTS


def _sentences(chunk: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(chunk) if sentence.strip()]
