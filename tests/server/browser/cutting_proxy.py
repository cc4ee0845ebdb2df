"""A TCP proxy that resets its connections at a chosen place of the server's reply."""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

_KEPT = 100
_PAUSE_S = 0.3
"""Before a reset, so that the client has read what came before."""

_RESET = struct.pack("ii", 1, 0)
"""The linger option with which a closed socket is reset."""


@dataclass
class CuttingProxy:
    """Passes bytes on in both directions.

    Attributes:
        target: The port of the server.
        cut_at: Bytes of the reply at which the connection breaks; empty for never.
        n_cut: How often it broke.
    """

    target: int
    cut_at: bytes = b""
    n_cut: int = 0
    listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def url(self) -> str:
        """Its address for a browser."""
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def serve(self) -> None:
        """Takes connections until the listening socket is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.listening.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                for work in (self._ask, self._reply):
                    threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while data := client.recv(65536):
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)

    def _reply(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError), client, server:
            seen = b""  # the place to cut at may be spread over two parts
            while data := server.recv(65536):
                seen = seen[-_KEPT:] + data
                at = seen.find(self.cut_at) if self.cut_at else -1
                if at < 0:
                    client.sendall(data)
                    continue
                client.sendall(data[: max(0, at - len(seen) + len(data))])
                self.n_cut += 1
                time.sleep(_PAUSE_S)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                client.shutdown(socket.SHUT_RD)  # wakes the other thread, which holds the socket open
                return


@contextmanager
def cutting_proxy(target: int) -> Iterator[CuttingProxy]:
    """A proxy before a server's port."""
    proxy = CuttingProxy(target)
    with proxy.listening:
        threading.Thread(target=proxy.serve, daemon=True).start()
        yield proxy
        proxy.listening.shutdown(socket.SHUT_RDWR)
