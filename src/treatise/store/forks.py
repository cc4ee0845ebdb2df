"""Stores that are closed before this process forks, and opened again after it.

A forked process inherits SQLite's state of a file (which locks the process holds, the memory that it shares with other
processes), and not the locks. A child that opened the file beside an inherited connection would write without locks as
soon as its parent has closed the file.
"""

import os
from functools import cache
from threading import Lock
from typing import Protocol
from weakref import WeakSet


class ClosesAtForks(Protocol):
    """A store with a connection that must not be inherited."""

    def before_fork(self) -> None:
        """Closes the connection, and keeps others from opening it."""
        ...

    def after_fork(self) -> None:
        """Opens it again in the process that has forked."""
        ...


@cache
def closing_at_forks() -> "WeakSet[ClosesAtForks]":
    """The open stores of this process."""
    stores: WeakSet[ClosesAtForks] = WeakSet()
    closed: list[ClosesAtForks] = []
    forking = Lock()  # two threads may fork at the same time

    def before() -> None:
        forking.acquire()
        closed[:] = stores
        for store in closed:
            store.before_fork()

    def after_in_parent() -> None:
        for store in closed:
            store.after_fork()
        closed.clear()
        forking.release()

    def after_in_child() -> None:
        stores.clear()
        closed.clear()
        forking.release()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=before, after_in_parent=after_in_parent, after_in_child=after_in_child)
    return stores
