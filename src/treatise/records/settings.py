"""Records of the settings, and of an error."""

from collections.abc import Mapping

from treatise.records.answers import Record
from treatise.settings import masked_setting


def settings_record(settings: Mapping[str, object], origins: Mapping[str, str]) -> Record:
    """``config get --json``.

    Fields:
        settings: By key ``value``, with passwords in URLs masked, and ``origin``: ``default``, a file, or a variable.
            Those of the server are called ``server.port`` and so on.
    """
    return {
        "settings": {
            key: {"value": _plain(value), "origin": origins.get(key, "default")} for key, value in settings.items()
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
