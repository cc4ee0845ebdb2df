"""Structured logs: one JSON object or one line of text per record, each with the id of its request."""

import json
import logging
import logging.config
import sys
import time
import traceback
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

from treatise.engines.http_guard import NO_SECRETS, Secrets

_ACCESS: Final = logging.getLogger("treatise.access")
_FAILURES: Final = logging.getLogger("treatise.server")

_OWN: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}
"""Attributes of every log record; the others are fields of ours."""


def request_id_of(scope: MutableMapping[str, Any]) -> str:
    """The id of a request, as its logs and its reply have it."""
    return str(scope.get("state", {}).get("request_id", ""))


def log_access(**fields: object) -> None:
    """Logs a finished request."""
    _ACCESS.info("request", extra=fields)


def log_failure(request_id: str, error: BaseException) -> None:
    """Logs an error with its traceback, which no reply contains."""
    _FAILURES.error(
        "%s: %s",
        type(error).__name__,
        error,
        extra={"request_id": request_id, "traceback": "".join(traceback.format_exception(error))},
    )


class JsonFormatter(logging.Formatter):
    """One JSON object per record: ``time``, ``level``, ``logger``, ``message``, and the record's own fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        found = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{key: value for key, value in record.__dict__.items() if key not in _OWN},
        }
        if record.exc_info:
            found["traceback"] = self.formatException(record.exc_info)
        return json.dumps(found, default=str)


class TextFormatter(logging.Formatter):
    """One line per record for people: time, level, message, fields. A document's control characters are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line, then its traceback if it has one."""
        fields = {key: value for key, value in record.__dict__.items() if key not in _OWN}
        trace = fields.pop("traceback", "") or (self.formatException(record.exc_info) if record.exc_info else "")
        shown = " ".join(f"{key}={json.dumps(value, default=str)}" for key, value in fields.items())
        moment = time.strftime("%H:%M:%S", time.localtime(record.created))
        message = json.dumps(record.getMessage(), ensure_ascii=False)[1:-1]
        line = f"{moment} {record.levelname.lower():7} {message} {shown}".rstrip()
        return f"{line}\n{trace}" if trace else line


def formatter_of(log_format: str) -> logging.Formatter:
    """The formatter of a ``ServerConfig.log_format``."""
    is_text = sys.stderr.isatty() if log_format == "auto" else log_format == "text"
    return TextFormatter() if is_text else JsonFormatter()


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to standard error, without secrets."""

    def __init__(self, secrets: Secrets) -> None:
        super().__init__(sys.stderr)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        """The record, with other signs in place of secrets, wherever they came into it."""
        return self._secrets.redact(super().format(record))


def configure_logs(log_format: str, level: str, secrets: Secrets = NO_SECRETS) -> None:
    """Sends the logs of the server to standard error, without these secrets."""
    handler = _Handler(secrets)
    handler.setFormatter(formatter_of(log_format))
    for name in ("treatise", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
    logging.getLogger("uvicorn.access").handlers = []
    logging.getLogger("uvicorn.access").propagate = False
