"""Converts a tar archive of documents to one document: a section per file, sorted by path."""

import io
import tarfile
from pathlib import PurePosixPath

from treatise.core.errors import DamagedSourceError, SourceTooLargeError
from treatise.ingest.limits import Limits
from treatise.ingest.members import read_members
from treatise.ingest.reading import Reading


def read_tar(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the archive's documents, each under its path; nothing is written to disk.

    Links, devices and other files are left out and counted. An archive that is packed is unpacked by `packed` before.

    Raises:
        DamagedSourceError: Not a complete archive, or with names that point outside.
        EmptySourceError: It contains no readable document.
        SourceTooLargeError: It has more files than the limits allow.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            members = _files(archive, name, limits)
            return read_members("tar", name, limits, list(members), lambda path: _read(archive, members[path], name))
    except (tarfile.TarError, EOFError, OSError, ValueError, OverflowError, RecursionError) as error:
        raise DamagedSourceError(
            f"{name}: not a complete tar archive ({error}); download or save the file again"
        ) from error


def _files(archive: tarfile.TarFile, name: str, limits: Limits) -> dict[str, tarfile.TarInfo]:
    """The plain files by path; a sparse one may unpack to any size."""
    found: dict[str, tarfile.TarInfo] = {}
    for at, member in enumerate(archive):
        if at >= limits.max_members:
            raise SourceTooLargeError(
                f"{name}: more than {limits.max_members:,} files; unpack it, and name its folders"
            )
        path = PurePosixPath(member.name)
        if path.is_absolute() or ".." in path.parts:
            raise DamagedSourceError(
                f"{name}: a member is named {member.name!r}, outside the archive; it may have been built to do harm: "
                "get the file from its publisher"
            )
        if member.isreg() and not member.issparse():
            found[str(path)] = member
    return found


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str) -> bytes:
    """Raises `DamagedSourceError` if the file is cut off."""
    try:
        stream = archive.extractfile(member)
        data = stream.read() if stream else b""
    except (tarfile.TarError, EOFError, OSError) as error:
        raise DamagedSourceError(f"{name}: {member.name} is damaged ({error}); save the file again") from error
    return data
