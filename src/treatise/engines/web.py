"""Fetches a document from a web address that the user named: one request, bounded in size, time and redirects."""

import http.client
import ipaddress
import re
import socket
import time
from collections.abc import Callable
from concurrent.futures import Future
from email.message import Message
from functools import partial
from threading import Thread
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPHandler, HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from treatise import __version__
from treatise.core.errors import DamagedSourceError, SourceNotFoundError, SourceTooLargeError

MAX_BYTES: Final = 64 * 2**20
_CONNECT_S: Final = 20.0
_TOTAL_S: Final = 120.0
_MAX_REDIRECTS: Final = 5
_CHUNK: Final = 2**16
_HTML: Final = re.compile(rb"\s*(?:<!doctype html|<html)|.{0,4096}?<meta[^>]{0,200}charset", re.IGNORECASE | re.DOTALL)
_LOCAL: Final = re.compile(r"localhost|[^.]+|.*\.(?:localhost|local|lan|internal|home|home\.arpa|test)", re.IGNORECASE)


class _PrivateAddressError(OSError):
    """A public name leads to a private address."""


def fetch(url: str, *, max_bytes: int = MAX_BYTES, timeout_s: float = _TOTAL_S) -> bytes:
    """The document at an address; a page has its character set at its beginning.

    Redirects are followed to public addresses, and to the host that the user named. A host with a public name must have
    a public address.

    Raises:
        SourceNotFoundError: The address is not valid, the server is not reached, it refuses, or it ends too early.
        SourceTooLargeError: It sends more than the limit, or takes too long.
    """
    try:
        return _within(timeout_s, partial(_document, url, max_bytes, timeout_s))
    except HTTPError as error:
        error.close()
        raise SourceNotFoundError(
            f"{url}: the server answers {error.code} {error.reason}; is it the right address?"
        ) from error
    except _PrivateAddressError as error:
        raise SourceNotFoundError(f"{url}: {error}") from error
    except TimeoutError as error:
        raise SourceTooLargeError(
            f"{url}: no complete reply within {timeout_s:g} s; download it, and name the file"
        ) from error
    except (URLError, OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, _PrivateAddressError):
            raise SourceNotFoundError(f"{url}: {reason}") from error
        raise SourceNotFoundError(
            f"{url}: cannot be fetched ({reason}); check the address and the connection"
        ) from error


def _within(seconds: float, action: Callable[[], bytes]) -> bytes:
    """The action's result. A server may send a byte per second for ever, so the wait is not left to the socket."""
    future: Future[bytes] = Future()

    def run() -> None:
        try:
            future.set_result(action())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(seconds)


def _document(url: str, max_bytes: int, timeout_s: float) -> bytes:
    deadline = time.monotonic() + timeout_s
    with _opener(url).open(_request(url), timeout=min(_CONNECT_S, timeout_s)) as reply:
        _refuse_compressed(url, reply.headers)
        return _with_charset(_body(reply, url, max_bytes, deadline), reply.headers)


def _request(url: str) -> Request:
    return Request(
        _in_ascii(url),
        headers={"User-Agent": f"treatise/{__version__}", "Accept": "text/html, application/pdf, */*;q=0.8"},
    )


def _in_ascii(url: str) -> str:
    """The address as it is sent: browsers show, and users copy, its letters of other alphabets."""
    parts = urlsplit(url)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
    path, query = (quote(part, safe="%/:=&?~#+!$,;'@()*[]") for part in (parts.path, parts.query))
    return parts._replace(netloc=host, path=path, query=query, fragment="").geturl()


def _refuse_compressed(url: str, headers: Message) -> None:
    """Refuses what was not asked for: compressed text would be read as characters without sense."""
    encoding = str(headers.get("Content-Encoding") or "identity").strip().lower()
    if encoding != "identity":
        raise DamagedSourceError(
            f"{url}: the server compresses its reply ({encoding:.20}); download it, and name the file"
        )


def _opener(url: str) -> OpenerDirector:
    parts = urlsplit(url)
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise SourceNotFoundError(f"{url}: expected an address such as https://example.org/report.pdf")
    if "@" in parts.netloc:
        raise SourceNotFoundError("a web address with a name or password in it is not fetched: download it yourself")
    named = parts.hostname.lower() if _may_be_private(parts.hostname) else ""
    return build_opener(_Handler(named), _SecureHandler(named), _Redirects(named))


def _may_be_private(host: str) -> bool:
    """Whether a user who names this host can mean a machine at home: an address in numbers, or a local name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _LOCAL.fullmatch(host) is not None
    return True


class _Redirects(HTTPRedirectHandler):
    """Follows a few redirects, none to another scheme than HTTP or to a private host that was not named."""

    max_redirections = _MAX_REDIRECTS

    def __init__(self, named: str) -> None:
        self._named = named

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        host = (urlsplit(newurl).hostname or "").lower()
        if urlsplit(newurl).scheme.lower() not in ("http", "https") or (_may_be_private(host) and host != self._named):
            fp.close()
            raise _PrivateAddressError(
                f"it redirects to {newurl:.200}, which is not followed; name that address itself"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Handler(HTTPHandler):
    def __init__(self, named: str) -> None:
        super().__init__()
        self._named = named

    def http_open(self, req: Request) -> http.client.HTTPResponse:
        named = (urlsplit(f"//{req.host}").hostname or "") if req.has_proxy() else self._named
        return self.do_open(partial(_Connection, named=named), req)


class _SecureHandler(HTTPSHandler):
    def __init__(self, named: str) -> None:
        super().__init__()
        self._named = named

    def https_open(self, req: Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_SecureConnection, named=self._named), req)


class _Connection(http.client.HTTPConnection):
    def __init__(self, host: str, *, named: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._named = named

    def connect(self) -> None:
        super().connect()
        _refuse_private(self, self._named)


class _SecureConnection(_Connection, http.client.HTTPSConnection):
    pass


def _refuse_private(connection: http.client.HTTPConnection, named: str) -> None:
    """Closes a connection to a private address, unless the user named its host or a proxy stands between."""
    sock: socket.socket = connection.sock
    address = ipaddress.ip_address(sock.getpeername()[0].partition("%")[0])
    is_proxied = getattr(connection, "_tunnel_host", None) is not None
    if not address.is_global and not is_proxied and connection.host.lower() != named:
        connection.close()
        raise _PrivateAddressError(
            f"its name leads to {address}, a private address; to read from there, name the number"
        )


def _body(reply: Any, url: str, max_bytes: int, deadline: float) -> bytes:
    chunks: list[bytes] = []
    left = max_bytes
    while chunk := reply.read1(_CHUNK):
        left -= len(chunk)
        if left < 0:
            raise SourceTooLargeError(f"{url}: more than {max_bytes:,} bytes; download it, and name the file")
        if time.monotonic() > deadline:
            raise TimeoutError
        chunks.append(chunk)
    if reply.length:
        raise http.client.IncompleteRead(b"", reply.length)
    if not chunks:
        raise DamagedSourceError(f"{url}: an empty reply; is it the right address?")
    return b"".join(chunks)


def _with_charset(data: bytes, headers: Message) -> bytes:
    """A page that says neither that it is one nor its character set, with both before it, from the reply's head."""
    if headers.get_content_type() not in ("text/html", "application/xhtml+xml") or _HTML.match(data):
        return data
    charset = re.sub(r"[^\w.-]", "", headers.get_content_charset() or "utf-8")
    return f'<!doctype html><meta charset="{charset}">\n'.encode() + data
