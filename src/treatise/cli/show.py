"""``treatise show``: the outline of a document, its tree, or a graph over its passages on a question."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

import click

from treatise.cli.eval.profile import anatomy_lines
from treatise.cli.graphs import DEFAULT_RECIPE, graph_drawing, graph_lines, graph_of
from treatise.cli.named import named_document
from treatise.cli.options import (
    LibraryOptions,
    all_of,
    complete_document_id,
    library_options,
    model_options,
    opened_library,
    opened_store,
    output_option,
)
from treatise.cli.output import Line, Output, line, warn
from treatise.cli.places import short_source
from treatise.cli.show_place import PlaceOptions, check_place, page_view, place_options, text_view
from treatise.cli.spending import fallback_text
from treatise.core.errors import DocumentNotFoundError, SourceError
from treatise.core.plurals import counted
from treatise.core.words import n_words
from treatise.records import Record, graph_record, outline_record, profile_record, tree_record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.indexed import IndexedDocument
    from treatise.core.tree import DiscourseTree
    from treatise.pipeline.library import Library

View = tuple[Record, Iterable[Line]]
"""What to print: as JSON, and as lines."""


@dataclass(frozen=True, slots=True)
class StructureOptions:
    """The options that choose a structure: ``--tree``, ``--depth``, ``--anatomy``, ``--graph`` and ``--out``.

    A depth of None prints every level.
    """

    tree: bool
    depth: int | None
    questions: tuple[str, ...]
    graph_question: str | None
    out: Path | None

    @property
    def is_drawing(self) -> bool:
        """Whether a tree or a graph was asked for."""
        return self.tree or self.graph_question is not None


_options = all_of(
    click.option(
        "--tree", is_flag=True, help="Print the discourse tree, made if absent; with --recipe, the tree that it built."
    ),
    click.option(
        "--depth", type=click.IntRange(min=0), metavar="LEVELS", help="Levels of the tree to print. Default: all."
    ),
    click.option(
        "--anatomy", "questions", multiple=True, metavar="QUESTION", help="Print the nodes found for QUESTION."
    ),
    click.option("--graph", "graph_question", metavar="QUESTION", help="Print how the passages on QUESTION relate."),
    click.option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Draw the tree or graph into a self-contained .html or .svg file.",
    ),
)


def _structure_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that choose a structure, as the argument ``structure``."""

    @_options
    @wraps(function)
    def command(
        *,
        tree: bool,
        depth: int | None,
        questions: tuple[str, ...],
        graph_question: str | None,
        out: Path | None,
        **arguments: Any,
    ) -> None:
        function(structure=StructureOptions(tree, depth, questions, graph_question, out), **arguments)

    return command


@click.command(
    short_help="Print or draw a document's outline, tree or graph.",
    epilog="""\b
Examples:
  treatise show 3f2a                      title, size and outline
  treatise show 3f2a --tree --depth 3     the upper levels of its tree
  treatise show 3f2a --tree --json        every unit and node
  treatise show 3f2a --anatomy "What was measured?"    the nodes found for a question
  treatise show 3f2a --graph "Who won?"   how the passages found relate to each other
  treatise show 3f2a --tree --out tree.html   an interactive page; tree.svg for a drawing
  treatise show 3f2a --text 12345-12399   the text of a citation, with context
  treatise show 3f2a --page 12            the text of a page
  treatise show 3f2a --span 12345-12399 --open   the citation highlighted on its PDF page
""",
)
@click.argument("document_id", metavar="ID", shell_complete=complete_document_id)
@_structure_options
@place_options
@model_options
@library_options
@output_option
def show(
    document_id: str,
    *,
    structure: StructureOptions,
    at: PlaceOptions,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Print the document ID, given by its id, a unique prefix of it, or its file."""
    asked = structure.tree, bool(structure.questions), structure.graph_question is not None
    if sum((*asked, at.asks_page, at.text is not None)) > 1:
        raise click.UsageError("--tree, --anatomy, --graph, --page and --text print different things: use one of them")
    check_drawing(structure.out, drawn=structure.is_drawing)
    check_place(at)
    output.show(*_view(document_id, structure, at, options))


def _view(document_id: str, structure: StructureOptions, at: PlaceOptions, options: LibraryOptions) -> View:
    if at.text is not None:
        return text_view(document_id, at.text, options)
    if at.asks_page:
        return page_view(document_id, at, options)
    if structure.graph_question is not None:
        return _graph_view(document_id, structure.graph_question, structure.out, options)
    if structure.questions:
        return _profile_view(document_id, structure.questions, options)
    if structure.tree:
        return _tree_view(document_id, structure.depth, structure.out, options)
    return _outline_view(document_id, options)


def check_drawing(out: Path | None, *, drawn: bool) -> None:
    """Rejects an unsuitable ``--out`` before any work is done."""
    if out is not None and not drawn:
        raise click.UsageError("--out draws a tree or a graph: add --tree or --graph QUESTION")
    if out is not None and out.suffix.lower() not in {".html", ".svg"}:
        raise click.BadParameter(f"{out} should end in .html or .svg", param_hint="--out")


def draw(drawing: str, out: Path) -> None:
    """Writes a drawing, and prints its path."""
    try:
        out.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{out} cannot be written: {error.strerror}; name another file with --out") from error
    warn(f"drawn into {out}")


def _outline_view(document_id: str, options: LibraryOptions) -> View:
    with opened_store(options.get("store"), read_only=True) as store:
        document = named_document(store, document_id)
    return outline_record(document), outline_lines(document)


_TREE_RECIPE: Final = "summary"
"""The recipe with a discourse tree over the sentences of a document."""


def _tree_view(document_id: str, depth: int | None, out: Path | None, options: LibraryOptions) -> View:
    is_named = options.get("recipe") is not None
    options["recipe"] = options.get("recipe") or _TREE_RECIPE
    with opened_library(**options) as library:
        document = named_document(library.store, document_id)
        indexed = _indexed(library, document) if is_named else library.indexed(document.id)
    if out is not None:
        draw(tree_drawing(indexed, out.suffix), out)
    return tree_record(indexed), tree_lines(indexed, indexed.tree.n_units if depth is None else depth)


def _graph_view(document_id: str, question: str, out: Path | None, options: LibraryOptions) -> View:
    options["recipe"] = options.get("recipe") or DEFAULT_RECIPE
    with opened_library(**options) as library:
        related = graph_of(library, document_id, question)
    if out is not None:
        draw(graph_drawing(related, out.suffix), out)
    record = graph_record(question, related.document.id, related.passages, related.graph, related.notes)
    return record, graph_lines(related)


def _profile_view(document_id: str, questions: tuple[str, ...], options: LibraryOptions) -> View:
    with opened_library(**options) as library:
        document = _indexed(library, named_document(library.store, document_id)).document
        profile = library.anatomy([(question, document.id) for question in questions])
        return profile_record(profile), list(anatomy_lines(library.recipe.slug, profile))


def tree_drawing(indexed: "IndexedDocument", suffix: str) -> str:
    """The tree over the document's units, as ``.svg`` or ``.html``."""
    from treatise.views import tree_page, tree_svg

    texts = [_unit_text(indexed, unit) for unit in range(len(indexed.units))]
    drawing = tree_svg if suffix.lower() == ".svg" else tree_page
    return drawing(indexed.tree, texts, indexed.document.title)


def outline_lines(document: "Document") -> Iterator[Line]:
    """Title, source and size, then one line per section with its number of words."""
    n_sentences = sum(len(spans) for spans in document.readable_sentences())
    pages = f", {counted(len(document.page_starts), 'page')}" if document.page_starts else ""
    yield line((document.title, "bold"))
    if stated := "; ".join([*document.metadata.get("author", ()), *document.metadata.get("date", ())]):
        yield line(stated)
    yield line((f"{document.id}, {short_source(document.source)}, {document.language}", "dim"))
    yield line(f"{counted(n_words(document.text), 'word')}, {counted(n_sentences, 'sentence')}{pages}")
    yield line()
    for level, title, size in _sections(document):
        yield line(
            title or "(before the first heading)", (f"  {counted(size, 'word')}", "dim"), indent=2 * max(level - 1, 0)
        )


def tree_lines(indexed: "IndexedDocument", depth: int) -> Iterator[Line]:
    """The tree from its root down, one line per node; a node at ``depth`` is folded.

    A node whose note is a quotation because the model's note is missing says why.
    """
    from treatise.core.tree import Unit, children

    tree = indexed.tree
    pending = [(root, 0, "", "") for root in reversed(tree.roots)]
    while pending:
        node, level, mark, margin = pending.pop()
        start, end = (int(edge) for edge in tree.ranges[node])
        folded = level >= depth and end - start > 1
        remark = f"  [{text}]" if indexed.notes and (text := fallback_text(indexed.notes[node])) else ""
        if folded or isinstance(tree.nodes[node], Unit):
            size = f"{end - start:,} units{remark}: " if folded else ""
            yield line((margin + mark, "dim"), (size, "cyan"), _unit_text(indexed, start), cut=True)
            continue
        yield line((margin + mark, "dim"), (_label(tree, node), "cyan"), (remark, "yellow"), cut=True)
        below = children(tree.nodes[node])
        inner = margin + {"": "", "├─ ": "│  ", "└─ ": "   "}[mark]
        pending += [(child, level + 1, "└─ " if child == below[-1] else "├─ ", inner) for child in reversed(below)]


def _indexed(library: "Library", document: "Document") -> "IndexedDocument":
    indexed = library.store.get(document.id, library.system.index_key)
    if indexed is None:
        recipe = library.recipe.slug
        raise DocumentNotFoundError(
            f"{document.id} has no index for the recipe {recipe}: treatise index {document.source} --recipe {recipe}"
        )
    return indexed


def _sections(document: "Document") -> Iterator[tuple[int, str, int]]:
    """Level, title and words of each section, including its heading, without the sections below it."""
    ends = [section.start for section in document.sections[1:]] + [len(document.text)]
    for section, end in zip(document.sections, ends, strict=True):
        yield section.level, section.title, n_words(document.text[section.start : end])


def _label(tree: "DiscourseTree", node: int) -> str:
    from treatise.core.tree import Join

    found = tree.nodes[node]
    return f"{found.relation} ({found.nuclearity})" if isinstance(found, Join) else "group"


def _unit_text(indexed: "IndexedDocument", unit: int) -> str:
    span = indexed.units[unit]
    return indexed.document.one_line(span.start, span.end)
