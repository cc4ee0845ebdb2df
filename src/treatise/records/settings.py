"""Records of the settings, and of an error."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from treatise.records.answers import Record
from treatise.settings import masked_setting

if TYPE_CHECKING:
    from treatise.settings import Settings


def settings_record(settings: "Settings", origins: Mapping[str, str], keys: Iterable[str]) -> Record:
    """``config get --json``.

    Fields:
        settings: By key ``value``, with passwords in URLs masked, and ``origin``: ``default``, a file, or a variable.
    """
    return {
        "settings": {
            key: {"value": _plain(getattr(settings, key)), "origin": origins.get(key, "default")} for key in keys
        }
    }


def error_record(error: BaseException, message: str) -> Record:
    """What a command with ``--json`` prints if it fails.

    Fields:
        error: ``type``, a name from ``treatise.core.errors`` or of wrong usage, and ``message``.
    """
    return {"error": {"type": type(error).__name__, "message": message}}


def _plain(value: object) -> object:
    shown = masked_setting(value)
    return shown if shown is None or isinstance(shown, int | float | str | tuple) else str(shown)
