"""The rhetorical structure of retrieved chunks: a tree inside each, a directed graph between them (Disco-RAG, 3)."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.document import Span
from treatise.core.errors import TreeError
from treatise.core.notebook import graph_html, graph_markdown
from treatise.core.tree import DiscourseTree


class Link(StrEnum):
    """Relations between chunks: the twenty of Disco-RAG. Chunks without a link are unrelated."""

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
    """A retrieved passage, as input of planning.

    Attributes:
        text: The exact text.
        language: ISO 639-1 code of its document.
        sentences: Spans of its sentences in ``text``, ascending, stripped of whitespace; only whitespace lies outside
            them. The first and the last may be truncated.
        document: The document's id; empty if unknown.
    """

    text: str
    language: str
    sentences: tuple[Span, ...]
    document: str = ""

    def quote(self, span: Span) -> str:
        """The exact text of a span."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, slots=True)
class ChunkTree:
    """The discourse tree of one chunk over its elementary discourse units.

    Attributes:
        units: Spans of the units in the chunk's text, ascending, without overlap; only whitespace lies outside them.
        tree: Over those units, one root.
    """

    units: tuple[Span, ...]
    tree: DiscourseTree

    def __post_init__(self) -> None:
        if len(self.units) != self.tree.n_units or len(self.tree.roots) != 1:
            n_units = len(self.units)
            raise TreeError(f"a chunk's tree needs one root and {n_units} units, found {self.tree.n_units} units")


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation from chunk ``source`` to chunk ``target``, both counted from 0.

    Attributes:
        score: Confidence, 0 to 1; 1 if not reported.
        marker: The connective that signals it; empty if the link was inferred.
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
        n_chunks: Number of chunks.
        edges: Sorted by source, then target; at most one per ordered pair, none from a chunk to itself.
        n_refused: Lines of a model's reply without a valid chunk or relation, or that were repeated.
        n_open: Ordered pairs that a model left unjudged.

    Raises:
        TreeError: If an edge names an unknown chunk, or edges are out of order or repeated.
    """

    n_chunks: int
    edges: tuple[Edge, ...] = ()
    n_refused: int = 0
    n_open: int = 0

    def __post_init__(self) -> None:
        pairs = [(edge.source, edge.target) for edge in self.edges]
        for source, target in pairs:
            if source == target or not (0 <= source < self.n_chunks and 0 <= target < self.n_chunks):
                raise TreeError(f"an edge must join two of {self.n_chunks} chunks, found {source} to {target}")
        if pairs != sorted(set(pairs)):
            raise TreeError("the edges of a graph must be sorted by source and target, without repeated pairs")

    def _repr_html_(self) -> str:
        return graph_html(self)

    def _repr_markdown_(self) -> str:
        return graph_markdown(self)
