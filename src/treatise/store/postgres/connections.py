"""Connections to PostgreSQL: a pool, transactions, and a second try where that is safe."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from treatise.store.postgres.address import Address
from treatise.store.postgres.failures import RETRIED, lost_connection, translated, unreachable

_Result = TypeVar("_Result")
Connection = psycopg.Connection[tuple[Any, ...]]

MAX_CONNECTIONS: Final = 8
"""Connections of one process; threads beyond it wait for one."""

_TRIES: Final = 5
_CONNECT_TIMEOUT_S: Final = 10
_MAX_WAIT_S: Final = 10.0

logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())  # errors are raised here, with a remedy


class Connections:
    """The connections of one store. Threads may share it.

    Args:
        address: The library.
        read_only: Whether the server refuses writes of these connections.
        busy_timeout_s: How long a statement waits for a lock, and a thread for a connection.
    """

    def __init__(self, address: Address, *, read_only: bool, busy_timeout_s: float) -> None:
        self._address = address
        self._read_only = read_only
        self._busy_timeout_s = busy_timeout_s
        self._process = os.getpid()
        self._pool = self._new_pool()
        self._inherited: list[ConnectionPool[Connection]] = []

    @contextmanager
    def first(self) -> Iterator[Connection]:
        """A connection of its own, before the pool opens: its errors say why the server cannot be reached."""
        with self._connected() as connection, translated(self._address.name):
            yield connection

    def open(self) -> None:
        """Opens the pool; connections are made when they are needed."""
        self._pool.open()

    def read(self, work: Callable[[Connection], _Result]) -> _Result:
        """The result of statements that change nothing; repeated once if a connection was lost."""
        with translated(self._address.name):
            try:
                return self._once(work)
            except psycopg.Error as error:
                if not lost_connection(error):
                    raise
            self._pool.check()  # a restart ends all of them
            return self._once(work)

    def write(self, work: Callable[[Connection], _Result]) -> _Result:
        """The result of a transaction; repeated if another one was in its way, or the connection was lost before it
        ended.
        """
        with translated(self._address.name):
            for n_left in reversed(range(_TRIES)):
                is_done = False
                try:
                    with self._connection() as connection, connection.transaction():
                        result = work(connection)
                        is_done = True
                    return result
                except psycopg.Error as error:
                    is_safe = error.sqlstate in RETRIED or (lost_connection(error) and not is_done)
                    if not n_left or not is_safe:
                        raise
                    if error.sqlstate not in RETRIED:
                        self._pool.check()
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Closes the connections; harmless when called twice."""
        self._pool.close()

    def _once(self, work: Callable[[Connection], _Result]) -> _Result:
        with self._connection() as connection:
            return work(connection)

    def _new_pool(self) -> "ConnectionPool[Connection]":
        return ConnectionPool(
            self._address.url,
            kwargs=self._options,
            configure=self._limit,
            min_size=0,
            max_size=MAX_CONNECTIONS,
            timeout=min(self._busy_timeout_s, _MAX_WAIT_S),
            open=False,
        )

    def _after_fork(self) -> None:
        """Opens another pool in a forked process: the connections of the inherited one belong to its parent."""
        if self._process != os.getpid():
            self._inherited.append(self._pool)
            self._process, self._pool = os.getpid(), self._new_pool()
            self._pool.open()

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        self._after_fork()
        try:
            connection = self._pool.getconn()
        except PoolTimeout:
            self._connected().close()  # says why, if the server is the reason
            raise
        try:
            yield connection
        finally:
            self._pool.putconn(connection)

    @property
    def _options(self) -> dict[str, Any]:
        return {"autocommit": True, "connect_timeout": _CONNECT_TIMEOUT_S, "application_name": "treatise"}

    def _connected(self) -> Connection:
        try:
            connection: Connection = psycopg.connect(self._address.url, **self._options)
        except psycopg.Error as error:
            raise unreachable(self._address.name, error) from error
        self._limit(connection)
        return connection

    def _limit(self, connection: Connection) -> None:
        connection.execute(
            "SELECT set_config('lock_timeout', %s, false), set_config('default_transaction_read_only', %s, false)",
            (f"{round(1000 * self._busy_timeout_s)}ms", "on" if self._read_only else "off"),
        )
