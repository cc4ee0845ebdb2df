"""A single BLAS thread while the encoder's threads run."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Final

from threadpoolctl import ThreadpoolController


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limits numpy to the calling thread within the block; the last thread to leave restores the old limit.

    The parser's products are small, and idle BLAS threads spin on the encoder's cores: on two cores, parsing took twice
    as long. The limit applies to the whole process.
    """
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()


class _Limit:
    """One limit shared by all threads, because overlapping limits would restore each other's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._n_within = 0

    def enter(self) -> None:
        with self._lock:
            if self._n_within == 0:
                self._limiter = _controller().limit(limits=1, user_api="blas")
            self._n_within += 1

    def leave(self) -> None:
        with self._lock:
            self._n_within -= 1
            if self._n_within == 0:
                self._limiter.restore_original_limits()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # searches for the libraries once: 2 ms


_LIMIT: Final = _Limit()
