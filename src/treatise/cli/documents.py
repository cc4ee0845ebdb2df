"""``treatise list`` and ``treatise remove``. Neither loads a model."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.named import named_document
from treatise.cli.options import complete_document_id, opened_store, output_option, store_option, where_option
from treatise.cli.output import Line, Output, line, warn
from treatise.cli.places import short_source
from treatise.core.printable import one_line
from treatise.records import list_record, recipe_record, recipes_record, removal_record

if TYPE_CHECKING:
    from treatise.core.ports import Entry, Store
    from treatise.core.recipe import Recipe


@click.command(
    "list",
    short_help="List the documents of the library.",
    epilog="""\b
Examples:
  treatise list
  treatise list | cut -f1    ids only
  treatise list --json | jq '.documents[].title'
  treatise list --where "year >= 2020 and tag = draft"
  treatise list --recipes    values for --recipe

A filter compares fields: id, title, author, date, year, language, path, name, type, size (bytes), words, units,
indexed, modified, tags, collection, and keys set with treatise tag. Signs: = != < <= > >=,
in (A, B), not in (A, B), contains, startswith, exists; joined by and, or, not and parentheses.

In a pipe the columns are id, words, sources, title, authors and date, separated by tabs.
""",
)
@click.option("--recipes", is_flag=True, help="List the recipes and their parts instead.")
@where_option
@store_option
@output_option
def list_documents(*, recipes: bool, where: str, store: Path | str | None, output: Output) -> None:
    """List the documents of the library, oldest first, or the recipes."""
    if recipes:
        _list_recipes(output)
        return
    from treatise.pipeline.metadata import entries_where

    with opened_store(store, read_only=True) as opened:
        entries = entries_where(opened, where)
    if isinstance(store, Path) and not store.exists():
        warn(f"{store} does not exist yet: treatise index FILE --store {store}")
    output.show(list_record(entries), _entry_lines(entries))


@click.command(
    short_help="Remove documents from the library.",
    epilog="""\b
Examples:
  treatise remove 3f2a
  treatise remove 3f2a 90bc
  treatise remove --where "collection = old"
""",
)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_document_id)
@where_option
@store_option
@output_option
def remove(ids: tuple[str, ...], *, where: str, store: Path | str | None, output: Output) -> None:
    """Remove documents from the library, by ID, a unique prefix of it, their file, or a filter. The files stay."""
    with opened_store(store) as opened:
        wanted = chosen_documents(opened, ids, where)
        removed = [opened.remove(each) for each in dict.fromkeys(wanted)]
    lines = (line((entry.id, "bold cyan"), f"  removed  {one_line(entry.shown_title)}") for entry in removed)
    output.show(removal_record(removed), lines)


def chosen_documents(store: "Store", ids: Sequence[str], where: str) -> list[str]:
    """The ids of the documents named by ids or by a filter.

    Raises:
        click.UsageError: If there are neither ids nor a filter, or both.
    """
    from treatise.pipeline.metadata import entries_where

    if bool(ids) == bool(where.strip()):
        raise click.UsageError("name documents by their ID, or by --where FILTER: one of them")
    if where:
        found = [entry.id for entry in entries_where(store, where)]
        if not found:
            warn(f"no document satisfies {where!r}: nothing was done")
        return found
    return [named_document(store, each).id for each in ids]


def _list_recipes(output: Output) -> None:
    from treatise.recipes import RECIPES

    width = max(map(len, RECIPES))
    lines = (
        line((f"{name:{width}}", "bold cyan"), f"  {', '.join(_parts(recipe))}", cut=True)
        for name, recipe in RECIPES.items()
    )
    output.show(recipes_record(RECIPES.values()), lines)


def _parts(recipe: "Recipe") -> Iterator[str]:
    """The parts of a recipe that are not ``none``."""
    of = recipe_record(recipe)
    for name in ("units", "tree", "scores", "notes", "chunk_trees", "graph", "plan"):
        if of[name] != "none":
            yield f"{name.replace('_', ' ')} {of[name]}"
    if recipe.reranking:
        yield "reranked"


def _entry_lines(entries: "Sequence[Entry]") -> Iterator[Line]:
    """A table in a terminal, its last column truncated; otherwise full columns, separated by tabs."""
    if not sys.stdout.isatty():
        for entry in entries:
            columns = (entry.id, str(entry.n_words), ", ".join(entry.sources), entry.shown_title, *_authorship(entry))
            yield line("\t".join(map(one_line, columns)))
    elif not entries:
        yield line("The library is empty: treatise index FILE")
    else:
        width = max(len(f"{entry.n_words:,}") for entry in entries)
        for entry in entries:
            sources = ", ".join(short_source(source) for source in entry.sources)
            size = f"  {entry.n_words:>{width},} words  "
            title = f"  {one_line(entry.shown_title)}"
            yield line((entry.id, "bold cyan"), size, (sources, "bold"), title, _by(entry), cut=True)


def _authorship(entry: "Entry") -> tuple[str, str]:
    """The authors and the date that are known."""
    return "; ".join(entry.metadata.get("author", ())), next(iter(entry.metadata.get("date", ())), "")


def _by(entry: "Entry") -> tuple[str, str]:
    authors, date = map(one_line, _authorship(entry))
    return f" ({', '.join(filter(None, (authors, date)))})" if authors or date else "", "dim"
