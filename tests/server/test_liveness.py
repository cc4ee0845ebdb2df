"""Health on a port of its own."""

import asyncio
import os
import socket
import time
from pathlib import Path

import httpx
import pytest

from treatise.core.errors import SettingsError
from treatise.server.config import ServerConfig
from treatise.server.liveness import FOLDER, MAX_SILENCE_S, beat, health_process, silence_s
from treatise.server.run import bound_socket


def test_health_follows_the_heartbeat_of_the_server() -> None:
    listening = bound_socket("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/healthz"
    with health_process(listening):
        folder = Path(os.environ[FOLDER])
        assert httpx.get(url, timeout=30).status_code == 503
        (folder / "1").touch()
        assert httpx.get(url).json() == {"status": "ok"}
        assert httpx.get(url.replace("healthz", "keys")).status_code == 404
        silent = time.time() - MAX_SILENCE_S - 1
        os.utime(folder / "1", (silent, silent))
        assert httpx.get(url).status_code == 503
    assert FOLDER not in os.environ
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


def test_a_worker_beats_while_its_event_loop_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(beat())  # returns: no process asks for it
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(beat(), 0.05))
    assert silence_s(tmp_path) < 5


def test_a_port_in_use_is_named() -> None:
    with bound_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port} of 127.0.0.1 cannot be used.*choose another --port"):
            bound_socket("127.0.0.1", port)


def test_a_bound_socket_takes_connections_before_anything_is_served() -> None:
    with bound_socket("localhost", 0) as listening, socket.create_connection(listening.getsockname()[:2], timeout=5):
        pass


def test_health_needs_another_port_than_the_server() -> None:
    with pytest.raises(SettingsError, match="another port"):
        ServerConfig(port=9000, health_port=9000)


def test_replies_do_not_wait_for_the_acknowledgement_of_their_first_part() -> None:
    with bound_socket("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        taken, _ = listening.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
