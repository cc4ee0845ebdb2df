"""``treatise serve``: the library over HTTP."""

from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click

from treatise.cli.options import all_of, model_options, store_option
from treatise.core.errors import MissingExtraError


class ServeOptions(TypedDict):
    """The options that override the settings of the server; None keeps them."""

    host: str | None
    port: int | None
    workers: int | None
    state: Path | None
    allowed_hosts: tuple[str, ...]
    require_key: bool
    log_format: str | None


_server_options = all_of(
    click.option("--host", metavar="ADDRESS", help="Address to listen on. Default: 127.0.0.1, this machine only."),
    click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Port. Default: 8790; 0 for a free one."),
    click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes over the same library."),
    click.option(
        "--state",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="Folder of keys, jobs and uploaded files. Default: beside the library.",
    ),
    click.option(
        "--allow-host",
        "allowed_hosts",
        multiple=True,
        metavar="NAME",
        help="Host name of a proxy; makes keys mandatory.",
    ),
    click.option("--require-key", is_flag=True, help="Ask for a key on a loopback address too."),
    click.option(
        "--log-format",
        type=click.Choice(["auto", "json", "text"]),
        help="Form of the log on standard error. Default: auto, text in a terminal and JSON elsewhere.",
    ),
)


@click.command(
    short_help="Serve the library over HTTP.",
    epilog="""\b
Examples:
  treatise serve                                  http://127.0.0.1:8790, no key
  treatise serve --store library.db --port 9000
  treatise serve --host 0.0.0.0 --new-key ann     other machines, with a key
  treatise serve --llm ollama --llm-model llama3.2

Settings: the table [server] of the settings file, or variables such as TREATISE_SERVER_PORT (docs/server.md).
""",
)
@_server_options
@click.option("--new-key", metavar="NAME", help="Make an admin key, print it once, and serve.")
@click.option("--recipe", metavar="NAME", help="How to index and answer if a request names no recipe.")
@model_options
@store_option
def serve(
    *,
    new_key: str | None,
    recipe: str | None,
    llm: str | None,
    llm_model: str | None,
    store: Path | str | None,
    **options: Unpack[ServeOptions],
) -> None:
    """Serve the library: a page, an HTTP API, and endpoints for chat clients and agents."""
    from treatise.settings import load_settings

    try:
        from treatise.server.run import serve as run
    except ModuleNotFoundError as error:
        raise MissingExtraError("treatise serve", "server") from error
    chosen = {"recipe": recipe, "llm": llm, "llm_model": llm_model, "store": store}
    settings = replace(load_settings(), **_set(chosen))
    config = server_config(options)
    if new_key is not None:
        add_first_key(new_key, config, settings)
    run(config, settings)


def server_config(options: ServeOptions) -> Any:
    """The settings of the server with the options of the command line."""
    from treatise.server.config import load_server_config

    found = _set({**options, "state": str(options["state"]) if options["state"] else None})
    found = {key: value for key, value in found.items() if value not in ((), False)}
    return replace(load_server_config(), **found)


def add_first_key(name: str, config: Any, settings: Any) -> None:
    """Makes an admin key and prints it once."""
    from treatise.server.keys import Keys, Scope
    from treatise.server.state import State, state_folder

    state = State(state_folder(config.state, settings))
    text, key = Keys(state).add(name, Scope.ADMIN)
    state.close()
    click.echo(f"treatise: key {key.id} for {name}, shown only now: {text}", err=True)


def _set(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}
