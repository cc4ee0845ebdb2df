"""Pictures of PDF pages and places on them, made in a process that may be killed: pdfium parses hostile bytes."""

import json
from dataclasses import dataclass, field
from typing import Any, Final

from anyio import CapacityLimiter, to_thread

from treatise.core.document import Document, Span
from treatise.core.errors import DamagedSourceError
from treatise.server.isolated import Isolation
from treatise.server.reading import source_error

_AT_ONCE: Final = 2


@dataclass
class Drawing:
    """Draws pages of PDFs, two at a time; further requests wait without a thread.

    Attributes:
        isolation: Limits of each process.
    """

    isolation: Isolation
    _limiter: CapacityLimiter | None = field(default=None, init=False)

    async def picture(self, data: bytes, document: Document, page: int, span: Span, scale: float) -> bytes:
        """A page, from 1, as PNG with a span highlighted; an empty span highlights nothing.

        Raises:
            SourceError: If there is no such page, or the PDF cannot be read within the limits.
        """
        return (await self._run(data, document, page, span, scale))[1]

    async def boxes(self, data: bytes, document: Document, span: Span) -> dict[str, Any]:
        """``boxes``, one per line of the span, and ``pages``, the sizes of the pages that have them.

        Raises:
            SourceError: As ``picture``.
        """
        return (await self._run(data, document, document.page_at(span.start) or 1, span, 0.0))[0]

    async def _run(
        self, data: bytes, document: Document, page: int, span: Span, scale: float
    ) -> tuple[dict[str, Any], bytes]:
        self._limiter = self._limiter or CapacityLimiter(_AT_ONCE)  # belongs to the event loop that serves
        wanted = {**_part(document, span), "page": page, "scale": scale, "name": document.source}
        return await to_thread.run_sync(self._drawn, wanted, data, limiter=self._limiter)

    def _drawn(self, wanted: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        name = wanted["name"]
        head = json.dumps(wanted).encode() + b"\n"
        output = self.isolation.run("treatise.server.draw_one", [], head + data, name=name)
        line, _, picture = output.partition(b"\n")
        try:
            found: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise DamagedSourceError(f"{name}: the page cannot be drawn: the file may be damaged") from error
        if "error" in found:
            raise source_error(found["error"])(found["message"])
        return found, picture


def _part(document: Document, span: Span) -> dict[str, Any]:
    """The pages of the span alone, with their numbers: pages before them are empty, those after them are left out."""
    starts = document.page_starts
    first, last = (document.page_at(at) or 1 for at in (span.start, max(span.start, span.end - 1)))
    begin, end = starts[first - 1], starts[last] if last < len(starts) else len(document.text)
    return {
        "text": document.quote(begin, end),
        "page_starts": [0] * first + [start - begin for start in starts[first:last]],
        "start": span.start - begin,
        "end": span.end - begin,
    }
