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
from treatise.records import settings_record
from treatise.settings import (
    ENSEMBLE,
    FOLDER_KEYS,
    SETTING_KEYS,
    load_settings,
    parsed_setting,
    setting_origins,
    settings_path,
)

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

_PATH_KEYS: Final = frozenset({"store", *FOLDER_KEYS})
_key_argument = click.argument("key", metavar="KEY")


@click.group(
    short_help="Show and change the settings.",
    epilog="""\b
Examples:
  treatise config get               all settings, with the origin of each
  treatise config get budget
  treatise config set budget 400
  treatise config set llm ollama
  treatise config unset llm
  treatise config path              the file that keeps them

A variable such as TREATISE_BUDGET wins over the file, and an option of a command over both. API keys stay out of the
file: api_key_env names the variable that holds one.
""",
)
def config() -> None:
    """Show and change the settings of all commands."""


@config.command("path")
def path() -> None:
    """Print the path of the settings file, which may not exist yet."""
    click.echo(settings_path())


@config.command()
@click.argument("key", metavar="[KEY]", default="")
@output_option
def get(key: str, *, output: Output) -> None:
    """Print the value of KEY, or every setting with its value and origin."""
    settings, origins = load_settings(), setting_origins()
    if key:
        _check_key(key)
    keys = [key] if key else SETTING_KEYS
    record = settings_record(settings, origins, keys)
    output.show(record, _value_line(record, key) if key else _lines(record))


@config.command("set")
@_key_argument
@click.argument("value", metavar="VALUE")
def set_value(key: str, value: str) -> None:
    """Write VALUE for KEY into the settings file."""
    parsed = parsed_setting(key, value)
    _write(key, str(Path(value).expanduser().absolute()) if _is_path(key, value) else parsed)


@config.command()
@_key_argument
def unset(key: str) -> None:
    """Remove KEY from the settings file, so that its default holds again."""
    _check_key(key)
    _write(key, None)


def _check_key(key: str) -> None:
    """Raises ``SettingsError`` with the most similar known key."""
    if key not in SETTING_KEYS:
        parsed_setting(key, "")


def _is_path(key: str, value: str) -> bool:
    """Whether a value is the path of a file: relative to this folder, not to that of the settings."""
    return key in _PATH_KEYS and value not in ("", ENSEMBLE) and "://" not in value


def _value_line(record: dict[str, object], key: str) -> Iterator[Line]:
    yield line(str(record["settings"][key]["value"]))  # type: ignore[index]


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
    if value is None:
        document.pop(key, None)
    else:
        document[key] = value
    _replace(file, document.as_string())
    click.echo(f"written to {file}", err=True)


def _document(file: Path) -> "TOMLDocument":
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
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
