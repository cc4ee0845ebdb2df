"""Web addresses: what the user named is fetched once, bounded, and nothing else."""

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from treatise.core.errors import SourceError, SourceNotFoundError, SourceTooLargeError
from treatise.engines.web import fetch
from treatise.ingest import read_bytes

REPLIES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/tea": (200, {"Content-Type": "text/html; charset=iso-8859-1"}, "<p>Thé is hot. It is drunk.".encode("latin-1")),
    "/text.txt": (200, {"Content-Type": "text/plain"}, b"Tea is hot."),
    "/moved": (302, {"Location": "/text.txt"}, b""),
    "/elsewhere": (302, {"Location": "http://10.1.2.3/secret"}, b""),
    "/file": (302, {"Location": "file:///etc/hostname"}, b""),
    "/round": (302, {"Location": "/round"}, b""),
    "/empty": (200, {}, b""),
    "/big": (200, {}, b"x" * 5_000),
    "/h%C3%B6he?q=%C3%BC%20x": (200, {"Content-Type": "text/plain"}, b"Tea is high."),
    "/compressed": (200, {"Content-Type": "text/html", "Content-Encoding": "br"}, b"\x8b\x02\x80Tea\x03"),
    "/cut": (200, {"Content-Type": "text/plain", "Content-Length": "900"}, b"Tea is"),
}
DRIPS = {
    "/drip-of-body": b"HTTP/1.0 200 OK\r\n\r\n",
    "/drip-of-head": b"HTTP/1.0 200 OK\r\nX-Tea: ",
}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        if self.path in DRIPS:
            self._drip(DRIPS[self.path])
            return
        status, headers, body = REPLIES.get(self.path, (404, {}, b"no"))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, head: bytes) -> None:
        self.wfile.write(head)
        for _ in range(30):
            self.wfile.write(b"x")
            time.sleep(0.1)

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    block_on_close = False  # a drip may still run

    def handle_error(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with _Server(("127.0.0.1", 0), _Handler) as found:
        found.asked = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=found.serve_forever, args=(0.01,))
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def _url(server: ThreadingHTTPServer, path: str, host: str = "127.0.0.1") -> str:
    return f"http://{host}:{server.server_port}{path}"


def test_a_page_is_fetched_once_and_read_in_its_character_set(server: ThreadingHTTPServer) -> None:
    url = _url(server, "/tea")
    assert read_bytes(fetch(url), name=url).text.startswith("Thé is hot.")
    assert server.asked == ["/tea"]  # type: ignore[attr-defined]


def test_a_text_comes_to_the_letter_also_over_a_redirect(server: ThreadingHTTPServer) -> None:
    assert fetch(_url(server, "/moved")) == b"Tea is hot."


@pytest.mark.parametrize("path", ["/elsewhere", "/file", "/round", "/none", "/empty", "/compressed", "/cut"])
def test_what_cannot_or_may_not_be_fetched_is_an_error_that_names_it(server: ThreadingHTTPServer, path: str) -> None:
    with pytest.raises(SourceError, match=path):
        fetch(_url(server, path))


def test_a_reply_over_the_limit_is_refused(server: ThreadingHTTPServer) -> None:
    with pytest.raises(SourceTooLargeError, match="4,000 bytes"):
        fetch(_url(server, "/big"), max_bytes=4_000)


@pytest.mark.parametrize("path", sorted(DRIPS))
def test_a_server_that_sends_a_byte_now_and_then_is_given_up_in_time(server: ThreadingHTTPServer, path: str) -> None:
    started = time.monotonic()
    with pytest.raises(SourceTooLargeError, match=path):
        fetch(_url(server, path), timeout_s=0.5)
    assert time.monotonic() - started < 2


def test_an_address_may_have_letters_of_any_alphabet_and_spaces(server: ThreadingHTTPServer) -> None:
    assert fetch(_url(server, "/höhe?q=ü x#part")) == b"Tea is high."


def test_a_public_name_of_a_private_address_is_refused(
    server: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = socket.create_connection

    def as_if_by_name(address: tuple[str, int], *rest: object, **options: object) -> socket.socket:
        return connect(("127.0.0.1", address[1]), *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("socket.create_connection", as_if_by_name)
    with pytest.raises(SourceNotFoundError, match="private address"):
        fetch(_url(server, "/tea", host="evil.example"))
    assert server.asked == []  # type: ignore[attr-defined]


@pytest.mark.parametrize("url", ["ftp://a/b", "https://", "http://user:secret@a.example/", "http://[::1/"])
def test_addresses_that_are_none_are_refused_without_a_request(url: str) -> None:
    with pytest.raises(SourceNotFoundError) as caught:
        fetch(url)
    assert "secret" not in str(caught.value)
