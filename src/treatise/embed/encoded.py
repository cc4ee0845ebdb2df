"""Vectors of inner nodes from their notes, as in the paper; each note is encoded."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treatise.core.note import EXTRACTS, Note
from treatise.core.ports import Encoder, Progress
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats, unit_rows


def encoded_vectors(
    tree: DiscourseTree, leaves: Floats, texts: Sequence[str], *, encoder: Encoder, progress: Progress | None = None
) -> npt.NDArray[np.float16]:
    """Vectors of all nodes: for a leaf its row of ``leaves``, for an inner node that of its text.

    Shape ``(n_nodes, dim)``, rows L2-normalised. ``texts`` has one entry per node; those of leaves are not read.
    """
    vectors = np.empty((len(tree.nodes), leaves.shape[1]), dtype=np.float16)
    vectors[tree.leaf_nodes] = leaves
    inner = np.flatnonzero(tree.heights).tolist()
    vectors[inner] = encoder.encode([texts[node] for node in inner], progress)
    return vectors


def quoted_vectors(
    tree: DiscourseTree,
    leaves: Floats,
    notes: Sequence[Note],
    lengths: Sequence[int],
    *,
    encoder: Encoder,
    progress: Progress | None = None,
) -> npt.NDArray[np.float16]:
    """Vectors of all nodes: for an extract the length-weighted mean of the units that it quotes, else that of its text.

    Shape ``(n_nodes, dim)``, rows L2-normalised. Encoding the extract itself with a mean-pooling encoder would give
    nearly the same vector at the cost of reading the text again.
    """
    weights = np.maximum(np.array(lengths, dtype=np.float32), 1)
    written = [node for node, note in enumerate(notes) if note.origin not in EXTRACTS]
    vectors = np.empty((len(tree.nodes), leaves.shape[1]), dtype=np.float16)
    for node, note in enumerate(notes):
        if note.origin in EXTRACTS:
            units = list(note.units)
            vectors[node] = unit_rows((weights[units] @ leaves[units])[None])[0]
    if written:
        vectors[written] = encoder.encode([notes[node].text for node in written], progress)
    vectors[tree.leaf_nodes] = leaves
    return vectors
