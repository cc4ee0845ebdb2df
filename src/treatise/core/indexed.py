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
class IndexedDocument:
    """A document, and beside it one row per unit or node.

    Attributes:
        document: The text and its outer structure.
        units: The leaves as spans of the text, in order; without white space at their ends.
        tree: Over those units.
        vectors: One unit row per node of the tree. Shape ``(n_nodes, dim)``, float16.
        lexicon: Terms of the units.
        notes: The text of each node, or none at all where the recipe gives inner nodes no text.
    """

    document: Document
    units: tuple[Span, ...]
    tree: DiscourseTree
    vectors: npt.NDArray[np.float16]
    lexicon: Lexicon
    notes: tuple[Note, ...] = ()
