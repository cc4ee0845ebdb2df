"""Indexing as one flat table: the form in index keys, run records and sweeps."""

from dataclasses import dataclass, field
from enum import StrEnum

from treatise.core.recipe.notes import Notes
from treatise.core.recipe.shapes import ParsedBy, Sections


class UnitKind(StrEnum):
    """The names of the kinds of units."""

    SENTENCE = "sentence"
    CHUNK = "chunk"
    TOKENS = "tokens"
    ENCODER_TOKENS = "encoder-tokens"


class TreeKind(StrEnum):
    """The names of the shapes."""

    FLAT = "flat"
    BALANCED = "balanced"
    BISECTION = "bisection"
    RANDOM = "random"
    RIGHT_BRANCHING = "right-branching"
    DISCOURSE = "discourse"
    CLUSTERS = "clusters"
    SECTIONS = "sections"


class VectorKind(StrEnum):
    """The names of the sources of inner nodes' vectors."""

    POOLED = "pooled"
    ENCODED = "encoded"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class FlatIndexing:
    """Every option of every unit, shape and vector; options that do not apply have their defaults.

    Names and order are those of stored indexes and run records: keys are hashes of them.
    """

    units: UnitKind = UnitKind.SENTENCE
    chunk_words: int = 100
    chunk_tokens: int = 100
    tree: TreeKind = TreeKind.BALANCED
    context_weight: float = 0.0
    nucleus_weight: float = 1.0
    satellite_weights: tuple[tuple[str, float], ...] = ()
    notes: Notes = field(default_factory=Notes)
    node_vectors: VectorKind = VectorKind.POOLED
    sections: Sections = field(default_factory=Sections)
    parsed_by: ParsedBy = ParsedBy.SETTINGS
