"""Reads uploaded files: a ``SourceReader`` that works in a process of its own."""

import json
import struct
import zlib
from collections.abc import Callable
from typing import Final

from treatise.core import errors
from treatise.core.document import Document
from treatise.core.errors import DamagedSourceError, SourceError
from treatise.server.isolated import Isolation, never
from treatise.server.replies import public_name
from treatise.store.codec import unpack_document

_BROKEN: Final = (ValueError, LookupError, TypeError, zlib.error, struct.error)


class IsolatedReader:
    """Reads documents within limits.

    Args:
        isolation: The limits.
        is_cancelled: Asked while the process works.
    """

    def __init__(self, isolation: Isolation, is_cancelled: Callable[[], bool] = never) -> None:
        self._isolation = isolation
        self._is_cancelled = is_cancelled

    def __call__(self, data: bytes, name: str) -> Document:
        """The document in the bytes; messages have the last part of its name.

        Raises:
            SourceError: If it cannot be read, or exceeds a limit.
            CancelledError: If the work was cancelled.
        """
        shown = public_name(name)
        output = self._isolation.run(
            "treatise.server.read_one", [shown], data, name=shown, is_cancelled=self._is_cancelled
        )
        head, _, body = output.partition(b"\n")
        try:
            found = json.loads(head)
            if "error" in found:
                raise source_error(found["error"])(found["message"])
            text, structure = body[: found["text"]], body[found["text"] :]
            return unpack_document(
                source=name,
                title=found["title"],
                language=found["language"],
                text=text,
                structure=structure,
                metadata={str(key): tuple(map(str, values)) for key, values in found["metadata"].items()},
            )
        except _BROKEN as error:
            raise DamagedSourceError(f"{shown}: the reader wrote no document: the file may be damaged") from error


def source_error(kind: str) -> type[SourceError]:
    """The class of a source error by its name."""
    found = getattr(errors, kind, None)
    return found if isinstance(found, type) and issubclass(found, SourceError) else SourceError
