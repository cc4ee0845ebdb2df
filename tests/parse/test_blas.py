from contextlib import ExitStack

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from treatise.parse.blas import one_blas_thread


def n_threads() -> set[int]:
    """Threads of numpy's own library. Another test may have loaded SciPy's since, which the parser does not use."""
    libraries = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return {library["num_threads"] for library in libraries if "numpy" in library["filepath"]}


def test_limits_that_overlap_end_with_the_last() -> None:
    np.dot(np.ones((2, 2)), np.ones((2, 2)))  # loads the library
    with threadpool_limits(2, user_api="blas"):
        if n_threads() != {2}:
            pytest.skip("numpy brings no BLAS of several threads")
        first, second = ExitStack(), ExitStack()
        first.enter_context(one_blas_thread())
        second.enter_context(one_blas_thread())
        first.close()
        assert n_threads() == {1}
        second.close()
        assert n_threads() == {2}
