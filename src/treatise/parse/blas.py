"""One thread for numpy's products while the encoder's own threads run."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Final

from threadpoolctl import ThreadpoolController


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within it, numpy computes a product on the thread that asks for it; after the last one has left, as before.

    The parser's products are small, and BLAS threads that wait for the next one take the cores from the encoder: on
    two cores, parsing took twice as long. The limit holds for the whole process.
    """
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()


class _Limit:
    """One limit for all threads within it: of two that overlap, the later would restore the earlier."""

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
    return ThreadpoolController()  # looks for the libraries once: 2 ms


_LIMIT: Final = _Limit()
