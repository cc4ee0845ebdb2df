"""What endpoints ask for: the services, and the caller with a scope."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Request

from treatise.server.keys import Key, Scope
from treatise.server.problems import ProblemError
from treatise.server.services import Services


def services_of(request: Request) -> Services:
    """The services of this worker."""
    found: Services = request.app.state.services
    return found


def caller_with(scope: Scope) -> Callable[[Request], Key]:
    """The dependency that returns the caller's key, or refuses it without this scope. ``Guard`` has checked the key."""

    def caller(request: Request) -> Key:
        key: Key = request.scope["state"]["key"]
        if not key.allows(scope):
            raise ProblemError(403, "scope", f"this key has the scope {key.scope}: this needs {scope}")
        return key

    return caller


ServicesOf = Annotated[Services, Depends(services_of)]
ReadKey = Annotated[Key, Depends(caller_with(Scope.READ))]
WriteKey = Annotated[Key, Depends(caller_with(Scope.WRITE))]
AdminKey = Annotated[Key, Depends(caller_with(Scope.ADMIN))]
