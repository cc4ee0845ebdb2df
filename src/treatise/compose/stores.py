"""Stores by URL or path."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import Store

Opener = Callable[[str, bool], "Store"]
"""Opens a store from the part after ``scheme://`` and the read-only flag."""


def open_store(url: str | Path | None = None, settings: Settings | None = None, *, read_only: bool = False) -> "Store":
    """The store with that URL or path; by default the one in the settings, or the platform's default location.

    A plain path is a SQLite file, like ``sqlite:///relative/path`` and ``sqlite:////absolute/path``. With ``read_only``
    nothing is written, and a missing file is an empty store.

    Raises:
        SettingsError: If the kind of store is unknown.
        StoreError: If it cannot be opened.
    """
    from treatise.store import SqliteStore, default_path

    url = url or (settings or load_settings()).store or default_path()
    scheme, is_url, rest = str(url).partition("://")
    if not is_url:
        return SqliteStore(url, read_only=read_only)
    if scheme not in STORES:
        known = ", ".join(f"{name}:///PATH" for name in STORES)
        raise SettingsError(f"this version has no store for {scheme}:// URLs: give {known}, or the path of a file")
    return STORES[scheme](rest, read_only)


def _sqlite(rest: str, read_only: bool) -> "Store":
    from treatise.store import SqliteStore

    host, slash, path = rest.partition("/")
    if host or not slash or not path:
        raise SettingsError(
            f"sqlite://{rest} names no file: write sqlite:///relative/path or sqlite:////absolute/path, with three or "
            "four slashes"
        )
    return SqliteStore(Path(path).expanduser(), read_only=read_only)


STORES: Final[dict[str, Opener]] = {"sqlite": _sqlite}
"""Functions that open a store, by the scheme of its URL."""
