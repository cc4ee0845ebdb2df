"""Replies in JSON, without places of the server in them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePath, PureWindowsPath
from typing import Any, Final

from starlette.responses import JSONResponse

UPLOAD: Final = "upload://"
"""Prefix of the sources of uploaded files: ``upload://DIGEST/NAME``."""

_SOURCE_KEYS: Final = ("source", "sources")


def json_bytes(value: object) -> bytes:
    """A value as JSON in UTF-8; lone surrogates, which file names may contain, are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("utf-8")


class RecordResponse(JSONResponse):
    """A record of :mod:`treatise.records` as JSON."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return json_bytes(content)


def public_name(source: str) -> str:
    """The last part of a source's path or URL: clients never see folders of the server.

    >>> public_name("/home/ann/tea.md"), public_name("upload://3f2a/tea.md"), public_name("-")
    ('tea.md', 'tea.md', '-')
    """
    if "://" in source and not source.startswith(UPLOAD):
        return source.split("?")[0].rsplit("@")[-1]
    return PureWindowsPath(PurePath(source).name or source).name or source


def public(record: Any) -> Any:
    """A record with the names of sources in place of their paths, at every depth."""
    if isinstance(record, dict):
        return {key: _public_source(value) if key in _SOURCE_KEYS else public(value) for key, value in record.items()}
    if isinstance(record, list):
        return [public(one) for one in record]
    return record


def _public_source(value: object) -> object:
    if isinstance(value, str):
        return public_name(value)
    if isinstance(value, list | tuple):
        return [public_name(one) if isinstance(one, str) else public(one) for one in value]
    return value


class Redactor:
    """Replaces places and secrets of the server in messages for clients.

    Args:
        secrets: Texts to replace, by what stands for them; empty texts are left out.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        known = {text: shown for text, shown in secrets.items() if len(text) > 1}
        self._secrets = dict(sorted(known.items(), key=lambda one: -len(one[0])))

    def text(self, message: str) -> str:
        """The message without them."""
        for secret, shown in self._secrets.items():
            message = message.replace(secret, shown)
        return message

    def texts(self, messages: Iterable[str]) -> list[str]:
        """The messages without them."""
        return [self.text(message) for message in messages]

    def answer(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record of an answer, a summary or passages: public names of sources, and notes without secrets."""
        return {**public(record), "notes": self.texts(record["notes"])}
