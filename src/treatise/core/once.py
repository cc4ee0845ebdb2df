"""A value that is made when it is first wanted."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

_Value = TypeVar("_Value")


class Once(Generic[_Value]):
    """Makes a value at the first call, once even if threads call together. After an error the next call tries again.

    Args:
        make: Makes the value.
    """

    def __init__(self, make: Callable[[], _Value]) -> None:
        self._make = make
        self._lock = Lock()
        self._made: list[_Value] = []

    def __call__(self) -> _Value:
        """The value."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]
