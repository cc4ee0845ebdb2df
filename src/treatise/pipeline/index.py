"""Indexes documents: leaves, trees, notes, vectors and lexicons."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Parser, Progress
from treatise.core.recipe import Clusters, EncodedNotes, Indexing, QuotedLeaves
from treatise.core.vectors import Floats
from treatise.core.words import n_words
from treatise.embed import encoded_vectors, node_vectors, quoted_vectors, search_texts
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index_drafts import Draft, draft_documents, encoded_leaves
from treatise.pipeline.progress import ProgressCallback, stage
from treatise.pipeline.raptor_index import clustered_document
from treatise.retrieve import build_lexicon


def index_documents(
    documents: Sequence[Document],
    indexing: Indexing,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    runner: LlmRunner | None = None,
    progress: ProgressCallback | None = None,
) -> list[IndexedDocument]:
    """The documents with their units, trees, notes, node vectors and lexicons. Nothing is stored.

    Equal arguments give equal bytes, together or one by one. ``parser`` is needed for discourse trees only. Without a
    ``runner``, nucleus text replaces notes that a language model would write.
    """
    if isinstance(indexing.tree, Clusters):
        report = stage(progress, "write notes")
        return [clustered_document(one, indexing, encoder=encoder, runner=runner, progress=report) for one in documents]
    drafts = draft_documents(documents, indexing, parser=parser, runner=runner, encoder=encoder, progress=progress)
    return [_encoded(draft, indexing, encoder, progress) for draft in drafts]


def index_document(
    document: Document,
    indexing: Indexing,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    runner: LlmRunner | None = None,
    progress: ProgressCallback | None = None,
) -> IndexedDocument:
    """One document's index; see :func:`index_documents`."""
    (indexed,) = index_documents([document], indexing, encoder=encoder, parser=parser, runner=runner, progress=progress)
    return indexed


def _encoded(draft: Draft, indexing: Indexing, encoder: Encoder, progress: ProgressCallback | None) -> IndexedDocument:
    document, leaves = draft.document, draft.vectors
    if leaves is None:
        leaves = encoded_leaves(document, draft.units, indexing, encoder, progress)
    leaves = leaves.astype(np.float16).astype(np.float32)  # as stored: pooling again after an edit gives equal bytes
    vectors = _node_vectors(draft, leaves, indexing, encoder, stage(progress, "encode"))
    texts = search_texts(document, draft.units, stage(progress, "read words"))
    lexicon = build_lexicon(texts, document.language)
    return IndexedDocument(document, draft.units, draft.tree, vectors, lexicon, draft.notes)


def _node_vectors(
    draft: Draft, leaves: Floats, indexing: Indexing, encoder: Encoder, progress: Progress | None
) -> npt.NDArray[np.float16]:
    pooling = indexing.node_vectors
    if isinstance(pooling, EncodedNotes):
        texts = [note.text for note in draft.notes]
        return encoded_vectors(draft.tree, leaves, texts, encoder=encoder, progress=progress)
    if isinstance(pooling, QuotedLeaves):
        lengths = [n_words(draft.document.quote(unit.start, unit.end)) for unit in draft.units]
        return quoted_vectors(draft.tree, leaves, draft.notes, lengths, encoder=encoder, progress=progress)
    weights = dict(pooling.satellite_weights)
    return node_vectors(draft.tree, leaves, nucleus_weight=pooling.nucleus_weight, satellite_weights=weights)
