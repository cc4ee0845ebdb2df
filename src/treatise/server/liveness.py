"""Health on a port of its own: a small process that answers by the server's heartbeat, however busy the server is.

A thread of the server would wait for Python's lock, and for its turn among the threads that answer questions.
Run as ``python -m treatise.server.liveness SOCKET FOLDER``; it ends when the process that started it is gone.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Final

FOLDER: Final = "TREATISE_SERVER_HEARTBEATS"
"""Variable that names the folder of heartbeats to the workers."""

BEAT_S: Final = 0.5
MAX_SILENCE_S: Final = 10.0
"""A server whose workers are silent for longer is not healthy."""

_READ_TIMEOUT_S: Final = 5.0


async def beat() -> None:
    """Notes in the folder of heartbeats that this worker's event loop runs; returns at once without a folder."""
    if not (folder := os.environ.get(FOLDER)):
        return
    file = Path(folder) / str(os.getpid())
    while True:
        file.touch()
        await asyncio.sleep(BEAT_S)


@contextmanager
def health_process(listening: socket.socket) -> Iterator[None]:
    """The process that answers ``/healthz`` on this socket, while the server runs."""
    with listening, TemporaryDirectory(prefix="treatise-health-") as folder:
        os.environ[FOLDER] = folder
        number = listening.fileno()
        with subprocess.Popen(
            [sys.executable, "-m", __name__, str(number), folder],
            pass_fds=(number,),
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C is for the server, which then ends this process
        ) as process:
            try:
                yield
            finally:
                process.kill()
                del os.environ[FOLDER]


def silence_s(folder: Path) -> float:
    """Seconds since the last heartbeat of any worker; infinite if there was none."""
    return time.time() - max((one.stat().st_mtime for one in folder.iterdir()), default=float("-inf"))


def health_server(listening: socket.socket, folder: Path) -> ThreadingHTTPServer:
    """The server of ``/healthz``: 200 while the heartbeat is fresh, else 503."""

    class Handler(BaseHTTPRequestHandler):
        timeout = _READ_TIMEOUT_S
        server_version, sys_version = "treatise", ""

        def do_GET(self) -> None:
            is_healthy = silence_s(folder) < MAX_SILENCE_S
            is_known = self.path == "/healthz"
            body = json.dumps({"status": ("ok" if is_healthy else "silent") if is_known else "unknown path"}).encode()
            self.send_response((200 if is_healthy else 503) if is_known else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing: a probe comes every few seconds."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Nothing: the client has left."""

    server = Server(listening.getsockname()[:2], Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    return server


def main() -> None:
    """Serves until the parent process is gone."""
    number, folder = sys.argv[1:]
    parent = os.getppid()
    server = health_server(socket.socket(fileno=int(number)), Path(folder))
    Thread(target=server.serve_forever, daemon=True).start()
    while os.getppid() == parent:
        time.sleep(BEAT_S)


if __name__ == "__main__":
    main()
