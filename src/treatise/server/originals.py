"""Uploaded files, kept as they came: to resume a job after a restart, and to show pages of a PDF."""

import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath, PureWindowsPath
from tempfile import NamedTemporaryFile
from typing import IO, BinaryIO, Final
from unicodedata import category

from treatise.core.errors import SourceNotFoundError
from treatise.ingest.files import read_file
from treatise.ingest.formats import format_of
from treatise.server.replies import UPLOAD
from treatise.server.state import Row, State

_CHUNK: Final = 1 << 20
_HEAD: Final = 1024
_MAX_NAME_BYTES: Final = 200
_KILLED_S: Final = 86_400  # after so long, what is not noted is of an upload that was killed
_DIGEST: Final = 16


@dataclass(frozen=True, slots=True)
class Original:
    """One uploaded file.

    Attributes:
        source: Its name in the store: ``upload://DIGEST/NAME``.
        path: Where it is kept.
        name: Its name as uploaded, without folders.
        size: Bytes.
        document: The id of its document; None before it is indexed.
    """

    source: str
    path: Path
    name: str
    size: int
    document: str | None = None

    def read(self) -> bytes:
        """Its bytes."""
        return self.path.read_bytes()


class Originals:
    """The uploaded files of a server, by content.

    Args:
        state: The server's database; files are in its folder.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._folder = state.folder / "files"
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def add(self, stream: BinaryIO, name: str) -> Original:
        """Keeps a file. An equal one is kept once; it is complete or absent, even after ``kill -9``.

        Raises:
            UnsupportedSourceError: If its first bytes are those of a format that is not read.
        """
        name = safe_name(name)
        digest = hashlib.sha256()
        with NamedTemporaryFile(dir=self._folder, prefix="new-", delete=False) as file:
            try:
                size = _copy(stream, file, digest)
                check_content(Path(file.name), name)
                path = self._path(digest.hexdigest())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
        original = Original(f"{UPLOAD}{digest.hexdigest()[:_DIGEST]}/{name}", path, name, size)
        self._state.change(
            "INSERT INTO files (source, digest, name, size, created_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (source) DO UPDATE SET created_at = excluded.created_at",
            (original.source, digest.hexdigest(), name, size, time.time()),
        )
        return original

    def get(self, source: str) -> Original | None:
        """The file with this source; None if it was removed."""
        row = self._state.row("SELECT * FROM files WHERE source = ?", (source,))
        return self._original(row) if row else None

    def read(self, source: str) -> bytes:
        """The bytes of an uploaded file, or of a file of this machine that the command line indexed.

        Raises:
            SourceError: If it is gone.
        """
        if not source.startswith(UPLOAD):
            return read_file(source)[0]
        if (found := self.get(source)) is None:
            raise SourceNotFoundError(f"{source}: the uploaded file was removed; upload it again")
        return found.read()

    def of(self, document_id: str) -> Original | None:
        """The file of a document; None if it was not uploaded here."""
        row = self._state.row("SELECT * FROM files WHERE document = ? ORDER BY source LIMIT 1", (document_id,))
        return self._original(row) if row else None

    def belongs(self, source: str, document_id: str) -> None:
        """Notes the document of a file."""
        self._state.change("UPDATE files SET document = ? WHERE source = ?", (document_id, source))

    def remove(self, sources: Sequence[str]) -> None:
        """Removes files, and their bytes if no other file has them."""
        for source in sources:
            row = self._state.row("SELECT digest FROM files WHERE source = ?", (source,))
            self._state.change("DELETE FROM files WHERE source = ?", (source,))
            if row and self._state.row("SELECT 1 FROM files WHERE digest = ?", (row["digest"],)) is None:
                self._path(row["digest"]).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Removes what killed uploads left behind: parts of files, and whole files that were not noted."""
        known = {row["digest"] for row in self._state.rows("SELECT digest FROM files")}
        for path in self._folder.iterdir():
            with suppress(OSError):  # another worker sweeps too
                if path.name not in known and time.time() - path.stat().st_mtime > _KILLED_S:
                    path.unlink()

    def _path(self, digest: str) -> Path:
        return self._folder / digest

    def _original(self, row: Row) -> Original:
        return Original(row["source"], self._path(row["digest"]), row["name"], row["size"], row["document"])


def safe_name(name: str) -> str:
    r"""The last part of a file name, without control characters and marks that change the direction of text.

    >>> safe_name("../../etc/passwd"), safe_name("C:\\temp\\a\x00b.pdf"), safe_name("..")
    ('passwd', 'ab.pdf', 'file')
    """
    last = PureWindowsPath(PurePath(name).name).name
    kept = "".join(one for one in last if category(one)[0] != "C").strip(" .")
    stem, dot, suffix = kept.rpartition(".")
    while len(kept.encode()) > _MAX_NAME_BYTES:
        stem = stem[:-1] if dot else kept[:-1]
        kept = f"{stem}.{suffix[:16]}" if dot else stem
    return kept or "file"


def check_content(path: Path, name: str) -> None:
    """Raises ``UnsupportedSourceError`` if the first bytes are those of a format that is not read."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(max(0, path.stat().st_size - _CHUNK))
        tail = file.read()
    format_of(head + tail, name)


def _copy(stream: BinaryIO, file: "IO[bytes]", digest: "hashlib._Hash") -> int:
    """Copies and hashes a stream, waits until it is on the disk, and returns its size."""
    size = 0
    while part := stream.read(_CHUNK):
        digest.update(part)
        file.write(part)
        size += len(part)
    file.flush()
    os.fsync(file.fileno())
    return size
