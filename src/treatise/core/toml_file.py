"""Settings files: regular files of a bounded size, as TOML."""

import os
import stat
import tomllib
from pathlib import Path
from typing import Any, Final

from treatise.core.errors import SettingsError

MAX_TOML_BYTES: Final = 1 << 20


def toml_text(file: Path) -> str:
    """The text of a settings file.

    Raises:
        SettingsError: If it is absent, no regular file (a pipe would be waited for), too large or not UTF-8.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as stream:  # noqa: PTH123  (pathlib cannot open descriptors)
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SettingsError(f"{file} is a pipe or a device, not a settings file")
            content: bytes | None = stream.read(MAX_TOML_BYTES + 1)
            if content is None:  # a file of the system that would be waited for
                raise SettingsError(f"{file} has nothing to read, and is no settings file")
    except (OSError, ValueError) as error:
        raise SettingsError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(content) > MAX_TOML_BYTES:
        raise SettingsError(f"{file} is larger than {MAX_TOML_BYTES >> 20} MB: is it a settings file?")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {error}") from error


def read_toml(file: Path) -> dict[str, Any]:
    """The content of a settings file.

    Raises:
        SettingsError: As ``toml_text``, and if it is not TOML, is nested too deeply or has a number of absurd length.
    """
    text = toml_text(file)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise SettingsError(f"{file} is not TOML: {reason}") from error
