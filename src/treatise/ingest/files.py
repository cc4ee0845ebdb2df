"""Reads files and detects whether they have changed since."""

import hashlib
from pathlib import Path
from typing import Final

from treatise.core.ports import SourceState
from treatise.ingest.limits import DEFAULT_LIMITS, Limits
from treatise.ingest.streams import read_regular_file
from treatise.ingest.version import READER_VERSION

_READ_BY: Final = f"reader {READER_VERSION}: "
"""Prefix of a source's digest: sources read by another reader version are read again, even if unchanged."""


def read_file(name: str, limits: Limits = DEFAULT_LIMITS) -> tuple[bytes, SourceState]:
    """The bytes of a file, and its state just before they were read.

    Raises:
        SourceNotFoundError: The file does not exist, or is a folder.
        SourceTooLargeError: The file is over the limit.
        SourceError: It is a device or a pipe, or cannot be read.
    """
    content, modified_ns = read_regular_file(name, limits)
    return content, SourceState(name, len(content), modified_ns, _digest(content))


def state_of(name: str, content: bytes) -> SourceState:
    """The state of a source whose bytes do not come from a file."""
    return SourceState(name, len(content), 0, _digest(content))


def is_unchanged(name: str, state: SourceState) -> bool:
    """Whether this version read the file, and its size and modification time are still the same."""
    if not is_of_this_version(state):
        return False
    try:
        now = Path(name).stat()
    except (OSError, ValueError):
        return False
    return (now.st_size, now.st_mtime_ns) == (state.size, state.modified_ns)


def is_file_name(source: str) -> bool:
    """Whether a source of the library is a file of this machine: the library names these by their absolute paths.

    Others (standard input, web addresses, uploads to a server, texts that a program named) cannot be looked at again.
    """
    return Path(source).is_absolute()


def is_of_this_version(state: SourceState) -> bool:
    """Whether this version of the readers read the source."""
    return state.digest.startswith(_READ_BY)


def is_content_of(content: bytes, state: SourceState) -> bool:
    """Whether these are the bytes that were indexed, by any version of the readers."""
    return state.digest.endswith(hashlib.sha256(content).hexdigest())


def _digest(content: bytes) -> str:
    return f"{_READ_BY}{hashlib.sha256(content).hexdigest()}"
