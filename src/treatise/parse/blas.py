"""One thread for numpy's products while the encoder's own threads run."""

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


def one_blas_thread() -> AbstractContextManager[object]:
    """Within it, numpy computes a product on the thread that asks for it; afterwards as before.

    The parser's products are small, and BLAS threads that wait for the next one take the cores from the encoder: on
    two cores, parsing took twice as long. The limit holds for the whole process.
    """
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks for the libraries once: 2 ms
