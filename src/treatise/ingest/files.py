"""Files as they lie on disk: their bytes, and whether they have changed since they were read."""

import hashlib
from dataclasses import replace
from pathlib import Path

from treatise.core.errors import SourceError, SourceNotFoundError
from treatise.core.ports import SourceState


def read_file(name: str) -> tuple[bytes, SourceState]:
    """A file's bytes, and what tells whether it has changed since.

    Raises:
        SourceNotFoundError: Where there is no such file, or it is a folder.
        SourceError: Where it cannot be read.
    """
    path = Path(name)
    if path.is_dir():
        raise SourceNotFoundError(
            f"{name} is a folder, expected a file: name the files in it, for example {name}/*.pdf"
        )
    try:
        content = path.read_bytes()
        modified_ns = path.stat().st_mtime_ns
    except FileNotFoundError as error:
        raise SourceNotFoundError(f"{name}: there is no such file") from error
    except OSError as error:
        raise SourceError(f"{name} could not be read: {error.strerror or error}") from error
    return content, replace(state_of(name, content), modified_ns=modified_ns)


def state_of(name: str, content: bytes) -> SourceState:
    """The state of a source whose bytes do not come from a file."""
    return SourceState(name, len(content), 0, hashlib.sha256(content).hexdigest())


def is_unchanged(name: str, state: SourceState) -> bool:
    """Whether the file has the size and the time of change that it had when it was read."""
    try:
        now = Path(name).stat()
    except OSError:
        return False
    return (now.st_size, now.st_mtime_ns) == (state.size, state.modified_ns)
