"""``treatise config``: the settings, their origins, and the file that keeps them."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from treatise.cli.options import output_option
from treatise.cli.output import Line, Output, line
from treatise.core.errors import SettingsError
from treatise.core.toml_file import toml_text
from treatise.records import settings_record
from treatise.server.config import SERVER_KEYS, load_server_config, parsed_server_setting, server_setting_origins
from treatise.settings import (
    FOLDER_KEYS,
    NAMED_MODELS,
    SETTING_KEYS,
    load_settings,
    parsed_setting,
    setting_origins,
    settings_path,
)

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_SERVER: Final = "server"
_ALL_KEYS: Final = (*SETTING_KEYS, *(f"{_SERVER}.{key}" for key in SERVER_KEYS))
_PATH_KEYS: Final = frozenset({"store", f"{_SERVER}.state", *FOLDER_KEYS})
_key_argument = click.argument("key", metavar="KEY")


@click.group(
    invoke_without_command=True,
    short_help="Show and change the settings.",
    epilog="""\b
Examples:
  treatise config                   all settings, with the origin of each
  treatise config get budget
  treatise config set budget 400
  treatise config set llm ollama
  treatise config unset llm
  treatise config set server.port 9000    a setting of treatise serve
  treatise config get server        all of them
  treatise config path              the file that keeps them

A variable such as TREATISE_BUDGET wins over the file, and an option of a command over both. API keys stay out of the
file: api_key_env names the variable that holds one.
""",
)
@click.pass_context
def config(context: click.Context) -> None:
    """Show and change the settings of all commands."""
    if context.invoked_subcommand is None:
        context.invoke(get, key="", as_json=False, no_color=False)
        click.echo("treatise: change one with: treatise config set KEY VALUE", err=True)


@config.command("path")
def path() -> None:
    """Print the path of the settings file, which may not exist yet."""
    click.echo(settings_path())


@config.command()
@click.argument("key", metavar="[KEY]", default="")
@output_option
def get(key: str, *, output: Output) -> None:
    """Print the value of KEY, or every setting with its value and origin."""
    if key not in ("", _SERVER):
        _check_key(key)
    keys = [one for one in _ALL_KEYS if key in ("", one) or one.startswith(f"{key}.")]
    values = _values()
    record = settings_record({one: values[one] for one in keys}, _origins())
    output.show(record, _value_line(record, key) if keys == [key] else _lines(record))


def _values() -> dict[str, object]:
    settings, server = load_settings(), load_server_config()
    of_server = {f"{_SERVER}.{key}": getattr(server, key) for key in SERVER_KEYS}
    return {key: getattr(settings, key) for key in SETTING_KEYS} | of_server


def _origins() -> dict[str, str]:
    of_server = {f"{_SERVER}.{key}": origin for key, origin in server_setting_origins().items()}
    return setting_origins() | of_server


def _parsed(key: str, text: str) -> object:
    """The value that a text gives a key of the settings or of the server."""
    table, dot, name = key.partition(".")
    return parsed_server_setting(name, text) if table == _SERVER and dot else parsed_setting(key, text)


@config.command("set")
@_key_argument
@click.argument("value", metavar="VALUE")
def set_value(key: str, value: str) -> None:
    """Write VALUE for KEY into the settings file."""
    parsed = _parsed(key, value)
    _write(key, str(Path(value).expanduser().absolute()) if _is_path(key, value) else parsed)


@config.command()
@_key_argument
def unset(key: str) -> None:
    """Remove KEY from the settings file, so that its default holds again."""
    _check_key(key)
    _write(key, None)


def _check_key(key: str) -> None:
    """Raises ``SettingsError`` with the most similar known key."""
    if key not in _ALL_KEYS:
        _parsed(key, "")


def _is_path(key: str, value: str) -> bool:
    """Whether a value is the path of a file: relative to this folder, not to that of the settings."""
    return key in _PATH_KEYS and value not in ("", *NAMED_MODELS) and "://" not in value


def _value_line(record: dict[str, object], key: str) -> Iterator[Line]:
    value = record["settings"][key]["value"]  # type: ignore[index]
    yield line(", ".join(map(str, value)) if isinstance(value, tuple) else str(value))


def _lines(record: dict[str, object]) -> Iterator[Line]:
    settings: dict[str, dict[str, object]] = record["settings"]  # type: ignore[assignment]
    width = max(map(len, settings))
    for key, entry in settings.items():
        origin = str(entry["origin"])
        style = "dim" if origin == "default" else ""
        yield line((f"{key:{width}}  ", "bold"), (_shown(entry["value"]), style), (f"  ({origin})", "dim"))


def _shown(value: object) -> str:
    return "-" if value in (None, "", ()) else str(value)


def _write(key: str, value: object | None) -> None:
    """Replaces one key of the settings file, and keeps its comments."""
    file = settings_path()
    document = _document(file)
    table, dot, name = key.rpartition(".")
    place = document.setdefault(table, {}) if dot else document
    if value is None:
        place.pop(name, None)
    else:
        place[name] = list(value) if isinstance(value, tuple) else value
    if dot and not place:
        document.pop(table)
    _replace(file, document.as_string())
    click.echo(f"written to {file}", err=True)


def _document(file: Path) -> "TOMLDocument":
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(toml_text(file)) if file.exists() else tomlkit.document()
    except (TOMLKitError, ValueError, RecursionError) as error:
        raise SettingsError(f"{file} cannot be changed: {error}; edit it, or move it away") from error


def _replace(file: Path, text: str) -> None:
    """Writes the file in one step, so that no command reads half of it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}")
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).replace(file)
    except OSError as error:
        raise SettingsError(f"{file} cannot be written: {error.strerror}") from error
