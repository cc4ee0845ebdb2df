"""RAPTOR's index: clusters of leaves, notes on them, clusters of notes, and so on."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document
from treatise.core.indexed import Cluster, IndexedDocument
from treatise.core.note import Note, Origin, note_key
from treatise.core.ports import Encoder, Progress
from treatise.core.recipe import Indexing
from treatise.core.vectors import Floats
from treatise.core.words import n_tokens
from treatise.enhance import ClusterRequest, write_cluster_notes
from treatise.llm.runner import LlmRunner
from treatise.retrieve import build_lexicon
from treatise.tree import flat, leaf_units
from treatise.tree.raptor import Raptor, cluster


def clustered_document(
    document: Document,
    indexing: Indexing,
    *,
    encoder: Encoder,
    runner: LlmRunner | None,
    progress: Progress | None = None,
) -> IndexedDocument:
    """A document's index by RAPTOR: per layer, clusters of the notes below, a note on each, and the note's vector."""
    units, sizes = leaf_units(document, indexing.units)
    texts = [document.quote(unit.start, unit.end) for unit in units]
    vectors = encoder.encode(texts)
    notes = [Note(text, Origin.LEAF, (i,), note_key(Origin.LEAF, text)) for i, text in enumerate(texts)]
    clusters: list[Cluster] = []
    layer = np.arange(len(texts))
    settings = Raptor()
    for number in range(1, settings.max_layers + 1):
        if settings.is_top(len(layer)):
            break
        groups = cluster(vectors[layer], [n_tokens(notes[node].text) for node in layer], settings)
        made = [_cluster(layer[group], number, clusters, len(texts)) for group in groups]
        requests = [_request(one, notes, vectors) for one in made]
        notes += write_cluster_notes(requests, texts, indexing.notes, runner, progress)
        layer = np.arange(len(notes) - len(made), len(notes))
        vectors = np.concatenate([vectors, encoder.encode([notes[node].text for node in layer])])
        clusters += made
    tree, lexicon, kept = flat(sum(sizes)), build_lexicon(texts, document.language), vectors.astype(np.float16)
    return IndexedDocument(document, tuple(units), tree, kept, lexicon, tuple(notes), tuple(clusters))


def _cluster(members: npt.NDArray[np.int64], layer: int, below: Sequence[Cluster], n_leaves: int) -> Cluster:
    """The cluster of these leaves or clusters of the layer below."""
    units: set[int] = set()
    for node in members.tolist():
        units.update((node,) if node < n_leaves else below[node - n_leaves].units)
    return Cluster(tuple(members.tolist()), tuple(sorted(units)), layer)


def _request(one: Cluster, notes: Sequence[Note], vectors: Floats) -> ClusterRequest:
    centre = vectors[list(one.children)].mean(axis=0)
    order = np.argsort(-(vectors[list(one.units)] @ centre), kind="stable")
    return ClusterRequest([notes[node] for node in one.children], one.units, [one.units[i] for i in order])
