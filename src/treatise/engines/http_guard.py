"""What an untrusted server may not do: send without end, send the request elsewhere, or have its key repeated."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

MAX_REPLY_BYTES: Final = 64 * 2**20
"""The longest reply that is read; 64 vectors of 4,096 numbers take 3 MB."""

_HIDDEN: Final = "***"
_MIN_SECRET_CHARS: Final = 6
"""A shorter key is a placeholder, such as ``none`` or ``x``, and a part of ordinary words."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Values that must not appear in messages, logs and records.

    Attributes:
        values: The key, and the password of the URL.
    """

    values: tuple[str, ...] = ()

    def redact(self, text: str) -> str:
        """The text without the values, by whatever way they came into it."""
        for value in self.values:
            text = text.replace(value, _HIDDEN)
        return text


NO_SECRETS: Final = Secrets()


def secrets_of(api_key: str, url: str) -> Secrets:
    """The secrets in a key and a URL, as they are and decoded from percent signs."""
    password = urlsplit(url).password or ""
    found = {api_key.strip(), password, unquote(password)}
    return Secrets(tuple(sorted(value for value in found if len(value) >= _MIN_SECRET_CHARS)))


def is_elsewhere(url: str, other: str) -> bool:
    """Whether two URLs differ in scheme, host or port.

    >>> is_elsewhere("http://a/v1", "http://a/v2"), is_elsewhere("https://a/v1", "http://a/v1")
    (False, True)
    """
    return _origin(url) != _origin(other)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme.lower())


async def guard_response(response: Any) -> None:
    """A hook of the HTTP client: bounds the body, and removes the target of a redirect to another server.

    Without its target a redirect is an error of that status; ``redirect_of`` names the target.
    """
    response.stream = _bounded(response.stream)
    target = response.headers.get("location", "")
    if (
        target
        and response.is_redirect
        and is_elsewhere(str(response.request.url), str(response.request.url.join(target)))
    ):
        response.headers[_TARGET] = target
        del response.headers["location"]


def redirect_of(headers: Any) -> str:
    """The host of a redirect that was not followed; empty for other replies."""
    target = headers.get(_TARGET, "")
    return re.sub(r"//[^/]*@", "//", target)[:200]


_TARGET: Final = "treatise-redirect"


def _bounded(stream: Any) -> Any:
    """The stream, bounded; of the class that the client checks for, whose package depends on the client's version."""
    (protocol,) = (kind for kind in type(stream).__mro__ if kind.__name__ == "AsyncByteStream")
    return type("Bounded", (_Bounded, protocol), {})(stream)


class _Bounded:
    """The raw body of a reply, cut at ``MAX_REPLY_BYTES``: cut JSON is an error of its own."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_REPLY_BYTES
        async for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                break

    async def aclose(self) -> None:
        await self._stream.aclose()
