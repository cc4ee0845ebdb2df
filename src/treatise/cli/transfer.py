"""``treatise export``, ``import`` and ``migrate``: copies of libraries. None loads a model."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from treatise.cli.options import opened_store, output_option, store_option, where_option
from treatise.cli.output import Output, line
from treatise.cli.progress import progress_line
from treatise.cli.types import StoreType
from treatise.core.errors import SettingsError, StoreDamagedError
from treatise.core.plurals import counted
from treatise.records import transfer_record
from treatise.settings import masked_setting

if TYPE_CHECKING:
    from treatise.core.ports import Store
    from treatise.store.copy import Copied
    from treatise.store.stored import Copyable


@click.command(
    short_help="Write the library to one file.",
    epilog="""\b
Examples:
  treatise export library.treatise
  treatise export reports.treatise --where "collection = reports"
  treatise import library.treatise                on the other machine

The file holds texts, indexes, vectors and metadata: nothing is encoded again. The original files are not in it.
""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@where_option
@store_option
@output_option
def export(file: Path, *, where: str, store: Path | str | None, output: Output) -> None:
    """Write the library, or the documents that satisfy a filter, to a new FILE."""
    from treatise.pipeline.metadata import ids_where
    from treatise.store.copy import export_to_file

    if str(file) == "-":
        raise click.BadParameter("a library is not written to standard output: name a new file", param_hint="FILE")

    with opened_store(store, read_only=True) as opened:
        ids = ids_where(opened, where, [entry.id for entry in opened.entries()]) if where.strip() else None
        n_documents = export_to_file(_copyable(opened), file, ids)
    output.show(
        transfer_record(str(file), n_documents), [line(f"{counted(n_documents, 'document')} written to {file}")]
    )


@click.command(
    "import",
    short_help="Add the documents of an exported library.",
    epilog="""\b
Examples:
  treatise import library.treatise
  treatise import library.treatise --store other.db

Documents that the library has already stay as they are. The library is unchanged if the file is damaged.
""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@store_option
@output_option
def import_library(file: Path, *, store: Path | str | None, output: Output) -> None:
    """Add the documents of FILE, which treatise export has written, to the library."""
    from treatise.store.copy import import_from_file

    with opened_store(store) as opened:
        found = import_from_file(_copyable(opened), file)
    output.show(transfer_record(str(file), found.n_new, found.n_known), [line(_added(found))])


@click.command(
    short_help="Copy a library to another store.",
    epilog="""\b
Examples:
  treatise migrate library.db postgresql://me@server/texts
  treatise migrate postgresql://me@server/texts copy.db
  treatise ask "What changed?" --store postgresql://me@server/texts

Texts, indexes, vectors, metadata and finished calls are copied: nothing is encoded again. The source is not changed.
What the target has already stays as it is, so an interrupted copy goes on where it stopped.
""",
)
@click.argument("source", type=StoreType(path_type=Path, dir_okay=False), metavar="SOURCE")
@click.argument("target", type=StoreType(path_type=Path, dir_okay=False), metavar="TARGET")
@output_option
def migrate(source: Path | str, target: Path | str, *, output: Output) -> None:
    """Copy the library SOURCE into the library TARGET. Each is a file or a URL, as for --store."""
    from treatise.pipeline.progress import stage
    from treatise.store.copy import copy_library

    if isinstance(source, Path) and not source.is_file():
        raise StoreDamagedError(f"{source}: there is no such file")
    with opened_store(source, read_only=True) as opened, opened_store(target) as to, progress_line("copy") as draw:
        progress = stage(draw, "documents")
        found = copy_library(_copyable(opened), _copyable(to), progress=progress)
    name = str(masked_setting(str(target)))
    output.show(transfer_record(name, found.n_new, found.n_known), [line(f"{_added(found)}: {name}")])


def _added(found: "Copied") -> str:
    return f"{counted(found.n_new, 'document')} added, {counted(found.n_known, 'document')} there before"


def _copyable(store: "Store") -> "Copyable":
    if not hasattr(store, "add_stored"):
        raise SettingsError(f"documents cannot be copied from or to a {type(store).__name__}: use a file or PostgreSQL")
    return cast("Copyable", store)
