"""Errors of PostgreSQL as errors that name the library and a remedy. They never show its URL."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg_pool import PoolTimeout

from treatise.core.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreUnavailableError,
    StoreUnwritableError,
)

RETRIED: Final = frozenset(("40001", "40P01"))
"""Two transactions in each other's way: one of them is repeated."""

_Kind = tuple[type[StoreError], str, str]

_KINDS: Final[dict[str, _Kind]] = {
    "23505": (
        StoreDamagedError,
        "has a row already",
        "restore the database, or index your sources into another schema",
    ),
    "25006": (StoreUnwritableError, "is read-only", "write to the primary server, or ask its administrator"),
    "42501": (StoreUnwritableError, "refuses this", "ask the database's administrator for the right"),
    "53100": (StoreUnwritableError, "has no room to grow", "free some space on the server's disk"),
    "53300": (StoreBusyError, "has no connection left", "try again later, or raise max_connections on the server"),
    "55P03": (StoreBusyError, "is being written by another process", "wait for it to finish, then try again"),
    "40001": (StoreBusyError, "is being written by another process", "try again"),
    "40P01": (StoreBusyError, "is being written by another process", "try again"),
    "57014": (StoreBusyError, "ended the query", "try again, or raise statement_timeout on the server"),
    "42P01": (StoreDamagedError, "lacks a table", "restore the database, or index your sources into another schema"),
    "3F000": (StoreDamagedError, "lacks its schema", "restore the database, or index your sources again"),
    "42703": (StoreDamagedError, "lacks a column", "restore the database, or index your sources into another schema"),
    "54000": (StoreError, "cannot hold a document this large", "split the source into several files"),
}

_CLASSES: Final[dict[str, _Kind]] = {
    "08": (StoreUnavailableError, "closed the connection", "see whether the server runs, then try again"),
    "57": (StoreUnavailableError, "closed the connection", "see whether the server runs, then try again"),
    "XX": (StoreDamagedError, "is damaged", "see the server's log, and restore the database from a backup"),
}

_OTHER: Final[_Kind] = (StoreError, "failed", "see the server's log")

_CONNECTING: Final = (
    ("password authentication failed", "check user and password in the URL, or PGPASSWORD"),
    ("no password supplied", "put the password into the URL, PGPASSWORD, or the file ~/.pgpass"),
    ("does not exist", "create it first (createdb NAME, createuser NAME), or correct the URL"),
    ("no pg_hba.conf entry", "allow this user and machine in the server's pg_hba.conf"),
    ("SSL", "set sslmode in the URL as the server wants it"),
    ("too many clients", "try again later, or raise max_connections on the server"),
    ("translate host name", "correct the host in the URL"),
)
_START: Final = "see whether the server runs there, and whether host and port in the URL are right"


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Raises errors of the driver as ``StoreError`` with the library's name, the reason and a remedy."""
    try:
        yield
    except PoolTimeout as error:
        raise StoreBusyError(f"{name} has no free connection in this process: try again") from error
    except psycopg.Error as error:
        raise _store_error(name, error) from error


def unreachable(name: str, error: psycopg.Error) -> StoreError:
    """The error of a connection that could not be made."""
    reason = _last_line(error)
    remedy = next((remedy for part, remedy in _CONNECTING if part in reason), _START)
    return StoreUnavailableError(f"{name} cannot be reached ({reason}): {remedy}")


def lost_connection(error: psycopg.Error) -> bool:
    """Whether the server, or the way to it, is gone."""
    state = error.sqlstate or ""
    return state[:2] in ("08", "57") if state else isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)


def _store_error(name: str, error: psycopg.Error) -> StoreError:
    state = error.sqlstate or ("08000" if lost_connection(error) else "")
    kind, finding, remedy = _KINDS.get(state) or _CLASSES.get(state[:2], _OTHER)
    return kind(f"{name} {finding} ({_last_line(error)}): {remedy}")


def _last_line(error: psycopg.Error) -> str:
    """The server's own words, without the hints and positions that follow them."""
    primary = error.diag.message_primary
    lines = [line.strip() for line in (primary or str(error)).splitlines() if line.strip()]
    attempts = [line for line in lines if not line.startswith(("Is the server", "Multiple connection", "- host"))]
    return (attempts or lines or [type(error).__name__])[-1 if primary is None else 0].rstrip(".")
