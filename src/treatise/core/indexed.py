"""An indexed document."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document, Span
from treatise.core.note import Note
from treatise.core.notebook import tree_html
from treatise.core.spans import Offsets, offsets_of
from treatise.core.tree import DiscourseTree


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Postings of the terms of each unit, for BM25.

    Attributes:
        terms: Sorted 64-bit hashes of the distinct terms. Shape ``(n_terms,)``, uint64.
        starts: First posting of each term, and the number of postings at the end. Shape ``(n_terms + 1,)``, int64.
        units: Unit of each posting, ascending within a term. Shape ``(n_postings,)``, int32.
        counts: Occurrences of the term in that unit. Shape ``(n_postings,)``, uint16.
        lengths: Terms of each unit, with repeats. Shape ``(n_units,)``, int32.
    """

    terms: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    units: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Units clustered by topic, from anywhere in the text: RAPTOR's inner nodes.

    Clusters do not form a tree: they may share units, and belong to several clusters of the layer above.

    Attributes:
        children: Indices of tree nodes, or of earlier clusters, numbered after the tree nodes.
        units: All units below, ascending.
        layer: 1 directly above the units.
    """

    children: tuple[int, ...]
    units: tuple[int, ...]
    layer: int


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document with its tree, and columns with one row per unit or node.

    Attributes:
        document: The text and its outer structure.
        units: The leaves as spans of the text, in order, stripped of whitespace.
        tree: The tree over these units.
        vectors: One L2-normalised row per node of the tree, then one per cluster. Shape ``(n_nodes, dim)``, float16;
            float32, with the same values, in the cache.
        lexicon: Terms of the units.
        notes: The text of each node and cluster; empty if the recipe has no texts for inner nodes.
        clusters: RAPTOR's clusters, each after its children.
    """

    document: Document
    units: Sequence[Span]
    tree: DiscourseTree
    vectors: npt.NDArray[np.float16] | npt.NDArray[np.float32]
    lexicon: Lexicon
    notes: tuple[Note, ...] = ()
    clusters: tuple[Cluster, ...] = ()

    @property
    def offsets(self) -> tuple[Offsets, Offsets]:
        """The starts and the ends of the units. Each has shape ``(n_units,)``."""
        return offsets_of(self.units)

    def _repr_html_(self) -> str:
        return tree_html(self.tree, lambda unit: self.document.quote(self.units[unit].start, self.units[unit].end))

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the tree and clusters."""
        return len(self.tree.nodes) + len(self.clusters)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Number of units below each node and cluster; 1 for a unit. Shape ``(n_nodes,)``."""
        start, end = self.tree.ranges.T
        of_clusters = [len(cluster.units) for cluster in self.clusters]
        return np.append(end - start, np.array(of_clusters, dtype=np.int64)).astype(np.int64)

    def units_under(self, node: int) -> npt.NDArray[np.int64]:
        """The units below a node of the tree or a cluster (numbered after the tree nodes), ascending."""
        n_in_tree = len(self.tree.nodes)
        if node >= n_in_tree:
            return np.array(self.clusters[node - n_in_tree].units, dtype=np.int64)
        start, end = self.tree.ranges[node]
        return np.arange(start, end, dtype=np.int64)
