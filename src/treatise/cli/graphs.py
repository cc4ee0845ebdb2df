"""The rhetorical graph over the passages retrieved for a question: as lines, and drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from treatise.cli.answers import note_line
from treatise.cli.named import named_document
from treatise.cli.output import Line, line
from treatise.cli.places import passage_text, place
from treatise.core.errors import RecipeError

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.evidence import Passage
    from treatise.core.graph import RhetoricalGraph
    from treatise.pipeline.library import Library

DEFAULT_RECIPE: Final = "disco-rag"
"""The recipe of ``show --graph`` without ``--recipe``."""


@dataclass(frozen=True, slots=True)
class DocumentGraph:
    """A rhetorical graph over passages of one document, with remarks on how it was built."""

    question: str
    graph: "RhetoricalGraph"
    passages: "Sequence[Passage]"
    document: "Document"
    notes: Sequence[str] = ()

    def place(self, number: int) -> str:
        """The place of a passage, in one line."""
        parts = place(self.document, self.passages[number].span)
        return "".join(part if isinstance(part, str) else part[0] for part in parts)


def graph_of(library: "Library", document_id: str, question: str) -> DocumentGraph:
    """The graph of the library's recipe over the passages that it retrieves from one document.

    Raises:
        RecipeError: If the recipe builds no graph.
    """
    document = named_document(library.store, document_id)
    found = library.structure(question, documents=[document.id])
    if found.structure.graph is None:
        raise RecipeError(f"the recipe {library.recipe.slug} builds no graph: use --recipe {DEFAULT_RECIPE}")
    evidence = found.evidence
    return DocumentGraph(question, found.structure.graph, evidence.passages, document, evidence.notes)


def graph_lines(related: DocumentGraph) -> Iterator[Line]:
    """The numbered passages, then the links between them."""
    for number, passage in enumerate(related.passages):
        yield line((f"[{number + 1}] ", "bold cyan"), *place(related.document, passage.span))
        yield line(passage_text(related.document, passage), indent=4, cut=True)
    yield line()
    for edge in related.graph.edges:
        style = "bold red" if edge.link == "CONTRADICTS" else "cyan"
        label = edge.link.replace("_", " ").lower()
        yield line(f"[{edge.source + 1}] ", (label, style), f" [{edge.target + 1}]", (f"  {edge.score:.2f}", "dim"))
    if len(related.passages) == 1:
        yield line(("only one passage: no relations", "dim"))
    elif not related.graph.edges:
        yield line(("no relations between these passages", "dim"))
    for note in related.notes:
        yield note_line(note)


def graph_drawing(related: DocumentGraph, suffix: str) -> str:
    """The graph as ``.svg`` or ``.html``."""
    from treatise.views import graph_page, graph_svg

    chunks = [(related.place(number), passage.text) for number, passage in enumerate(related.passages)]
    return (graph_svg if suffix.lower() == ".svg" else graph_page)(related.graph, chunks, related.question)
