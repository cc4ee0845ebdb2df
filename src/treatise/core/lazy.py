"""A sequence whose items are made when they are first wanted."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

_Item = TypeVar("_Item")


class Lazy(Sequence[_Item], Generic[_Item]):
    """A sequence of known length that makes each item once, and equals, hashes and pickles as the tuple of its items.

    Threads may share it if ``make`` has no effects: two of them may make the same item, which are equal.

    Args:
        n_items: Number of items.
        make: Returns the item at an index, from 0; never None.
    """

    def __init__(self, n_items: int, make: Callable[[int], _Item]) -> None:
        self._items: list[_Item | None] = [None] * n_items
        self._make = make
        self._whole: tuple[_Item, ...] | None = None

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, at: int) -> _Item: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[_Item, ...]: ...

    def __getitem__(self, at: int | slice) -> _Item | tuple[_Item, ...]:
        if isinstance(at, slice):
            return tuple(self[i] for i in range(*at.indices(len(self))))
        item = self._items[at]
        if item is None:
            item = self._items[at] = self._make(at if at >= 0 else at + len(self))
        return item

    def __iter__(self) -> Iterator[_Item]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Lazy):
            other = other._all()
        return self._all() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self._all(),)

    def _all(self) -> tuple[_Item, ...]:
        if self._whole is None:
            self._whole = tuple(self[i] for i in range(len(self)))
        return self._whole
