"""A document made ready for questions."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document, Span
from treatise.core.note import Note
from treatise.core.tree import DiscourseTree


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Which terms stand in which units, as postings; what BM25 needs.

    Attributes:
        terms: Sorted 64-bit hashes of the distinct terms. Shape ``(n_terms,)``, uint64.
        starts: Where each term's postings begin; one more at the end. Shape ``(n_terms + 1,)``, int64.
        units: Unit of each posting, ascending within a term. Shape ``(n_postings,)``, int32.
        counts: How often the term stands in that unit. Shape ``(n_postings,)``, uint16.
        lengths: Terms of each unit, repeats counted. Shape ``(n_units,)``, int32.
    """

    terms: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    units: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Units that were gathered by what they are about, wherever they stand: RAPTOR's inner nodes.

    Clusters form no tree: one may share units with another, and stand in several of the layer above.

    Attributes:
        children: What was gathered: nodes of the tree by their index, earlier clusters counted on from there.
        units: All units below, ascending.
        layer: 1 over units, and so on up.
    """

    children: tuple[int, ...]
    units: tuple[int, ...]
    layer: int


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document, and beside it one row per unit or node.

    Attributes:
        document: The text and its outer structure.
        units: The leaves as spans of the text, in order; without white space at their ends.
        tree: Over those units.
        vectors: One unit row per node of the tree, then one per cluster. Shape ``(n_nodes, dim)``, float16;
            float32, of the same values, where they are kept at hand for many questions.
        lexicon: Terms of the units.
        notes: The text of each node and cluster, or none at all where the recipe gives inner nodes no text.
        clusters: What is gathered beyond the tree, each after those that it is made of.
    """

    document: Document
    units: tuple[Span, ...]
    tree: DiscourseTree
    vectors: npt.NDArray[np.float16] | npt.NDArray[np.float32]
    lexicon: Lexicon
    notes: tuple[Note, ...] = ()
    clusters: tuple[Cluster, ...] = ()

    @property
    def n_nodes(self) -> int:
        """Nodes of the tree and clusters."""
        return len(self.tree.nodes) + len(self.clusters)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many units stand below each node and cluster; 1 for a unit. Shape ``(n_nodes,)``."""
        start, end = self.tree.ranges.T
        of_clusters = [len(cluster.units) for cluster in self.clusters]
        return np.append(end - start, np.array(of_clusters, dtype=np.int64)).astype(np.int64)

    def units_under(self, node: int) -> npt.NDArray[np.int64]:
        """The units below a node of the tree or, counted on from there, a cluster; ascending."""
        n_in_tree = len(self.tree.nodes)
        if node >= n_in_tree:
            return np.array(self.clusters[node - n_in_tree].units, dtype=np.int64)
        start, end = self.tree.ranges[node]
        return np.arange(start, end, dtype=np.int64)
