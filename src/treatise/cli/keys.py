"""``treatise keys``: the keys of clients of the server. It needs neither the server nor a model."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treatise.cli.options import FiniteRange, all_of, output_option, store_option
from treatise.cli.output import Line, Output, line
from treatise.core.errors import SettingsError

if TYPE_CHECKING:
    from treatise.server.audit import AuditLog
    from treatise.server.keys import Key, Keys

_state_option = click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder of the server's data. Default: beside the library.",
)
_limit_options = all_of(
    click.option("--requests-per-minute", type=click.IntRange(min=0), default=0, metavar="N", help="0 for no limit."),
    click.option("--upload-mb-per-day", type=click.IntRange(min=0), default=0, metavar="MB", help="0 for no limit."),
    click.option("--tokens-per-day", type=click.IntRange(min=0), default=0, metavar="N", help="Of the language model."),
    click.option("--cost-per-day", type=FiniteRange(min=0), default=0, metavar="COST", help="At your prices."),
)


@click.group(
    short_help="Add, list or remove keys of the server.",
    epilog="""\b
Examples:
  treatise keys add ann --scope write
  treatise keys add dashboard --collection reports --requests-per-minute 60
  treatise keys list
  treatise keys remove 3f2a90bc
""",
)
def keys() -> None:
    """The keys of clients of treatise serve. A change holds at once, also for a running server."""


@keys.command("add")
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(["read", "write", "admin"]),
    default="read",
    show_default=True,
    help="read asks, write also uploads and removes, admin also manages keys.",
)
@click.option("--collection", "collections", multiple=True, metavar="NAME", help="Opens only this; repeat for several.")
@_limit_options
@_state_option
@store_option
@output_option
def add_key(
    name: str,
    *,
    scope: str,
    collections: tuple[str, ...],
    state: Path | None,
    store: Path | str | None,
    output: Output,
    **limits: Any,
) -> None:
    """Make a key for NAME and print it. It is stored as a hash and cannot be shown again."""
    from treatise.server.keys import LOCAL, Limits, Scope

    with _opened(state, store) as (opened, audit):
        text, key = opened.add(name, Scope(scope), collections, Limits(**limits))
        audit.add(LOCAL.id, "add key", key.id)
    output.show(_record(key) | {"key": text}, [line((text, "bold")), line(("shown only now", "dim"))])


@keys.command("list")
@_state_option
@store_option
@output_option
def list_keys(*, state: Path | None, store: Path | str | None, output: Output) -> None:
    """List the keys, oldest first, without their secrets."""
    with _opened(state, store) as (opened, _):
        found = opened.list()
    output.show({"keys": [_record(key) for key in found]}, _lines(found))


@keys.command("remove")
@click.argument("key_id", metavar="ID")
@_state_option
@store_option
@output_option
def remove_key(key_id: str, *, state: Path | None, store: Path | str | None, output: Output) -> None:
    """Remove the key with this ID."""
    from treatise.server.keys import LOCAL

    with _opened(state, store) as (opened, audit):
        if not opened.remove(key_id):
            raise SettingsError(f"there is no key {key_id!r}: treatise keys list shows them")
        audit.add(LOCAL.id, "remove key", key_id)
    output.show({"removed": key_id}, [line((key_id, "bold cyan"), "  removed")])


@contextmanager
def _opened(folder: Path | None, store: Path | str | None) -> Iterator[tuple["Keys", "AuditLog"]]:
    """The keys of the server of this library, and its audit log."""
    from treatise.server.audit import AuditLog
    from treatise.server.config import load_server_config
    from treatise.server.keys import Keys
    from treatise.server.state import State, state_folder
    from treatise.settings import load_settings

    settings = load_settings()
    settings = replace(settings, store=store or settings.store)
    config = load_server_config()
    state = State(state_folder(str(folder) if folder else config.state, settings))
    try:
        yield Keys(state), AuditLog(state)
    finally:
        state.close()


def _record(key: "Key") -> dict[str, object]:
    return asdict(key) | {"scope": str(key.scope), "collections": list(key.collections)}


def _lines(found: Sequence["Key"]) -> Iterator[Line]:
    if not found:
        yield line("There are no keys: treatise keys add NAME")
    for key in found:
        opens = f"  only {', '.join(key.collections)}" if key.collections else ""
        yield line((key.id, "bold cyan"), f"  {key.scope}  {key.name}", (opens, "dim"))
