from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from treatise.core.once import Once


def test_threads_that_want_a_value_at_the_same_time_get_the_same_one():
    start = Barrier(4)
    made: list[object] = []

    def make() -> object:
        made.append(object())
        return made[-1]

    value = Once(make)

    def want(_: int) -> object:
        start.wait()
        return value()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(want, range(4))) == set(made)
    assert len(made) == 1


def test_after_an_error_the_next_call_tries_again():
    tries = iter([OSError("no disk"), None])

    def make() -> str:
        if error := next(tries):
            raise error
        return "model"

    value = Once(make)
    with pytest.raises(OSError, match="no disk"):
        value()
    assert value() == "model"
