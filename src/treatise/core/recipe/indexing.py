"""The part of a recipe that determines the index on disk."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from treatise.core.errors import RecipeError
from treatise.core.recipe.flat import FlatIndexing, TreeKind, UnitKind, VectorKind
from treatise.core.recipe.notes import Notes, Summaries
from treatise.core.recipe.shapes import (
    Balanced,
    Bisection,
    Clusters,
    Discourse,
    Flat,
    ParsedBy,
    RandomSplits,
    RightBranching,
    Sectioning,
    Sections,
    TreeShape,
)
from treatise.core.recipe.units import Chunks, ClauseChunks, Sentences, TokenChunks, Units
from treatise.core.recipe.vectors import EncodedNotes, NodeVectors, Pooled, QuotedLeaves


@dataclass(frozen=True, slots=True)
class Indexing:
    """The options of what is computed once per document.

    Attributes:
        units: The leaves.
        tree: The tree's shape.
        notes: The text of inner nodes, if any.
        node_vectors: The vectors of inner nodes.
    """

    units: Units = field(default_factory=Sentences)
    tree: TreeShape = field(default_factory=Balanced)
    notes: Notes = field(default_factory=Notes)
    node_vectors: NodeVectors = field(default_factory=Pooled)

    def __post_init__(self) -> None:
        if not isinstance(self.units, Sentences) and not isinstance(self.tree, Flat | Bisection | Clusters):
            raise RecipeError("chunks cross paragraphs: they go with trees that ignore paragraphs only")
        if isinstance(self.tree, Clusters) and not isinstance(self.node_vectors, EncodedNotes):
            raise RecipeError("clusters are made layer by layer from the vectors of their notes: encode them")
        if not isinstance(self.node_vectors, Pooled) and self.notes.summaries is Summaries.NONE:
            raise RecipeError("these node_vectors come from notes, but inner nodes have no notes: give them notes")

    @property
    def context_weight(self) -> float:
        """Share of the contextual vector in a leaf's vector; 0 for chunks."""
        return self.units.context_weight if isinstance(self.units, Sentences) else 0.0

    @property
    def needs_parser(self) -> bool:
        """Whether documents are parsed."""
        return isinstance(self.tree, Discourse) or self._sectioning is Sectioning.DISCOURSE

    @property
    def parsed_by(self) -> ParsedBy:
        """The parser of documents, if they are parsed."""
        return self.tree.parsed_by if isinstance(self.tree, Discourse) else ParsedBy.SETTINGS

    @property
    def asks_model(self) -> bool:
        """Whether notes or section boundaries come from a language model, if there is one."""
        return self.notes.summaries in (Summaries.LLM, Summaries.HYBRID) or self._sectioning is Sectioning.LLM

    @property
    def _sectioning(self) -> Sectioning | None:
        return self.tree.sectioning if isinstance(self.tree, Sections) else None

    def key(self, *models: str) -> str:
        """The key of an index: equal if and only if settings and model names are equal."""
        settings = self.record()
        if not isinstance(self.tree, Sections):
            del settings["sections"]
        content = json.dumps([settings, models], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def record(self) -> dict[str, Any]:
        """The flat table as plain values. Options that came later are left out at their defaults: keys stay."""
        settings = asdict(self.flat())
        if self.notes.refinement is None:
            del settings["notes"]["refinement"]
        if not settings["sections"]["leaves_first"]:
            del settings["sections"]["leaves_first"]
        if self.parsed_by is ParsedBy.SETTINGS:
            del settings["parsed_by"]
        return settings

    def flat(self) -> FlatIndexing:
        """The same as one flat table."""
        units, tree, vectors = self.units, self.tree, self.node_vectors
        pooled = vectors if isinstance(vectors, Pooled) else Pooled()
        return FlatIndexing(
            units=_UNIT_KINDS[type(units)],
            chunk_words=units.words if isinstance(units, Chunks) else Chunks().words,
            chunk_tokens=units.tokens if isinstance(units, ClauseChunks | TokenChunks) else TokenChunks().tokens,
            tree=_TREE_KINDS[type(tree)],
            context_weight=self.context_weight,
            nucleus_weight=pooled.nucleus_weight,
            satellite_weights=pooled.satellite_weights,
            notes=self.notes,
            node_vectors=_VECTOR_KINDS[type(vectors)],
            sections=tree if isinstance(tree, Sections) else Sections(),
            parsed_by=self.parsed_by,
        )

    @classmethod
    def from_flat(cls, flat: FlatIndexing) -> "Indexing":
        """The indexing options in this flat table.

        Raises:
            RecipeError: If an option is set that these units, this tree or these vectors do not have.
        """
        indexing = cls(_units(flat), _tree(flat), flat.notes, _vectors(flat))
        kept = indexing.flat()
        unused = [one.name for one in fields(flat) if getattr(kept, one.name) != getattr(flat, one.name)]
        if unused:
            raise RecipeError(
                f"{', '.join(unused)} has no effect: units are {flat.units}, the tree is {flat.tree}, vectors are "
                f"{flat.node_vectors}"
            )
        return indexing


def _units(flat: FlatIndexing) -> Units:
    match flat.units:
        case UnitKind.SENTENCE:
            return Sentences(flat.context_weight)
        case UnitKind.CHUNK:
            return Chunks(flat.chunk_words)
        case UnitKind.TOKENS:
            return ClauseChunks(flat.chunk_tokens)
        case UnitKind.ENCODER_TOKENS:
            return TokenChunks(flat.chunk_tokens)


def _tree(flat: FlatIndexing) -> TreeShape:
    if flat.tree is TreeKind.SECTIONS:
        return flat.sections
    if flat.tree is TreeKind.DISCOURSE:
        return Discourse(flat.parsed_by)
    return next(shape() for shape, kind in _TREE_KINDS.items() if kind is flat.tree)


def _vectors(flat: FlatIndexing) -> NodeVectors:
    match flat.node_vectors:
        case VectorKind.POOLED:
            return Pooled(flat.nucleus_weight, flat.satellite_weights)
        case VectorKind.ENCODED:
            return EncodedNotes()
        case VectorKind.QUOTED:
            return QuotedLeaves()


_UNIT_KINDS: Final[dict[type[Units], UnitKind]] = {
    Sentences: UnitKind.SENTENCE,
    Chunks: UnitKind.CHUNK,
    ClauseChunks: UnitKind.TOKENS,
    TokenChunks: UnitKind.ENCODER_TOKENS,
}
_TREE_KINDS: Final[dict[type[TreeShape], TreeKind]] = {
    Flat: TreeKind.FLAT,
    Balanced: TreeKind.BALANCED,
    Bisection: TreeKind.BISECTION,
    RandomSplits: TreeKind.RANDOM,
    RightBranching: TreeKind.RIGHT_BRANCHING,
    Discourse: TreeKind.DISCOURSE,
    Clusters: TreeKind.CLUSTERS,
    Sections: TreeKind.SECTIONS,
}
_VECTOR_KINDS: Final[dict[type[NodeVectors], VectorKind]] = {
    Pooled: VectorKind.POOLED,
    EncodedNotes: VectorKind.ENCODED,
    QuotedLeaves: VectorKind.QUOTED,
}
