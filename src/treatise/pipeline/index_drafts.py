"""Drafts of indexes: leaves, tree and notes, without vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from treatise.core.document import Document, Span
from treatise.core.note import Note
from treatise.core.ports import Encoder, Parser, Progress, TokenCounter
from treatise.core.recipe import (
    Balanced,
    Bisection,
    Clusters,
    Discourse,
    Flat,
    Indexing,
    RandomSplits,
    RightBranching,
    Sections,
    Summaries,
    TreeShape,
)
from treatise.core.tree import DiscourseTree, concatenate, splice
from treatise.core.vectors import Floats
from treatise.core.words import n_words
from treatise.embed import leaf_vectors
from treatise.enhance import NoteRequest, write_notes
from treatise.llm.runner import LlmRunner
from treatise.pipeline.progress import ProgressCallback, stage
from treatise.pipeline.sections import open_sectioner, passages, units_in_sections
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


@dataclass(frozen=True, slots=True)
class Draft:
    """A document with its leaves, its tree and its notes: an index without vectors.

    Attributes:
        document: The document.
        units: The leaves as spans.
        tree: Over the units.
        notes: One per node, or empty; see ``IndexedDocument``.
        vectors: Vectors of the units, if needed to build the tree.
    """

    document: Document
    units: tuple[Span, ...]
    tree: DiscourseTree
    notes: tuple[Note, ...]
    vectors: Floats | None = None


@dataclass(frozen=True, slots=True)
class Drafting:
    """Settings and engines of drafts.

    Attributes:
        indexing: The recipe's indexing part.
        parser: Needed for discourse trees.
        runner: Calls the language model; without one, nucleus text replaces notes.
        encoder: Needed for themes found by cohesion, and to count the tokens of chunks. Without one, sections have
            equal lengths, which is enough to count notes, and tokens are estimated.
        progress: Called with the stage and how far it is.
    """

    indexing: Indexing
    parser: Parser | None = None
    runner: LlmRunner | None = None
    encoder: Encoder | None = None
    progress: ProgressCallback | None = None

    @property
    def has_notes(self) -> bool:
        """Whether inner nodes have notes."""
        return self.indexing.notes.summaries is not Summaries.NONE

    @property
    def needed_parser(self) -> Parser:
        """The parser. Raises ``ValueError`` if there is none."""
        if self.parser is None:
            raise ValueError("a discourse tree needs a parser")
        return self.parser

    def stage(self, name: str) -> Progress | None:
        """The progress of one stage."""
        return stage(self.progress, name)

    def leaves(self, document: Document) -> "Leaves":
        """The document's leaves."""
        counter = self.encoder if isinstance(self.encoder, TokenCounter) else None
        return Leaves(document, *leaf_units(document, self.indexing.units, counter))

    def write_notes(self, requests: Sequence[NoteRequest]) -> list[tuple[Note, ...]]:
        """The notes of trees; calls are sent in waves over all trees."""
        return list(write_notes(requests, self.indexing.notes, self.runner, self.stage("write notes")))


@dataclass(frozen=True)
class Leaves:
    """A document's leaves.

    Attributes:
        document: The document.
        units: The leaves as spans.
        sizes: How many of them each paragraph has.
    """

    document: Document
    units: list[Span]
    sizes: list[int]

    @cached_property
    def texts(self) -> list[str]:
        """The units' texts."""
        return [self.document.quote(unit.start, unit.end) for unit in self.units]

    @property
    def paragraphs(self) -> list[Sequence[str]]:
        """The units' texts by paragraph; empty paragraphs are left out."""
        edges = [0, *accumulate(self.sizes)]
        return [self.texts[end - size : end] for size, end in zip(self.sizes, edges[1:], strict=True) if size]

    def draft(self, tree: DiscourseTree, vectors: Floats | None = None) -> Draft:
        """The draft with this tree over the leaves."""
        return Draft(self.document, tuple(self.units), tree, (), vectors)


def draft_documents(
    documents: Sequence[Document],
    indexing: Indexing,
    *,
    parser: Parser | None = None,
    runner: LlmRunner | None = None,
    encoder: Encoder | None = None,
    progress: ProgressCallback | None = None,
) -> list[Draft]:
    """The documents' leaves, trees and notes; calls of a language model are sent in waves over all documents.

    The arguments are those of ``Drafting``.
    """
    drafting = Drafting(indexing, parser, runner, encoder, progress)
    leaves = [drafting.leaves(document) for document in documents]
    if isinstance(indexing.tree, Sections):
        return _section_drafts(leaves, indexing.tree, drafting)
    if drafting.has_notes and isinstance(indexing.tree, Discourse):
        return _two_phases(leaves, drafting)
    report = drafting.stage("parse")
    drafts = [one.draft(_tree(one, indexing.tree, drafting, report)) for one in leaves]
    if not drafting.has_notes:
        return drafts
    requests = [NoteRequest(draft.tree, one.texts) for draft, one in zip(drafts, leaves, strict=True)]
    return _with_notes(drafts, drafting.write_notes(requests))


def encoded_leaves(
    document: Document,
    units: Sequence[Span],
    indexing: Indexing,
    encoder: Encoder,
    progress: ProgressCallback | None,
) -> Floats:
    """The vectors of the units, in the context set by the recipe."""
    return leaf_vectors(
        document,
        units,
        encoder=encoder,
        context_weight=indexing.context_weight,
        progress=stage(progress, "encode"),
        row_progress=stage(progress, "read cells"),
    )


def _with_notes(drafts: Sequence[Draft], notes: Sequence[tuple[Note, ...]]) -> list[Draft]:
    return [replace(one, notes=of_nodes) for one, of_nodes in zip(drafts, notes, strict=True)]


def _two_phases(leaves: Sequence[Leaves], drafting: Drafting) -> list[Draft]:
    """Construction as in DISRetrieval (section 3.1.2): paragraph trees and their notes, a tree over the notes of the
    paragraphs' roots, its nodes' notes, and its leaves replaced by the paragraph trees (equation 2).
    """
    parser = drafting.needed_parser
    paragraphs = [parser.parse_runs(one.paragraphs, one.document.language) for one in leaves]
    forests = [concatenate(trees) for trees in paragraphs]
    lower = drafting.write_notes([NoteRequest(forest, one.texts) for forest, one in zip(forests, leaves, strict=True)])
    roots = [[notes[root].text for root in forest.roots] for forest, notes in zip(forests, lower, strict=True)]
    uppers = [parser.parse_runs([run], one.document.language)[0] for run, one in zip(roots, leaves, strict=True)]
    trees = [splice(upper, parts) for upper, parts in zip(uppers, paragraphs, strict=True)]
    requests = [
        NoteRequest(tree, one.texts, dict(zip(_nodes_of_parts(tree, parts), notes, strict=True)))
        for tree, one, parts, notes in zip(trees, leaves, paragraphs, lower, strict=True)
    ]
    drafts = [one.draft(tree) for one, tree in zip(leaves, trees, strict=True)]
    return _with_notes(drafts, drafting.write_notes(requests))


def _section_drafts(leaves: Sequence[Leaves], shape: Sections, drafting: Drafting) -> list[Draft]:
    """Section trees (HTSIR, Algorithm 1)."""
    report = drafting.stage("write notes")
    sectioner = open_sectioner(shape, parser=drafting.parser, runner=drafting.runner, progress=report)
    drafts: list[Draft] = []
    for one in leaves:
        vectors = _vectors(one, drafting)
        n_units = units_in_sections(
            one.document, one.units, one.sizes, settings=shape, sectioner=sectioner, vectors=vectors
        )
        drafts.append(one.draft(section_tree([n_words(text) for text in one.texts], n_units, shape), vectors=vectors))
    if not drafting.has_notes:
        return drafts
    requests = []
    for draft, one in zip(drafts, leaves, strict=True):
        known = passages(one.document, one.units, one.texts, draft.tree, drafting.indexing.notes)
        requests.append(NoteRequest(draft.tree, one.texts, known, from_text=True))
    return _with_notes(drafts, drafting.write_notes(requests))


def _vectors(leaves: Leaves, drafting: Drafting) -> Floats | None:
    if drafting.encoder is None:
        return None
    return encoded_leaves(leaves.document, leaves.units, drafting.indexing, drafting.encoder, drafting.progress)


def _nodes_of_parts(tree: DiscourseTree, parts: Sequence[DiscourseTree]) -> list[int]:
    """The nodes within the parts, part by part in order."""
    part_of = np.repeat(np.arange(len(parts)), [part.n_units for part in parts])
    inside = part_of[tree.ranges[:, 0]] == part_of[tree.ranges[:, 1] - 1]
    # A part is one run of nodes that ends with its root. No node above a part covers a single part, since every inner
    # node of an upper tree joins at least two of them.
    return [int(node) for node in np.flatnonzero(inside)]


def _tree(leaves: Leaves, shape: TreeShape, drafting: Drafting, progress: Progress | None) -> DiscourseTree:
    document, sizes = leaves.document, leaves.sizes
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
            return drafting.needed_parser.parse(document, progress)
        case Sections():
            raise ValueError("section trees are drafted by _section_drafts")
