"""Sources of a large job: files, folders, object storage (``s3://…``, whatever fsspec opens), and lists of these."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from treatise.core.errors import DataError, MissingExtraError, SourceError, SourceNotFoundError, SourceTooLargeError
from treatise.core.lines import bounded_lines
from treatise.core.ports import SourceState
from treatise.ingest.files import is_of_this_version, is_unchanged, read_file, state_of
from treatise.ingest.folders import FolderFilter, list_folder
from treatise.ingest.formats import FORMATS
from treatise.ingest.limits import DEFAULT_LIMITS

_SUFFIXES: Final = frozenset(suffix for row in FORMATS.values() for suffix in row.suffixes)


def documents_behind(name: str, folders: FolderFilter | None = None) -> list[str]:
    """The documents of a file, a folder, a URL of object storage, or a folder there; sorted.

    Raises:
        SourceNotFoundError: If there is none.
        MissingExtraError: If fsspec, or its package for this kind of storage, is not installed.
    """
    if not is_remote(name):
        here = Path(name)
        files = list_folder(here, folders or FolderFilter()).files if here.is_dir() else [here]
        return _nonempty(name, [str(one.absolute()) for one in files])
    with _remote(name) as (system, path):
        found = [path] if system.isfile(path) else sorted(system.find(path))
        suited = [one for one in found if one == path or Path(one).suffix.lower() in _SUFFIXES]
        return _nonempty(name, [system.unstrip_protocol(one) for one in suited])


def addresses_in(file: Path) -> Iterator[str]:
    """The addresses in a file of JSON lines such as ``{"source": "s3://texts/a.pdf"}`` or ``"s3://texts/a.pdf"``.

    Relative paths are relative to the working folder.

    Raises:
        SourceError: Names a line that is no such object, or a file that cannot be read.
    """
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(bounded_lines(lines, str(file)), 1):
                if line.strip():
                    yield _address(line, f"{file}, line {number}")
    except (OSError, UnicodeDecodeError, DataError) as error:
        raise SourceError(f"{file} cannot be read ({error}): expected lines of JSON") from error


def read_source(name: str) -> tuple[bytes, SourceState]:
    """The bytes of a document, and its state.

    Raises:
        SourceError: If it is missing, too large, or cannot be read.
    """
    if not is_remote(name):
        return read_file(name)
    with _remote(name) as (system, path):
        info = system.info(path)
        if info.get("type") == "directory":
            raise SourceNotFoundError(f"{_shown(name)}: no document that can be read in this folder")
        size = info.get("size") or 0
        if size > DEFAULT_LIMITS.max_bytes:
            raise SourceTooLargeError(f"{name} has {size:,} bytes, at most {DEFAULT_LIMITS.max_bytes:,} are read")
        content: bytes = system.cat_file(path)
    return content, replace(state_of(name, content), modified_ns=_modified_ns(info))


def is_as_before(name: str, state: SourceState) -> bool:
    """Whether size and time of modification are those of the last indexing, so that it need not be read."""
    if not is_remote(name):
        return is_unchanged(name, state)
    with _remote(name) as (system, path):
        info = system.info(path)
    is_known = state.modified_ns > 0 and is_of_this_version(state)
    return is_known and (info.get("size"), _modified_ns(info)) == (state.size, state.modified_ns)


def is_remote(name: str) -> bool:
    """Whether it is a URL."""
    return "://" in name


class _remote:  # noqa: N801  (a context manager, used as a function)
    """The file system and the path of a URL; its errors become ours."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> tuple[Any, str]:
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise MissingExtraError("object storage", "ray") from error
        try:
            system, path = url_to_fs(self._url)
        except (ImportError, ValueError) as error:
            raise SourceError(f"{_shown(self._url)} cannot be opened ({error})") from error
        system.invalidate_cache()
        return system, path

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, FileNotFoundError):
            raise SourceNotFoundError(f"{_shown(self._url)}: there is no such object") from error
        if isinstance(error, Exception) and not isinstance(error, SourceError):
            raise SourceError(f"{_shown(self._url)} cannot be read ({type(error).__name__}: {error})") from error


def _modified_ns(info: dict[str, Any]) -> int:
    found = info.get("LastModified") or info.get("mtime") or info.get("last_modified")
    if found is None:
        return 0
    seconds = found.timestamp() if hasattr(found, "timestamp") else float(found)
    return int(seconds * 1_000_000) * 1_000


def _address(line: str, place: str) -> str:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise SourceError(f"{place} is not JSON ({error})") from error
    address = found.get("source") if isinstance(found, dict) else found
    if not isinstance(address, str) or not address:
        raise SourceError(f'{place} names no source: expected {{"source": "ADDRESS"}}')
    return address if is_remote(address) else str(Path(address).absolute())


def _nonempty(name: str, found: list[str]) -> list[str]:
    if not found:
        raise SourceNotFoundError(f"{_shown(name)}: no document that can be read")
    return found


def _shown(url: str) -> str:
    """The URL without a user's name and password."""
    scheme, sign, rest = url.partition("://")
    return f"{scheme}{sign}{rest.rpartition('@')[2]}"
