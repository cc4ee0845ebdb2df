"""Downloads data sets from their publishers, with resuming, verification and unpacking."""

import fnmatch
import hashlib
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import IO, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from treatise.core.errors import DataError
from treatise.evaluate.data.sources import Download, Source

_BLOCK: Final = 1 << 20
_TIMEOUT_S: Final = 60
_AGENT: Final = "treatise (data sets for evaluation)"

Report = Callable[[str, int, int], None]
"""Called as ``report(file, bytes so far, total bytes)``; the total is 0 if unknown."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of fetching a data set.

    Attributes:
        files: Files that were downloaded or already present, including unpacked files.
        missing: Optional files that could not be downloaded, each with the reason.
    """

    files: tuple[Path, ...]
    missing: tuple[tuple[str, str], ...] = ()


def fetch(name: str, source: Source, folder: Path, report: Report | None = None) -> Fetched:
    """Downloads a data set's files into ``folder/name``.

    Existing files are kept. An interrupted download is kept with the suffix ``.part`` and resumed.

    Raises:
        DataError: If the set cannot be downloaded, the network fails, or a file differs from the published one.
    """
    if not source.downloads:
        raise DataError(f"the data set {name} cannot be downloaded as it is: {source.note}")
    place = folder / name
    files: list[Path] = []
    missing: list[tuple[str, str]] = []
    for download in _all(source, place):
        try:
            files += _fetch(download, place, report)
        except DataError as error:
            if download.needed:
                raise
            missing.append((download.file, str(error)))
    return Fetched(tuple(files), tuple(missing))


def _all(source: Source, place: Path) -> Iterator[Download]:
    yield from source.downloads
    if source.more:
        yield from source.more(place)


def _fetch(download: Download, place: Path, report: Report | None) -> list[Path]:
    target = place / download.file
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            part = target.with_name(f"{target.name}.part")
            _download(download, part, report)
            _check(download, part)
            part.replace(target)
        return [target, *_unpacked(download, target, place)]
    except HTTPError as error:
        raise DataError(
            f"{download.url}: the server answered {error.code} {error.reason}: is it still there?"
        ) from error
    except (URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise DataError(f"{download.url} cannot be reached ({reason}); run it again to go on where it was") from error
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise DataError(f"{target} is damaged ({error}): remove it and fetch it again") from error
    except OSError as error:
        raise DataError(f"{place}: cannot be written to ({error.strerror or error}): name another folder") from error


def _download(download: Download, part: Path, report: Report | None) -> None:
    done = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": _AGENT} | ({"Range": f"bytes={done}-"} if done else {})
    try:
        reply = urlopen(Request(download.url, headers=headers), timeout=_TIMEOUT_S)  # our own table of URLs
    except HTTPError as error:
        if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and done:
            return  # already complete
        raise
    with reply:
        if reply.status != HTTPStatus.PARTIAL_CONTENT:
            done = 0  # the server restarts from the beginning
        total = done + int(reply.headers.get("Content-Length") or 0)
        with part.open("ab" if done else "wb") as file:
            while block := reply.read(_BLOCK):
                file.write(block)
                done += len(block)
                if report:
                    report(download.file, done, max(total, done))
        if total > done:
            raise ConnectionError(f"it broke off after {done:,} of {total:,} bytes")


def _check(download: Download, part: Path) -> None:
    """Removes and rejects a file that differs from the published one, so that the next attempt starts afresh."""
    kind, _, expected = download.digest.partition(":")
    if not expected:
        return
    digest = hashlib.sha256() if kind == "sha256" else hashlib.sha1(f"blob {part.stat().st_size}\0".encode())
    with part.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != expected:
        part.unlink()
        raise DataError(
            f"{download.url}: expected a file of {kind} {expected}, found {digest.hexdigest()}: it was changed on the "
            "way or by its publisher"
        )


def _unpacked(download: Download, archive: Path, place: Path) -> list[Path]:
    if not download.members:
        return []
    with _opened(archive) as (names, read):
        wanted = (name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in download.members))
        return [_unpack(name, read, place) for name in wanted]


@contextmanager
def _opened(archive: Path) -> Iterator[tuple[list[str], Callable[[str], IO[bytes] | None]]]:
    """An archive's file names, and a function that opens one."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            yield [entry.filename for entry in packed.infolist() if not entry.is_dir()], packed.open
    else:
        with tarfile.open(archive) as tar:
            yield [entry.name for entry in tar.getmembers() if entry.isfile()], tar.extractfile


def _unpack(name: str, read: Callable[[str], IO[bytes] | None], place: Path) -> Path:
    """A member's path without a leading ``data/``; paths outside the folder are rejected."""
    parts = PurePosixPath(name).parts
    if PurePosixPath(name).is_absolute() or ".." in parts:
        raise DataError(f"{place}: a packed file is named {name!r}, which leads out of the folder: it is not unpacked")
    target = place.joinpath(*(parts[1:] if parts[0] == "data" else parts))
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.part")
        with read(name) as packed, part.open("wb") as file:  # type: ignore[union-attr]  # a plain file, so never None
            shutil.copyfileobj(packed, file)
        part.replace(target)
    return target
