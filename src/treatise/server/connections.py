"""Connections that bring no request are closed: silent ones would use up the open files that a process may have."""

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    _Protocol = asyncio.Protocol
else:
    _Protocol = AutoHTTPProtocol


class ImpatientProtocol(_Protocol):
    """Uvicorn's protocol, which by itself waits for ever for the head of a request.

    Between requests its limit of kept connections holds, and during one ``upload_timeout_s``.

    Attributes:
        head_timeout_s: Longest time from the first byte of a head, or from the connection, to the end of the head.
    """

    head_timeout_s: ClassVar[float] = 20.0
    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See ``asyncio.Protocol``."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """See ``asyncio.Protocol``."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncio.Protocol``."""
        super().connection_lost(exc)
        self._unwatch()

    def _watch(self) -> None:
        """Begins to wait for the end of a head, or ends it; further bytes of a head prolong nothing."""
        connection = cast("Any", self)
        is_idle = connection.cycle is None or connection.cycle.response_complete
        if not is_idle:
            self._unwatch()
        elif self._closing is None:
            self._closing = connection.loop.call_later(self.head_timeout_s, connection.transport.close)

    def _unwatch(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
