"""The trees of an index over all documents as bytes: the arrays in turn, little-endian."""

from dataclasses import fields

import numpy as np
import numpy.typing as npt

from treatise.core.ports.leaf_index import LeafTree

_OF_NODES = {"ranges": np.dtype("<i4"), "lengths": np.dtype("<f4")}
_OF_ROWS = {
    "headings": np.dtype("<i4"),
    "is_guide": np.dtype("?"),
    "n_terms": np.dtype("<i4"),
    "n_words": np.dtype("<i4"),
    "texts": np.dtype("<u8"),
}
_BYTES_OF_A_NODE = 2 * _OF_NODES["ranges"].itemsize + _OF_NODES["lengths"].itemsize
_BYTES_OF_A_ROW = sum(kind.itemsize for kind in _OF_ROWS.values())


def bytes_of(tree: LeafTree) -> bytes:
    """The arrays of a tree, in the order of its fields."""
    kinds = _OF_NODES | _OF_ROWS
    return b"".join(getattr(tree, field.name).astype(kinds[field.name]).tobytes() for field in fields(tree))


def tree_of(stored: bytes, n_rows: int) -> LeafTree:
    """The inverse of ``bytes_of``."""
    n_nodes = (len(stored) - n_rows * _BYTES_OF_A_ROW) // _BYTES_OF_A_NODE
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    at = 0
    for name, kind in (_OF_NODES | _OF_ROWS).items():
        n = n_rows if name in _OF_ROWS else n_nodes * (2 if name == "ranges" else 1)
        arrays[name] = np.frombuffer(stored, kind, n, at)
        at += n * kind.itemsize
    ranges = arrays.pop("ranges").reshape(-1, 2)
    return LeafTree(ranges, **arrays)  # type: ignore[arg-type]  # each has the type of its field
