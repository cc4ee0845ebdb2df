"""A recipe: a whole system as one value."""

import re
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from treatise.core.errors import RecipeError
from treatise.core.recipe.decoding import DEFAULT_DECODING, Decoding
from treatise.core.recipe.indexing import Indexing
from treatise.core.recipe.notes import Summaries
from treatise.core.recipe.planning import Planning
from treatise.core.recipe.refinement import Refinement
from treatise.core.recipe.reranking import Reranking
from treatise.core.recipe.scoring import Scoring
from treatise.core.recipe.selection import Selection, Take
from treatise.core.recipe.shapes import Clusters, Flat, Sections

_TAU: Final = re.compile(r"_TAU_\d+$")


class ReaderText(StrEnum):
    """The text from which an answer is written (table 2 of the paper)."""

    EVIDENCE = "evidence"  # the passages
    MARKED_DOCUMENT = "marked-document"  # the whole documents, the passages between [EVIDENCE] and [/EVIDENCE]
    DOCUMENT = "document"  # the whole documents
    EVIDENCE_AND_DOCUMENT = "evidence-and-document"  # the passages, then the whole documents (table 6 of HTSIR)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole system.

    Attributes:
        name: Upper case with underscores in Python; ``slug`` is its name on the command line.
        indexing, scoring, selection: Its parts.
        reader_text: The text from which an answer is written.
        planning: The structure between evidence and answer.
        reranking: The second stage of retrieval, if any.
        refinement: How a language model's answer is revised; None keeps its first draft.
        decoding: How the language model chooses words, in every call.
    """

    name: str
    indexing: Indexing = field(default_factory=Indexing)
    scoring: Scoring = field(default_factory=Scoring)
    selection: Selection = field(default_factory=Selection)
    reader_text: ReaderText = ReaderText.EVIDENCE
    planning: Planning = field(default_factory=Planning)
    reranking: Reranking | None = None
    refinement: Refinement | None = None
    decoding: Decoding = DEFAULT_DECODING

    def __post_init__(self) -> None:
        if self.selection.take is Take.NOTE and self.indexing.notes.summaries is Summaries.NONE:
            raise RecipeError(f"{self.name} takes the notes of inner nodes, but its inner nodes have none")
        if self.selection.layers and not isinstance(self.indexing.tree, Sections):
            raise RecipeError(
                f"{self.name} ranks layers of a section tree, but its tree is {self.indexing.flat().tree}"
            )
        if self.selection.traverse and isinstance(self.indexing.tree, Flat | Clusters):
            raise RecipeError(f"{self.name} searches a tree from its roots down, but has none")
        if isinstance(self.indexing.tree, Clusters) and (self.scoring.bm25 or self.scoring.headings):
            raise RecipeError(f"{self.name} scores clusters, which are not runs of text: they have a cosine only")

    @property
    def slug(self) -> str:
        """The name on the command line: lower case with hyphens."""
        return self.name.lower().replace("_", "-")

    def record(self) -> dict[str, Any]:
        """Every option as plain values, for run records; ``indexing`` is its flat table.

        Options that came later are left out at their defaults: records stay comparable.
        """
        record = {**asdict(self), "indexing": self.indexing.record()}
        if not self.selection.count_characters:
            del record["selection"]["count_characters"]
        for option in ("opening", "whole", "rewords"):
            if not record["scoring"][option]:
                del record["scoring"][option]
        if self.selection.repeats:
            del record["selection"]["repeats"]
        if self.decoding == DEFAULT_DECODING:
            del record["decoding"]
        return record

    def with_tau(self, words: int) -> "Recipe":
        """This recipe with another fixed part of tau; its name says so, and ``recipes.recipe_named`` knows it.

        Raises:
            RecipeError: If no node of this recipe has a note that depends on tau.
        """
        notes = self.indexing.notes
        if notes.summaries is Summaries.NONE or isinstance(self.indexing.tree, Clusters):
            raise RecipeError(f"{self.slug} merges no notes, so there is no tau to set")
        tau = replace(notes.tau, words=words, at_most=max(words, notes.tau.at_most))
        indexing = replace(self.indexing, notes=replace(notes, tau=tau))
        return replace(self, name=f"{_TAU.sub('', self.name)}_TAU_{words}", indexing=indexing)
