"""Stores by URL or path."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.core.errors import MissingExtraError, SettingsError, StoreUnwritableError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import Store


def open_usable_store(url: str | Path | None = None, settings: Settings | None = None) -> "Store":
    """The store for reading and writing, or for reading alone if it exists and cannot be written.

    Raises:
        SettingsError, StoreError: As :func:`open_store`.
    """
    try:
        return open_store(url, settings)
    except StoreUnwritableError as error:
        store = open_store(url, settings, read_only=True)
        if not store.entries():  # also if it is only absent: then nothing could be asked
            store.close()
            raise error from None
        return store


Opener = Callable[[str, bool], "Store"]
"""Opens a store from the part after ``scheme://`` and the read-only flag."""


def open_store(url: str | Path | None = None, settings: Settings | None = None, *, read_only: bool = False) -> "Store":
    """The store with that URL or path; by default the one in the settings, or the platform's default location.

    A plain path is a SQLite file, like ``sqlite:///relative/path`` and ``sqlite:////absolute/path``.
    ``postgresql://user@host/database`` is a library in a PostgreSQL server. With ``read_only`` nothing is written, and
    a missing library is an empty store.

    Raises:
        SettingsError: If the kind of store is unknown, or the URL cannot be read.
        StoreError: If it cannot be opened.
        MissingExtraError: If it needs a package that is not installed.
    """
    from treatise.store import SqliteStore, default_path

    url = url or (settings or load_settings()).store or default_path()
    scheme, is_url, rest = str(url).partition("://")
    if not is_url:
        return SqliteStore(url, read_only=read_only)
    if scheme not in STORES:
        known = ", ".join(_FORMS.get(name, f"{name}:///PATH") for name in STORES if name != "postgres")
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


def _postgres(rest: str, read_only: bool) -> "Store":
    try:
        from treatise.store.postgres import PostgresStore
    except ImportError as error:
        raise MissingExtraError("a library in PostgreSQL", "postgres") from error
    return PostgresStore(f"postgresql://{rest}", read_only=read_only)


STORES: Final[dict[str, Opener]] = {"sqlite": _sqlite, "postgresql": _postgres, "postgres": _postgres}
"""Functions that open a store, by the scheme of its URL."""

_FORMS: Final = {"postgresql": "postgresql://USER@HOST/DATABASE"}
"""How a URL is written, unless it is ``scheme:///PATH``."""
