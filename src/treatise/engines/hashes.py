"""Hashes of a model's files, in the form of ``sha256sum``: a damaged download must not answer questions."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

SUMS: Final = "SHA256SUMS"
"""The file in a model's folder with a hash and a name per line. Folders without one are not checked."""


def require_hash(file: Path) -> None:
    """Compares a file with its hash; a file is read once per process.

    Raises:
        ValueError: The file differs.
    """
    if file.is_file() and (expected := _sums(file.parent).get(file.name)) and _hash(file) != expected:
        raise ValueError(f"it differs from its hash in {SUMS}")


def model_faults(folder: Path) -> list[str]:
    """The names of files that are missing or differ from their hashes."""
    return [name for name, expected in sorted(_sums(folder).items()) if not _equals(folder / name, expected)]


def write_hashes(folder: Path) -> None:
    """Writes the hashes of all files of a folder."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.name != SUMS)
    (folder / SUMS).write_text("".join(f"{_hash(file)}  {file.name}\n" for file in files), encoding="utf-8")


def _equals(file: Path, expected: str) -> bool:
    try:
        return _hash(file) == expected
    except OSError:
        return False


def _sums(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return {name: expected for expected, _, name in (line.partition("  ") for line in lines)}


def _hash(file: Path) -> str:
    state = file.stat()
    return _hash_of(file, state.st_size, state.st_mtime_ns)


@cache
def _hash_of(file: Path, _size: int, _modified_ns: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
