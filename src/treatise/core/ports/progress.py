"""The protocol of progress callbacks."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

Progress = Callable[[int, int], None]
"""Called as ``progress(done, total)``, with ``done`` rising to ``total``; the unit depends on the function called."""


def counted_off(items: Sequence[_Item], progress: Progress | None) -> Iterator[_Item]:
    """The items, each of which is reported when the one before it is done; the last one too."""
    for done, item in enumerate(items):
        if progress:
            progress(done, len(items))
        yield item
    if progress and items:
        progress(len(items), len(items))
