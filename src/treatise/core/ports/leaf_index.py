"""The protocol of an index over the leaves of all documents, kept by a database server."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import Lexicon
from treatise.core.vectors import Floats

Keys = npt.NDArray[np.int64]
"""Leaves by number: that of the document times 2³², plus the leaf's place in it."""


@dataclass(frozen=True, slots=True)
class LeafTree:
    """What the scores of a document's nodes follow from, beside those of its leaves. A row is a leaf.

    Attributes:
        ranges: Rows that each node covers, half-open, in post-order. Shape ``(n_nodes, 2)``, int32.
        lengths: Length of the mean of the vectors of each node's rows. Shape ``(n_nodes,)``, float32.
        headings: Row of each row's heading, -1 if absent. Shape ``(n_rows,)``, int32.
        is_guide: Whether a row is a heading or a head of a table. Shape ``(n_rows,)``.
        n_terms: Terms of each row, with repeats. Shape ``(n_rows,)``, int32.
        n_words: Words of each row. Shape ``(n_rows,)``, int32.
        texts: Hash of each row's wording, 0 if it is too short to be a repeat. Shape ``(n_rows,)``, uint64.
    """

    ranges: npt.NDArray[np.int32]
    lengths: Floats
    headings: npt.NDArray[np.int32]
    is_guide: npt.NDArray[np.bool_]
    n_terms: npt.NDArray[np.int32]
    n_words: npt.NDArray[np.int32]
    texts: npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class LeafRows:
    """The leaves of a document.

    Attributes:
        document: Its id.
        vectors: L2-normalised. Shape ``(n_leaves, dim)``.
        headings: The place of each leaf's heading, -1 if absent. Shape ``(n_leaves,)``, int32.
        lexicon: Their terms.
        tree: Its tree; None if the vectors of inner nodes are not the means of their leaves.
    """

    document: str
    vectors: npt.NDArray[Any]
    headings: npt.NDArray[np.int32]
    lexicon: Lexicon
    tree: LeafTree | None


@dataclass(frozen=True, slots=True)
class CoveredDocument:
    """A document of the index.

    Attributes:
        number: Names it within the index.
        id, language: The document's.
        n_leaves: Its leaves.
        n_terms: Terms of its leaves, with repeats.
    """

    number: int
    id: str
    language: str
    n_leaves: int
    n_terms: int


@dataclass(frozen=True, slots=True)
class Postings:
    """The leaves that contain a term, those of a document together.

    Attributes:
        numbers: Of the documents, each once. Shape ``(n_documents,)``, int64.
        sizes: How many leaves each has. Shape ``(n_documents,)``, int64.
        leaves: Places of the leaves in their documents. Shape ``(n_leaves,)``, int32.
        counts: Occurrences of the term in each leaf. Shape ``(n_leaves,)``, uint16.
        lengths: Terms of each leaf, with repeats. Shape ``(n_leaves,)``, int32.
    """

    numbers: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]


class LeafIndex(Protocol):
    """The leaves of the documents that have one kind of index. Every method raises a ``StoreError`` if it fails."""

    def missing(self) -> list[str]:
        """Ids of the store's documents that the index lacks, oldest first."""
        ...

    def update(self, missing: Iterator[LeafRows]) -> None:
        """Adds these documents, and removes those that the store no longer has."""
        ...

    def drop(self) -> None:
        """Removes the index, which ``update`` then makes again."""
        ...

    def documents(self) -> list[CoveredDocument]:
        """The documents of the index that the store still has, oldest first."""
        ...

    def nearest(self, vector: Floats, n: int, among: Collection[int] | None) -> tuple[Keys, Floats]:
        """About ``n`` leaves with the largest products with the vector, and these; ``among`` limits the documents."""
        ...

    def postings(self, term: int) -> Postings:
        """The leaves that contain the term with this hash."""
        ...

    def products(self, vector: Floats, keys: Keys) -> Floats:
        """The products of the vector with these leaves, in their order."""
        ...

    def sample(self, vector: Floats, n: int, among: Collection[int] | None) -> Floats:
        """The products of the vector with about ``n`` leaves, the same ones each time; all if they are fewer."""
        ...

    def openings(self, numbers: Sequence[int], n_leaves: int) -> Mapping[int, Floats]:
        """The directions of the means of the first leaves of these documents, each of length 1."""
        ...

    def of_documents(
        self, vector: Floats, numbers: Sequence[int]
    ) -> Mapping[int, tuple[Floats, npt.NDArray[np.int32]]]:
        """The products of the vector with all leaves of these documents, in order, and the leaves' headings."""
        ...

    def trees(self, numbers: Sequence[int]) -> Mapping[int, LeafTree]:
        """The trees of these documents, as far as they have one."""
        ...
