"""``treatise show``: one document's outline, its tree, or the graph of what it says on a question."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.eval.profile import anatomy_lines
from treatise.cli.graphs import DEFAULT_RECIPE, graph_drawing, graph_lines, graph_of, graph_record
from treatise.cli.options import (
    LibraryOptions,
    complete_document_id,
    library_options,
    model_options,
    opened_library,
    opened_store,
    output_options,
)
from treatise.cli.output import Line, line, show_json
from treatise.cli.output import show as show_lines
from treatise.cli.places import short_source
from treatise.cli.spending import stands_for
from treatise.core.errors import DocumentNotFoundError, SourceError
from treatise.core.words import n_words
from treatise.records import Record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.indexed import IndexedDocument
    from treatise.core.tree import DiscourseTree
    from treatise.pipeline.library import Library


@click.command(
    short_help="Print or draw a document's outline, tree or graph.",
    epilog="""\b
Examples:
  treatise show 3f2a                      title, size and outline
  treatise show 3f2a --tree --depth 3     the upper levels of its tree
  treatise show 3f2a --tree --json        every unit and node
  treatise show 3f2a --anatomy "What was measured?"    which nodes are found for it
  treatise show 3f2a --graph "Who won?"   how the passages on it relate to each other
  treatise show 3f2a --tree --out tree.html   a page to fold and search; tree.svg draws it
""",
)
@click.argument("document_id", metavar="ID", shell_complete=complete_document_id)
@click.option("--tree", is_flag=True, help="Print the tree that the recipe has made of it.")
@click.option(
    "--depth", type=click.IntRange(min=0), metavar="LEVELS", help="Levels of the tree to print; all if not given."
)
@click.option(
    "--anatomy", "questions", multiple=True, metavar="QUESTION", help="Print which nodes are found for QUESTION."
)
@click.option("--graph", "graph_question", metavar="QUESTION", help="Print how the passages on QUESTION relate.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw it into an .html or .svg file that needs no other.",
)
@model_options
@library_options
@output_options
def show(  # noqa: PLR0913  (click hands over each option as an argument)
    document_id: str,
    *,
    tree: bool,
    depth: int | None,
    questions: tuple[str, ...],
    graph_question: str | None,
    out: Path | None,
    as_json: bool,
    no_color: bool,
    **options: Unpack[LibraryOptions],
) -> None:
    """Print what the library knows of the document ID; the beginning of an id will do."""
    if tree + bool(questions) + (graph_question is not None) > 1:
        raise click.UsageError("--tree, --anatomy and --graph show different things: give one of them")
    check_drawing(out, drawn=tree or graph_question is not None)
    if graph_question is not None:
        options["recipe"] = options.get("recipe") or DEFAULT_RECIPE
        with opened_library(**options) as library:
            related = graph_of(library, document_id, graph_question)
        record, lines = graph_record(related), graph_lines(related)
        if out is not None:
            draw(graph_drawing(related, out.suffix), out)
    elif questions:
        with opened_library(**options) as library:
            indexed = _indexed(library, document_id)
            found = library.anatomy([(question, indexed.document.id) for question in questions])
        record, lines = asdict(found), anatomy_lines(library.recipe.slug, found)
    elif not tree:
        with opened_store(options.get("store"), read_only=True) as store:
            document = store.document(document_id)
        record, lines = outline_record(document), outline_lines(document)
    else:
        with opened_library(**options) as library:
            indexed = _indexed(library, document_id)
        record = outline_record(indexed.document) | tree_record(indexed)
        lines = tree_lines(indexed, indexed.tree.n_units if depth is None else depth)
        if out is not None:
            draw(tree_drawing(indexed, out.suffix), out)
    if as_json:
        show_json(record)
    else:
        show_lines(lines, no_color=no_color)


def check_drawing(out: Path | None, *, drawn: bool) -> None:
    """Refuses a file that nothing can be drawn into, before any work is done."""
    if out is not None and not drawn:
        raise click.UsageError("--out draws a tree or a graph: add --tree or --graph QUESTION")
    if out is not None and out.suffix.lower() not in {".html", ".svg"}:
        raise click.BadParameter(f"{out} should end in .html or .svg", param_hint="--out")


def draw(drawing: str, out: Path) -> None:
    """Writes a picture or page, and says so."""
    try:
        out.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{out} cannot be written: {error.strerror}; name another file with --out") from error
    click.echo(f"treatise: drawn into {out}", err=True)


def tree_drawing(indexed: "IndexedDocument", suffix: str) -> str:
    """The tree over the document's units, as ``.svg`` or ``.html``."""
    from treatise.views import tree_page, tree_svg

    texts = [_unit_text(indexed, unit) for unit in range(len(indexed.units))]
    make = tree_svg if suffix.lower() == ".svg" else tree_page
    return make(indexed.tree, texts, indexed.document.title)


def outline_lines(document: "Document") -> Iterator[Line]:
    """Title, source and size, then a line a section with its number of words."""
    n_sentences = sum(len(spans) for spans in document.readable_sentences())
    pages = f", {len(document.page_starts):,} pages" if document.page_starts else ""
    yield line((document.title, "bold"))
    yield line((f"{document.id}, {short_source(document.source)}, {document.language}", "dim"))
    yield line(f"{n_words(document.text):,} words, {n_sentences:,} sentences{pages}")
    yield line()
    for level, title, size in _sections(document):
        yield line(title or "(before the first heading)", (f"  {size:,} words", "dim"), indent=2 * max(level - 1, 0))


def outline_record(document: "Document") -> Record:
    """The document without its text, as JSON."""
    return {
        "document": document.id,
        "title": document.title,
        "source": document.source,
        "language": document.language,
        "words": n_words(document.text),
        "characters": len(document.text),
        "pages": len(document.page_starts),
        "outline": [
            {"level": section.level, "title": section.title, "start": section.start} for section in document.sections
        ],
    }


def tree_lines(indexed: "IndexedDocument", depth: int) -> Iterator[Line]:
    """The tree from its root down, a line a node; a node at ``depth`` stands for all below it.

    A node says so where sentences stand for a note that the model was to write.
    """
    from treatise.core.tree import Unit, children

    tree = indexed.tree
    pending = [(root, 0, "", "") for root in reversed(tree.roots)]
    while pending:
        node, level, mark, margin = pending.pop()
        start, end = (int(edge) for edge in tree.ranges[node])
        folded = level >= depth and end - start > 1
        lacks = f"  [{text}]" if indexed.notes and (text := stands_for(indexed.notes[node])) else ""
        if folded or isinstance(tree.nodes[node], Unit):
            size = f"{end - start:,} units{lacks}: " if folded else ""
            yield line((margin + mark, "dim"), (size, "cyan"), _unit_text(indexed, start), cut=True)
            continue
        yield line((margin + mark, "dim"), (_label(tree, node), "cyan"), (lacks, "yellow"), cut=True)
        below = children(tree.nodes[node])
        inner = margin + {"": "", "├─ ": "│  ", "└─ ": "   "}[mark]
        pending += [(child, level + 1, "└─ " if child == below[-1] else "├─ ", inner) for child in reversed(below)]


def tree_record(indexed: "IndexedDocument") -> Record:
    """Units as spans of the text, the joins over them in post-order, and the notes of inner nodes, as JSON."""
    return {
        "units": [{"start": unit.start, "end": unit.end} for unit in indexed.units],
        "tree": [
            {"start": start, "split": split, "end": end, "nuclearity": str(join.nuclearity), "relation": join.relation}
            for start, split, end, join in indexed.tree.joins()
        ],
        "notes": list(_note_records(indexed)),
    }


def _note_records(indexed: "IndexedDocument") -> Iterator[Record]:
    """The note of each node that is no leaf: a run of units in the tree, or a cluster of units from all over."""
    from treatise.core.note import Origin

    n_in_tree = len(indexed.tree.nodes)
    for node, note in enumerate(indexed.notes):
        if note.origin is Origin.LEAF:
            continue
        in_tree = node < n_in_tree
        start, end = indexed.tree.ranges[node].tolist() if in_tree else (0, 0)
        of: Record = {"start": start, "end": end} if in_tree else {"units": indexed.clusters[node - n_in_tree].units}
        yield of | {"origin": str(note.origin), "misfit": note.rejection_reason, "text": note.text}


def _indexed(library: "Library", document_id: str) -> "IndexedDocument":
    document = library.document(document_id)
    indexed = library.store.get(document.id, library.system.index_key)
    if indexed is None:
        recipe = library.recipe.slug
        raise DocumentNotFoundError(
            f"{document.id} has no tree of the recipe {recipe} yet: treatise index {document.source} --recipe {recipe}"
        )
    return indexed


def _sections(document: "Document") -> Iterator[tuple[int, str, int]]:
    """Level, title and words of each section, its heading counted and the sections below it not."""
    ends = [section.start for section in document.sections[1:]] + [len(document.text)]
    for section, end in zip(document.sections, ends, strict=True):
        yield section.level, section.title, n_words(document.text[section.start : end])


def _label(tree: "DiscourseTree", node: int) -> str:
    from treatise.core.tree import Join

    found = tree.nodes[node]
    return f"{found.relation} ({found.nuclearity})" if isinstance(found, Join) else "group"


def _unit_text(indexed: "IndexedDocument", unit: int) -> str:
    span = indexed.units[unit]
    return " ".join(indexed.document.quote(span.start, span.end).split())
