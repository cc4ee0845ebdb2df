"""The rhetorical structure of retrieved chunks: a tree inside each, a directed graph between them (Disco-RAG, 3)."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.document import Span
from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree


class Link(StrEnum):
    """What one chunk does for another: Disco-RAG's twenty relations. Chunks without a link are unrelated."""

    SUPPORTS = "SUPPORTS"
    CONTRADICTS = "CONTRADICTS"
    ELABORATES = "ELABORATES"
    EXEMPLIFIES = "EXEMPLIFIES"
    CAUSES = "CAUSES"
    RESULTS_FROM = "RESULTS_FROM"
    ENABLES = "ENABLES"
    PREVENTS = "PREVENTS"
    PRECEDES = "PRECEDES"
    FOLLOWS = "FOLLOWS"
    SIMULTANEOUS = "SIMULTANEOUS"
    BACKGROUND_FOR = "BACKGROUND_FOR"
    GENERALIZES = "GENERALIZES"
    SPECIFIES = "SPECIFIES"
    COMPARES_WITH = "COMPARES_WITH"
    CONTRASTS_WITH = "CONTRASTS_WITH"
    SUPPLEMENTS = "SUPPLEMENTS"
    REPLACES = "REPLACES"
    MOTIVATES = "MOTIVATES"
    JUSTIFIES = "JUSTIFIES"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrieved passage as planning sees it.

    Attributes:
        text: To the letter.
        language: ISO 639-1 code of its document.
        sentences: Where its sentences stand in ``text``: half-open, ascending, without white space at their ends;
            between them and at the ends stands nothing but white space. The first and the last may be cut.
        document: The document's id; empty where it is not known.
    """

    text: str
    language: str
    sentences: tuple[Span, ...]
    document: str = ""

    def quote(self, span: Span) -> str:
        """The text of a span, to the letter."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, slots=True)
class ChunkTree:
    """The discourse tree of one chunk over its elementary discourse units.

    Attributes:
        units: Where the units stand in the chunk's text: half-open, ascending, without overlap; between them and at
            the ends stands nothing but white space.
        tree: Over those units, one root.
    """

    units: tuple[Span, ...]
    tree: DiscourseTree

    def __post_init__(self) -> None:
        if len(self.units) != self.tree.n_units or len(self.tree.roots) != 1:
            raise TreeError(f"a chunk's tree has one root and {len(self.units)} units, found {self.tree.n_units} units")


@dataclass(frozen=True, slots=True)
class Edge:
    """What chunk ``source`` does for chunk ``target``, both counted from 0.

    Attributes:
        score: How sure, 0 to 1; 1 where whoever said it does not say.
        marker: The connective that says so; empty where the link was inferred.
    """

    source: int
    target: int
    link: Link
    score: float = 1.0
    marker: str = ""


@dataclass(frozen=True, slots=True)
class RhetoricalGraph:
    """Directed links between chunks; a pair without an edge is unrelated.

    Attributes:
        n_chunks: How many chunks there are.
        edges: By source, then target; at most one for an ordered pair, and none from a chunk to itself.
        n_refused: Lines of a model's reply that named no chunk or no relation, joined a chunk to itself, or came twice.
        n_open: Ordered pairs that a model was asked for and did not judge.

    Raises:
        TreeError: Where an edge names no chunk, or edges are out of order or doubled.
    """

    n_chunks: int
    edges: tuple[Edge, ...] = ()
    n_refused: int = 0
    n_open: int = 0

    def __post_init__(self) -> None:
        pairs = [(edge.source, edge.target) for edge in self.edges]
        for source, target in pairs:
            if source == target or not (0 <= source < self.n_chunks and 0 <= target < self.n_chunks):
                raise TreeError(f"an edge joins two of {self.n_chunks} chunks, found {source} to {target}")
        if pairs != sorted(set(pairs)):
            raise TreeError("the edges of a graph come by source and target, each pair once")
