"""``treatise tag``: tags, collections and other metadata of documents. It loads no model."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.documents import chosen_documents
from treatise.cli.options import complete_document_id, opened_store, output_option, store_option, where_option
from treatise.cli.output import Line, Output, line
from treatise.core.printable import one_line
from treatise.records import tagging_record

if TYPE_CHECKING:
    from treatise.core.ports import Entry


@click.command(
    short_help="Set tags and other metadata of documents.",
    epilog="""\b
Examples:
  treatise tag 3f2a --add draft --add 'to read'
  treatise tag 3f2a --drop draft --set project=alpha --set author='A. Writer'
  treatise tag --where "path contains '/reports/'" --collection reports
  treatise tag 3f2a                                  print what is set
  treatise ask "Who signed?" --where "collection = reports and not tag = draft"

A key has one or several values: repeat --set for several. Title, author, date, year, language and type replace what the
file states. They are kept when a source is updated.
""",
)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_document_id)
@where_option
@click.option("--add", multiple=True, metavar="TAG", help="Add a tag; repeat for several.")
@click.option("--drop", multiple=True, metavar="TAG", help="Remove a tag; repeat for several.")
@click.option("--collection", multiple=True, metavar="NAME", help="Put into a collection; repeat for several.")
@click.option("--set", "values", multiple=True, metavar="KEY=VALUE", help="Set a key; repeat for several values.")
@click.option("--unset", multiple=True, metavar="KEY", help="Remove a key; repeat for several.")
@store_option
@output_option
def tag(  # noqa: PLR0913  (one parameter per option)
    ids: tuple[str, ...],
    *,
    where: str,
    add: tuple[str, ...],
    drop: tuple[str, ...],
    collection: tuple[str, ...],
    values: tuple[str, ...],
    unset: tuple[str, ...],
    store: Path | str | None,
    output: Output,
) -> None:
    """Set tags, collections and other keys of documents, by ID, file or filter; print them."""
    from treatise.pipeline.metadata import annotate

    if pair := next((id_ for id_ in ids if "=" in id_ and not Path(id_).exists()), ""):
        raise click.UsageError(f"{pair!r} names no document: to set a key, write --set {pair}")
    changes: dict[str, Sequence[str] | None] = {**dict.fromkeys(unset), **_pairs(values)}
    if collection:
        changes["collection"] = collection
    with opened_store(store, read_only=not (add or drop or changes)) as opened:
        if add or drop or changes:
            entries = [annotate(opened, id_, add, drop, changes) for id_ in chosen_documents(opened, ids, where)]
        else:
            wanted = set(chosen_documents(opened, ids, where))
            entries = [entry for entry in opened.entries() if entry.id in wanted]
    output.show(tagging_record(entries), _lines(entries))


def _pairs(texts: Sequence[str]) -> dict[str, list[str]]:
    """The values of each key, from texts such as ``project=alpha``."""
    found: dict[str, list[str]] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise click.BadParameter(f"{text!r} is no KEY=VALUE, such as project=alpha", param_hint="--set")
        found.setdefault(key.strip(), []).append(value)
    return found


def _lines(entries: Sequence["Entry"]) -> Iterator[Line]:
    """Each document with its keys, one per line below it."""
    for entry in entries:
        yield line((entry.id, "bold cyan"), f"  {one_line(entry.shown_title)}")
        for key, values in entry.metadata.items():
            yield line((f"{key}: ", "dim"), ", ".join(values), indent=2)
