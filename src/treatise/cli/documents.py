"""``treatise list`` and ``treatise remove``: what the library holds. Neither loads a model."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.options import complete_document_id, opened_store, output_options, store_option
from treatise.cli.output import Line, line, show, show_json
from treatise.cli.places import short_source
from treatise.records import entry_record, recipe_record

if TYPE_CHECKING:
    from treatise.core.ports import Entry
    from treatise.core.recipe import Recipe


@click.command(
    "list",
    short_help="Print what the library holds.",
    epilog="""\b
Examples:
  treatise list
  treatise list | cut -f1    ids only
  treatise list --json | jq '.documents[].title'
  treatise list --recipes    the names for --recipe

In a pipe the columns are id, words, sources and title, with tabs between them.
""",
)
@click.option("--recipes", is_flag=True, help="Print the recipes that there are, and what each is made of.")
@store_option
@output_options
def list_documents(*, recipes: bool, store: Path | None, as_json: bool, no_color: bool) -> None:
    """Print the documents of the library, oldest first; or the recipes."""
    if recipes:
        _list_recipes(as_json=as_json, no_color=no_color)
        return
    with opened_store(store, read_only=True) as opened:
        entries = opened.entries()
    if as_json:
        show_json({"documents": [entry_record(entry) for entry in entries]})
    else:
        show(_entry_lines(entries), no_color=no_color)


@click.command(
    short_help="Take documents out of the library.",
    epilog="""\b
Examples:
  treatise remove 3f2a
  treatise remove 3f2a 90bc
""",
)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_document_id)
@store_option
@output_options
def remove(ids: tuple[str, ...], *, store: Path | None, as_json: bool, no_color: bool) -> None:
    """Take documents out of the library; the beginning of an ID will do. The files stay where they are."""
    with opened_store(store) as opened:
        wanted = [opened.document(each).id for each in ids]
        removed = [opened.remove(each) for each in dict.fromkeys(wanted)]
    if as_json:
        show_json({"removed": [entry_record(entry) for entry in removed]})
    else:
        show((line((entry.id, "bold cyan"), f"  removed  {entry.title}") for entry in removed), no_color=no_color)


def _list_recipes(*, as_json: bool, no_color: bool) -> None:
    from treatise.recipes import RECIPES

    if as_json:
        show_json({"recipes": [recipe_record(recipe) for recipe in RECIPES.values()]})
        return
    width = max(map(len, RECIPES))
    show(
        (
            line((f"{name:{width}}", "bold cyan"), f"  {', '.join(_parts(recipe))}", cut=True)
            for name, recipe in RECIPES.items()
        ),
        no_color=no_color,
    )


def _parts(recipe: "Recipe") -> Iterator[str]:
    """What a recipe is made of, as far as it is not what all have."""
    of = recipe_record(recipe)
    for name in ("units", "tree", "scores", "notes", "chunk_trees", "graph", "plan"):
        if of[name] != "none":
            yield f"{name.replace('_', ' ')} {of[name]}"
    if recipe.reranking:
        yield "reranked"


def _entry_lines(entries: "Sequence[Entry]") -> Iterator[Line]:
    """A table in a terminal, its last column cut at the edge; elsewhere whole columns between tabs."""
    if not sys.stdout.isatty():
        for entry in entries:
            yield line("\t".join((entry.id, str(entry.n_words), ", ".join(entry.sources), entry.title)))
    elif not entries:
        yield line("The library is empty: treatise index FILE")
    else:
        width = max(len(f"{entry.n_words:,}") for entry in entries)
        for entry in entries:
            sources = ", ".join(short_source(source) for source in entry.sources)
            size = f"  {entry.n_words:>{width},} words  "
            yield line((entry.id, "bold cyan"), size, (sources, "bold"), f"  {entry.title}", cut=True)
