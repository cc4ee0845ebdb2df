"""Settings of the server: the table ``[server]`` of the settings file, then variables, then the command line."""

import ipaddress
import json
import logging
import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from treatise.core.errors import SettingsError
from treatise.core.toml_file import read_toml
from treatise.settings import SERVER_PREFIX, settings_path

_LOG_FORMATS: Final = ("auto", "json", "text")


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """Every setting of the server with its default.

    Attributes:
        host, port: Address to listen on; port 0 chooses a free one.
        workers: Processes that serve the same store.
        state: Folder of jobs, keys, conversations and uploaded files; empty for a folder beside the store.
        allowed_hosts: Names in the Host header that are accepted beside those of this machine, such as the name of a
            reverse proxy. A name of another machine makes keys mandatory.
        require_key: Whether every request needs a key even on a loopback address.
        max_upload_mb: Largest upload, all files of a request together.
        max_upload_files: Files in one upload.
        upload_timeout_s: Longest time in which a request's body must arrive.
        read_timeout_s, read_memory_mb: Time and memory of the process that reads one uploaded file.
        question_threads: Questions answered at the same time in each worker.
        max_waiting: Questions that wait in each worker; further ones are answered 429.
        job_threads: Index jobs that run at the same time in each worker.
        keep_jobs_days: How long ended jobs are kept, and uploaded files that are no document; 0 for ever.
        keep_conversations_days: How long a conversation is kept after its last question; 0 for ever.
        keep_originals_days: How long the uploaded file of a document is kept; 0 as long as the document. Without it
            pages of a PDF cannot be drawn any more.
        health_port: Port of a small process that answers ``/healthz`` however busy the server is; 0 for none.
        stop_timeout_s: How long running questions may go on after a signal to stop.
        log_format, log_level: ``json``, ``text``, or ``auto`` for text in a terminal and JSON elsewhere; a level of
            Python's ``logging``.

    Raises:
        SettingsError: If a value is out of its range.
    """

    host: str = "127.0.0.1"
    port: int = 8790
    workers: int = 1
    state: str = ""
    allowed_hosts: tuple[str, ...] = ()
    require_key: bool = False
    max_upload_mb: int = 100
    max_upload_files: int = 50
    upload_timeout_s: float = 300.0
    read_timeout_s: float = 120.0
    read_memory_mb: int = 4_096
    question_threads: int = 2
    max_waiting: int = 64
    job_threads: int = 1
    keep_jobs_days: float = 30.0
    keep_conversations_days: float = 365.0
    keep_originals_days: float = 0.0
    health_port: int = 0
    stop_timeout_s: float = 30.0
    log_format: str = "auto"
    log_level: str = "info"

    def __post_init__(self) -> None:
        for key in _POSITIVE:
            if not 0 < getattr(self, key) < math.inf:
                raise SettingsError(f"server.{key} must be a number above 0, not {getattr(self, key)}")
        for key in ("keep_jobs_days", "keep_conversations_days", "keep_originals_days"):
            if not 0 <= getattr(self, key) < math.inf:
                raise SettingsError(f"server.{key} must be a number of days, or 0 for ever, not {getattr(self, key)}")
        for key in ("port", "health_port"):
            if not 0 <= getattr(self, key) < 2**16:
                raise SettingsError(f"server.{key} must be 0 to 65535, not {getattr(self, key)}")
        if self.health_port and self.health_port == self.port:
            raise SettingsError(f"server.health_port must be another port than server.port, {self.port}")
        if self.log_format not in _LOG_FORMATS:
            raise SettingsError(f"server.log_format is one of {', '.join(_LOG_FORMATS)}, not {self.log_format!r}")
        if self.log_level.upper() not in logging.getLevelNamesMapping():
            raise SettingsError(f"server.log_level is a level such as info or debug, not {self.log_level!r}")

    @property
    def needs_key(self) -> bool:
        """Whether requests need a key: always, unless only this machine can reach the server."""
        return self.require_key or not all(map(is_loopback, (self.host, *self.allowed_hosts)))

    @property
    def max_upload_bytes(self) -> int:
        """``max_upload_mb`` in bytes."""
        return self.max_upload_mb * 2**20

    def to_json(self) -> str:
        """For a worker process; see :meth:`from_json`."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "ServerConfig":
        """The configuration that ``to_json`` wrote."""
        found = json.loads(text)
        return cls(**{**found, "allowed_hosts": tuple(found["allowed_hosts"])})


_POSITIVE: Final = (
    "workers",
    "max_upload_mb",
    "max_upload_files",
    "upload_timeout_s",
    "read_timeout_s",
    "read_memory_mb",
    "question_threads",
    "max_waiting",
    "job_threads",
    "stop_timeout_s",
)
_TYPES: Final[dict[str, type]] = {field.name: type(field.default) for field in fields(ServerConfig)}
SERVER_KEYS: Final = tuple(_TYPES)
"""The keys of the table ``[server]``."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address or name.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def load_server_config(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> ServerConfig:
    """The configuration of file and environment.

    Raises:
        SettingsError: Naming the file or variable, the key, and what was expected.
    """
    file = path or settings_path(environment)
    config = _with(ServerConfig(), f"{file} [server]", _table(file))
    for name in sorted(environment):
        if name.startswith(SERVER_PREFIX):
            key = name.removeprefix(SERVER_PREFIX).lower()
            config = _with(config, name, {key: _from_text(key, environment[name])})
    return config


def server_setting_origins() -> dict[str, str]:
    """The file or the variable that sets each key; keys with their default value are absent."""
    file = settings_path()
    variables = {key: f"{SERVER_PREFIX}{key.upper()}" for key in SERVER_KEYS}
    named = {key: name for key, name in variables.items() if name in os.environ}
    return {**dict.fromkeys(_table(file), str(file)), **named}


def parsed_server_setting(key: str, text: str) -> object:
    """The value that a text gives a key.

    Raises:
        SettingsError: If the key is unknown, or the text is not a value of its type and range.
    """
    return getattr(_with(ServerConfig(), "server", {key: _from_text(key, text)}), key)


def _table(file: Path) -> dict[str, Any]:
    """The table ``[server]``; empty if file or table is absent. ``load_settings`` reports an unreadable file."""
    try:
        found = read_toml(file).get("server", {})
    except SettingsError:
        return {}
    if not isinstance(found, dict):
        raise SettingsError(f"{file}: server must be a table: write [server] and its keys below")
    return found


def _with(config: ServerConfig, origin: str, found: Mapping[str, Any]) -> ServerConfig:
    for key, value in found.items():
        try:
            config = replace(config, **{key: _typed(origin, key, value)})
        except SettingsError as error:
            raise error if str(error).startswith(origin) else SettingsError(f"{origin}: {error}") from error
    return config


def _typed(origin: str, key: str, value: object) -> Any:
    if key not in _TYPES:
        near = get_close_matches(key, SERVER_KEYS, n=1)
        advice = f"did you mean {near[0]!r}?" if near else f"known keys are {', '.join(SERVER_KEYS)}"
        raise SettingsError(f"{origin}: unknown key {key!r}; {advice}")
    wanted = _TYPES[key]
    if wanted is float and type(value) is int:
        return float(value)
    if wanted is tuple and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    if type(value) is not wanted:
        raise SettingsError(f"{origin}: {key} must be {_NAMES[wanted]}, not {value!r}")
    return value


_NAMES: Final[dict[type, str]] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: "a list of texts",
}


def _from_text(key: str, text: str) -> object:
    """A variable's value in the type of its key, if it can be read as such."""
    wanted = _TYPES.get(key)
    if wanted is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    if wanted is bool:
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(text.lower(), text)
    if wanted in (int, float):
        try:
            return wanted(text)
        except ValueError:
            return text
    return text
