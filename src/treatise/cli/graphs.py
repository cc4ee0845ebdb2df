"""The rhetorical graph over what is retrieved for a question: as lines, as JSON, and drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from treatise.cli.ask import note_line
from treatise.cli.output import Line, line
from treatise.cli.places import place
from treatise.core.errors import RecipeError
from treatise.records import Record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.evidence import Passage
    from treatise.core.graph import RhetoricalGraph
    from treatise.pipeline.library import Library

DEFAULT_RECIPE: Final = "disco-rag"
"""What relates chunks where the command line names no recipe."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A graph with the passages that it joins, all of one document, and what there is to say of how it was made."""

    question: str
    graph: "RhetoricalGraph"
    passages: "Sequence[Passage]"
    document: "Document"
    notes: Sequence[str] = ()

    def place(self, number: int) -> str:
        """Where a passage stands, in one line."""
        parts = place(self.document, self.passages[number].span)
        return "".join(part if isinstance(part, str) else part[0] for part in parts)


def graph_of(library: "Library", document_id: str, question: str) -> Shown:
    """What the library's recipe relates of what it retrieves from one document.

    Raises:
        RecipeError: Where the recipe relates nothing.
    """
    document = library.document(document_id)
    evidence, structure = library.structure(question, documents=[document.id])
    if structure.graph is None:
        raise RecipeError(f"the recipe {library.recipe.slug} makes no graph: --recipe {DEFAULT_RECIPE} does")
    return Shown(question, structure.graph, evidence.passages, document, evidence.notes)


def graph_lines(shown: Shown) -> Iterator[Line]:
    """Every passage with its number, then every link."""
    for number, passage in enumerate(shown.passages):
        yield line((f"[{number + 1}] ", "bold cyan"), *place(shown.document, passage.span))
        yield line(" ".join(passage.text.split()), indent=4, cut=True)
    yield line()
    for edge in shown.graph.edges:
        style = "bold red" if edge.link == "CONTRADICTS" else "cyan"
        label = edge.link.replace("_", " ").lower()
        yield line(f"[{edge.source + 1}] ", (label, style), f" [{edge.target + 1}]", (f"  {edge.score:.2f}", "dim"))
    if len(shown.passages) == 1:
        yield line(("one passage alone: nothing to relate it to", "dim"))
    elif not shown.graph.edges:
        yield line(("no two of these passages have to do with each other", "dim"))
    for note in shown.notes:
        yield note_line(note)


def graph_record(shown: Shown) -> Record:
    """Passages as spans of the document, and the links between them, as JSON."""
    return {
        "question": shown.question,
        "document": shown.document.id,
        "passages": [{"start": one.span.start, "end": one.span.end, "text": one.text} for one in shown.passages],
        "links": [
            {"source": edge.source, "target": edge.target, "link": str(edge.link), "score": round(edge.score, 4)}
            for edge in shown.graph.edges
        ],
        "notes": list(shown.notes),
    }


def graph_drawing(shown: Shown, suffix: str) -> str:
    """The graph as ``.svg`` or ``.html``."""
    from treatise.views import graph_page, graph_svg

    chunks = [(shown.place(number), passage.text) for number, passage in enumerate(shown.passages)]
    return (graph_svg if suffix.lower() == ".svg" else graph_page)(shown.graph, chunks, shown.question)
