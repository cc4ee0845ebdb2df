"""Methods that an event loop may await."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

_Owner = TypeVar("_Owner")
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Method = Callable[Concatenate[_Owner, _Arguments], _Result]


def awaited(
    method: _Method[_Owner, _Arguments, _Result],
) -> _Method[_Owner, _Arguments, Coroutine[Any, Any, _Result]]:
    """The method in a thread, with the same arguments.

    A cancelled task stops waiting; what the thread does goes on to its end.
    """

    @wraps(method)
    async def in_thread(owner: _Owner, /, *args: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        from asyncio import to_thread  # some 30 modules, which a command does not need

        return await to_thread(method, owner, *args, **options)

    in_thread.__doc__ = f"As ``{method.__name__}``, to be awaited; what it calls back is called in the thread."
    in_thread.__name__ += "_async"
    in_thread.__qualname__ += "_async"
    return in_thread
