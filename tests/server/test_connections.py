"""Connections that bring no request, or one slowly."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import uvicorn

from treatise.server.config import ServerConfig
from treatise.server.connections import ImpatientProtocol
from treatise.server.run import server_options

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


class Hasty(ImpatientProtocol):
    head_timeout_s = 0.4


async def slow_app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers after the whole body and a second."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(1)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"done"})


@pytest.fixture
def address() -> Iterator[tuple[str, int]]:
    """A server of ``slow_app`` with little patience."""
    options = {**server_options(ServerConfig()), "http": Hasty, "lifespan": "off"}
    server = uvicorn.Server(uvicorn.Config(slow_app, port=0, **options))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()
    server.should_exit = True
    thread.join(10)


@pytest.mark.parametrize("begun", [b"", b"GET / HT", HEAD])
def test_a_connection_without_a_whole_head_is_closed(address: tuple[str, int], begun: bytes) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(begun)
        assert connection.recv(100) == b""


def test_bytes_that_drip_in_prolong_nothing(address: tuple[str, int]) -> None:
    began = time.monotonic()
    with socket.create_connection(address, timeout=10) as connection, suppress(BrokenPipeError, ConnectionResetError):
        connection.sendall(HEAD)
        while time.monotonic() - began < 10:
            time.sleep(0.1)
            connection.sendall(b"X: y\r\n")
    assert time.monotonic() - began < 5


def assert_answered(connection: socket.socket) -> None:
    """The reply comes whole, in one part or several."""
    reply = b""
    while not reply.endswith(b"done"):
        part = connection.recv(1000)
        assert part, reply
        reply += part


def test_a_request_that_takes_longer_and_the_next_one_are_served(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=10) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n")
        for part in (b"a", b"b"):
            time.sleep(0.6)
            connection.sendall(part)
        assert_answered(connection)
        time.sleep(0.6)  # a kept connection may be idle for longer
        connection.sendall(HEAD + b"\r\n")
        assert_answered(connection)
        connection.sendall(HEAD)
        assert connection.recv(100) == b""
