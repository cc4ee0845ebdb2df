"""Documents to indexes: here the stages from leaves to vectors meet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document, Span
from treatise.core.indexed import Cluster, IndexedDocument
from treatise.core.note import Note, Origin, note_key
from treatise.core.ports import Encoder, Parser, Progress, TokenCounter
from treatise.core.recipe import (
    Balanced,
    Bisection,
    Clusters,
    Discourse,
    EncodedNotes,
    Flat,
    Indexing,
    QuotedLeaves,
    RandomSplits,
    RightBranching,
    Sections,
    Summaries,
    TreeShape,
)
from treatise.core.tree import DiscourseTree, concatenate, splice
from treatise.core.vectors import Floats
from treatise.core.words import n_tokens, n_words
from treatise.embed import encoded_vectors, leaf_vectors, node_vectors, quoted_vectors, search_texts
from treatise.enhance import ClusterRequest, NoteRequest, write_cluster_notes, write_notes
from treatise.llm.runner import LlmRunner
from treatise.pipeline.sections import open_sectioner, passages, units_in_sections
from treatise.retrieve import build_lexicon
from treatise.tree import (
    balanced,
    bisection,
    flat,
    leaf_units,
    random_splits,
    right_branching,
    section_sizes,
    section_tree,
)
from treatise.tree.raptor import Raptor, cluster

ProgressCallback = Callable[[str, int, int], None]
"""Called as ``progress(stage, done, total)``."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A document with its leaves, its tree and its notes: an index but for the vectors.

    Attributes:
        document: What it is of.
        units: The leaves as spans.
        tree: Over the units.
        notes: One a node, or none at all; see ``IndexedDocument``.
        vectors: Of the units, where they were needed to build the tree.
    """

    document: Document
    units: tuple[Span, ...]
    tree: DiscourseTree
    notes: tuple[Note, ...]
    vectors: Floats | None = None


def index_documents(
    documents: Sequence[Document],
    indexing: Indexing,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    writer: LlmRunner | None = None,
    progress: ProgressCallback | None = None,
) -> list[IndexedDocument]:
    """The documents with their units, trees, notes, node vectors and lexicons. Nothing is stored.

    Equal arguments give equal bytes, together or one by one. ``parser`` is needed for discourse trees only; without a
    ``writer`` nucleus text stands where a recipe's notes are written by a language model.
    """
    if isinstance(indexing.tree, Clusters):
        report = stage(progress, "write notes")
        return [clustered_document(one, indexing, encoder=encoder, writer=writer, progress=report) for one in documents]
    drafts = draft_documents(documents, indexing, parser=parser, writer=writer, progress=progress, encoder=encoder)
    return [_encoded(draft, indexing, encoder, progress) for draft in drafts]


def index_document(
    document: Document,
    indexing: Indexing,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    writer: LlmRunner | None = None,
    progress: ProgressCallback | None = None,
) -> IndexedDocument:
    """One document's index; see :func:`index_documents`."""
    (indexed,) = index_documents([document], indexing, encoder=encoder, parser=parser, writer=writer, progress=progress)
    return indexed


def draft_documents(
    documents: Sequence[Document],
    indexing: Indexing,
    *,
    parser: Parser | None = None,
    writer: LlmRunner | None = None,
    progress: ProgressCallback | None = None,
    encoder: Encoder | None = None,
) -> list[Draft]:
    """The documents' leaves, trees and notes; calls of a language model go out in waves over all of them.

    An ``encoder`` is needed for themes found by cohesion, and to count the tokens of chunks: without one themes are of
    equal length, enough to count notes, and tokens are estimated.
    """
    counter = encoder if isinstance(encoder, TokenCounter) else None
    leaves = [leaf_units(document, indexing.units, counter) for document in documents]
    if isinstance(indexing.tree, Sections):
        return _section_drafts(documents, leaves, (indexing, indexing.tree), (parser, writer, encoder), progress)
    has_notes = indexing.notes.summaries is not Summaries.NONE
    if has_notes and isinstance(indexing.tree, Discourse):
        return _two_phases(documents, leaves, indexing, _needed(parser), writer, stage(progress, "write notes"))
    report = stage(progress, "parse")
    trees = [
        _tree(document, indexing.tree, sizes, parser, report)
        for document, (_, sizes) in zip(documents, leaves, strict=True)
    ]
    notes: Sequence[tuple[Note, ...]] = [()] * len(trees)
    if has_notes:
        texts = _texts(documents, leaves)
        unwritten = [NoteRequest(tree, of_units) for tree, of_units in zip(trees, texts, strict=True)]
        notes = write_notes(unwritten, indexing.notes, writer, stage(progress, "write notes"))
    drafts = zip(documents, leaves, trees, notes, strict=True)
    return [Draft(document, tuple(units), tree, of_nodes) for document, (units, _), tree, of_nodes in drafts]


def clustered_document(
    document: Document,
    indexing: Indexing,
    *,
    encoder: Encoder,
    writer: LlmRunner | None,
    progress: Progress | None = None,
) -> IndexedDocument:
    """RAPTOR: layer by layer, clusters of the notes below, a note on each, and its vector for the next layer."""
    units, sizes = leaf_units(document, indexing.units)
    texts = [document.quote(unit.start, unit.end) for unit in units]
    vectors = encoder.encode(texts)
    tree = flat(sum(sizes))
    notes = [Note(text, Origin.LEAF, (i,), note_key(Origin.LEAF, text)) for i, text in enumerate(texts)]
    clusters: list[Cluster] = []
    layer = np.arange(len(texts))
    settings = Raptor()
    for number in range(1, settings.max_layers + 1):
        if settings.is_top(len(layer)):
            break
        groups = cluster(vectors[layer], [n_tokens(notes[node].text) for node in layer], settings)
        made = [_cluster(layer[group], number, clusters, len(texts)) for group in groups]
        gathered = [_gathered(one, notes, vectors) for one in made]
        notes += write_cluster_notes(gathered, texts, indexing.notes, writer, progress)
        layer = np.arange(len(notes) - len(made), len(notes))
        vectors = np.concatenate([vectors, encoder.encode([notes[node].text for node in layer])])
        clusters += made
    lexicon = build_lexicon(texts, document.language)
    return IndexedDocument(
        document, tuple(units), tree, vectors.astype(np.float16), lexicon, tuple(notes), tuple(clusters)
    )


def _cluster(members: npt.NDArray[np.int64], layer: int, below: Sequence[Cluster], n_leaves: int) -> Cluster:
    """The cluster of these nodes, leaves or clusters of the layer below."""
    units: set[int] = set()
    for node in members.tolist():
        units.update((node,) if node < n_leaves else below[node - n_leaves].units)
    return Cluster(tuple(members.tolist()), tuple(sorted(units)), layer)


def _gathered(one: Cluster, notes: Sequence[Note], vectors: Floats) -> ClusterRequest:
    middle = vectors[list(one.children)].mean(axis=0)
    order = np.argsort(-(vectors[list(one.units)] @ middle), kind="stable")
    return ClusterRequest([notes[node] for node in one.children], one.units, [one.units[i] for i in order])


def stage(progress: ProgressCallback | None, name: str) -> Progress | None:
    """The progress of one stage, reported under its name."""
    return None if progress is None else lambda done, total: progress(name, done, total)


def _two_phases(
    documents: Sequence[Document],
    leaves: Sequence[tuple[list[Span], list[int]]],
    indexing: Indexing,
    parser: Parser,
    writer: LlmRunner | None,
    progress: Progress | None,
) -> list[Draft]:
    """Construction as in the paper (section 3.1.2): paragraph trees and their notes, a tree over the notes of the
    paragraphs' roots, its nodes' notes, and the paragraph trees in the places of its leaves (equation 2).
    """
    texts = _texts(documents, leaves)
    languages = [document.language for document in documents]
    paragraphs = [
        parser.parse_runs(_split(of_units, sizes), language)
        for of_units, (_, sizes), language in zip(texts, leaves, languages, strict=True)
    ]
    forests = [concatenate(trees) for trees in paragraphs]
    unwritten = [NoteRequest(forest, of_units) for forest, of_units in zip(forests, texts, strict=True)]
    lower = write_notes(unwritten, indexing.notes, writer, progress)
    roots = [[notes[root].text for root in forest.roots] for forest, notes in zip(forests, lower, strict=True)]
    uppers = [parser.parse_runs([run], language)[0] for run, language in zip(roots, languages, strict=True)]
    trees = [splice(upper, parts) for upper, parts in zip(uppers, paragraphs, strict=True)]
    unwritten = [
        NoteRequest(tree, of_units, dict(zip(_within(tree, parts), notes, strict=True)))
        for tree, of_units, parts, notes in zip(trees, texts, paragraphs, lower, strict=True)
    ]
    whole = write_notes(unwritten, indexing.notes, writer, progress)
    drafts = zip(documents, leaves, trees, whole, strict=True)
    return [Draft(document, tuple(units), tree, notes) for document, (units, _), tree, notes in drafts]


def _section_drafts(
    documents: Sequence[Document],
    leaves: Sequence[tuple[list[Span], list[int]]],
    settings: tuple[Indexing, Sections],
    engines: tuple[Parser | None, LlmRunner | None, Encoder | None],
    progress: ProgressCallback | None,
) -> list[Draft]:
    """Section trees (HTSIR, Algorithm 1); ``engines`` are parser, writer and encoder."""
    indexing, shape = settings
    parser, writer, encoder = engines
    report = stage(progress, "write notes")
    sectioner = open_sectioner(shape, parser=parser, writer=writer, progress=report)
    drafts: list[Draft] = []
    for document, (units, sizes) in zip(documents, leaves, strict=True):
        vectors = _leaf_vectors(document, units, indexing, encoder, progress) if encoder else None
        n_units = units_in_sections(document, units, sizes, settings=shape, sectioner=sectioner, vectors=vectors)
        lengths = [n_words(document.quote(unit.start, unit.end)) for unit in units]
        drafts.append(Draft(document, tuple(units), section_tree(lengths, n_units, shape), (), vectors))
    if indexing.notes.summaries is Summaries.NONE:
        return drafts
    texts = _texts(documents, leaves)
    unwritten = []
    for one, of_units in zip(drafts, texts, strict=True):
        known = passages(one.document, one.units, of_units, one.tree, indexing.notes)
        unwritten.append(NoteRequest(one.tree, of_units, known, from_text=True))
    notes = write_notes(unwritten, indexing.notes, writer, report)
    return [replace(one, notes=of_nodes) for one, of_nodes in zip(drafts, notes, strict=True)]


def _leaf_vectors(
    document: Document, units: Sequence[Span], indexing: Indexing, encoder: Encoder, progress: ProgressCallback | None
) -> Floats:
    return leaf_vectors(
        document,
        units,
        encoder=encoder,
        context_weight=indexing.context_weight,
        progress=stage(progress, "encode"),
    )


def _within(tree: DiscourseTree, parts: Sequence[DiscourseTree]) -> list[int]:
    """The nodes that stand within one part, in order: those of the parts one after another."""
    part_of = np.repeat(np.arange(len(parts)), [part.n_units for part in parts])
    inside = part_of[tree.ranges[:, 0]] == part_of[tree.ranges[:, 1] - 1]
    # A part is one run of nodes that ends with its root; what covers no more than a part but stands above is not there,
    # since every inner node of an upper tree joins at least two parts.
    return [int(node) for node in np.flatnonzero(inside)]


def _texts(documents: Sequence[Document], leaves: Sequence[tuple[list[Span], list[int]]]) -> list[list[str]]:
    return [
        [document.quote(unit.start, unit.end) for unit in units]
        for document, (units, _) in zip(documents, leaves, strict=True)
    ]


def _split(texts: Sequence[str], sizes: Sequence[int]) -> list[Sequence[str]]:
    """Runs of these sizes; empty ones are left out."""
    edges = [0, *accumulate(sizes)]
    return [texts[end - size : end] for size, end in zip(sizes, edges[1:], strict=True) if size]


def _tree(
    document: Document, shape: TreeShape, sizes: Sequence[int], parser: Parser | None, progress: Progress | None
) -> DiscourseTree:
    match shape:
        case Flat() | Clusters():
            return flat(sum(sizes))
        case Balanced():
            return balanced(sizes, section_sizes(document))
        case Bisection():
            return bisection(sum(sizes))
        case RandomSplits():
            return random_splits(sizes, seed=0, sections=section_sizes(document))
        case RightBranching():
            return right_branching(sizes, section_sizes(document))
        case Discourse():
            return _needed(parser).parse(document, progress)
        case Sections():
            raise ValueError("section trees are drafted apart")


def _needed(parser: Parser | None) -> Parser:
    if parser is None:
        raise ValueError("a discourse tree needs a parser")
    return parser


def _encoded(draft: Draft, indexing: Indexing, encoder: Encoder, progress: ProgressCallback | None) -> IndexedDocument:
    document, tree, leaves = draft.document, draft.tree, draft.vectors
    if leaves is None:
        leaves = _leaf_vectors(document, draft.units, indexing, encoder, progress)
    leaves = leaves.astype(np.float16).astype(np.float32)  # as kept: pooling them again after an edit gives equal bytes
    report = stage(progress, "encode")
    if isinstance(indexing.node_vectors, EncodedNotes):
        texts = [note.text for note in draft.notes]
        vectors = encoded_vectors(tree, leaves, texts, encoder=encoder, progress=report)
    elif isinstance(indexing.node_vectors, QuotedLeaves):
        lengths = [n_words(document.quote(unit.start, unit.end)) for unit in draft.units]
        vectors = quoted_vectors(tree, leaves, draft.notes, lengths, encoder=encoder, progress=report)
    else:
        vectors = node_vectors(
            tree,
            leaves,
            nucleus_weight=indexing.node_vectors.nucleus_weight,
            satellite_weights=dict(indexing.node_vectors.satellite_weights),
        )
    lexicon = build_lexicon(search_texts(document, draft.units), document.language)
    return IndexedDocument(document, draft.units, tree, vectors, lexicon, draft.notes)
