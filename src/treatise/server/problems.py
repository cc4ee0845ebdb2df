"""Errors as ``application/problem+json`` (RFC 9457): what was wrong, and what to do."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from treatise.core.errors import (
    DamagedSourceError,
    DocumentNotFoundError,
    EmptyLibraryError,
    EmptySourceError,
    EngineError,
    EngineUnavailableError,
    FilterError,
    MissingExtraError,
    QuestionError,
    RecipeError,
    SourceError,
    SourceTooLargeError,
    StoreBusyError,
    StoreUnavailableError,
    StoreUnwritableError,
    TreatiseError,
    UnsupportedSourceError,
)
from treatise.server.logs import log_failure, request_id_of
from treatise.server.replies import json_bytes

MEDIA_TYPE: Final = "application/problem+json"

_STATUS: Final[tuple[tuple[type[TreatiseError], int, str], ...]] = (
    (DocumentNotFoundError, 404, "not-found"),
    (QuestionError, 422, "question"),
    (RecipeError, 422, "recipe"),
    (FilterError, 422, "filter"),
    (UnsupportedSourceError, 415, "unsupported-format"),
    (SourceTooLargeError, 413, "too-large"),
    (DamagedSourceError, 422, "damaged-source"),
    (EmptyLibraryError, 422, "no-documents"),
    (EmptySourceError, 422, "empty-source"),
    (SourceError, 422, "source"),
    (StoreBusyError, 503, "busy"),
    (StoreUnavailableError, 503, "store-unavailable"),
    (StoreUnwritableError, 507, "store-unwritable"),
    (EngineUnavailableError, 503, "model-unavailable"),
    (EngineError, 502, "model-failed"),
    (MissingExtraError, 501, "not-installed"),
)
"""Status and kind of each deliberate error; the first class that matches."""

_OPERATOR: Final = frozenset({"store-unavailable", "store-unwritable", "model-unavailable", "model-failed", "internal"})
"""Kinds whose messages may name places of the server: clients are referred to its log."""


class ProblemError(Exception):
    """A request that cannot be served.

    Attributes:
        status: HTTP status.
        kind: Stable name of the problem, the end of its ``type``.
        detail: What was wrong and what to do, for people.
        headers: Of the reply, such as ``Retry-After``.
        errors: The fields that were wrong, as ``{"place", "reason"}``.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        errors: Sequence[Mapping[str, str]] = (),
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.headers: dict[str, str] = dict(headers or {})
        self.errors: list[Mapping[str, str]] = list(errors)

    def record(self, request_id: str) -> dict[str, Any]:
        """The JSON object of the reply."""
        fields = {"errors": self.errors} if self.errors else {}
        return {
            "type": f"urn:treatise:problem:{self.kind}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "request_id": request_id,
            **fields,
        }


def not_found(what: str, name: str) -> ProblemError:
    """The problem of an unknown or hidden thing."""
    return ProblemError(404, "not-found", f"there is no {what} {name!r}")


def problem_of(error: TreatiseError) -> ProblemError:
    """A deliberate error of the library as a problem. Messages about the server's own places stay in its log."""
    status, kind = next(((status, kind) for of, status, kind in _STATUS if isinstance(error, of)), (500, "internal"))
    headers = {"Retry-After": "2"} if status == 503 else {}
    if isinstance(error, DocumentNotFoundError):
        return ProblemError(404, kind, "there is no such document: GET /api/v1/documents lists them")
    if isinstance(error, EmptyLibraryError):
        return ProblemError(status, kind, "there is no document to ask yet: upload one with POST /api/v1/documents")
    detail = "see the server's log under this request id" if kind in _OPERATOR else str(error)
    return ProblemError(status, kind, detail, headers=headers)


def problem_logged(error: TreatiseError, request_id: str) -> ProblemError:
    """``problem_of``; the log gets the traceback if it is the server that failed."""
    problem = problem_of(error)
    if problem.status >= 500:
        log_failure(request_id, error)
    return problem


def problem_response(problem: ProblemError, request_id: str) -> Response:
    """The reply to a request that cannot be served."""
    body = json_bytes(problem.record(request_id))
    return Response(body, problem.status, headers=problem.headers, media_type=MEDIA_TYPE)


def add_problem_handlers(app: FastAPI) -> None:
    """Makes every error of the application a problem."""
    app.add_exception_handler(ProblemError, _on_problem)
    app.add_exception_handler(TreatiseError, _on_treatise_error)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_bug)


async def _on_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)
    return problem_response(error, request_id_of(request.scope))


async def _on_treatise_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TreatiseError)
    problem = problem_logged(error, request_id_of(request.scope))
    scrub = request.app.state.services.redactor.text
    problem.detail = scrub(problem.detail)
    return problem_response(problem, request_id_of(request.scope))


async def _on_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [{"place": ".".join(map(str, one["loc"])), "reason": str(one["msg"])} for one in error.errors()]
    first = f"{errors[0]['place']}: {errors[0]['reason']}" if errors else "the request is not valid"
    if any(one["place"] == "body" for one in errors):
        first = f"{first}: send a JSON object with the header Content-Type: application/json"
    problem = ProblemError(422, "invalid-request", first, errors=errors)
    return problem_response(problem, request_id_of(request.scope))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
    detail = _REMEDIES.get(error.status_code) or _CLEARER.get(str(error.detail), str(error.detail))
    problem = ProblemError(error.status_code, kind, detail, headers=error.headers)
    return problem_response(problem, request_id_of(request.scope))


async def _on_bug(request: Request, _error: Exception) -> Response:
    """The reply to a request that found a bug; the guard logs it."""
    return problem_response(bug(), request_id_of(request.scope))


def bug() -> ProblemError:
    """The problem of an unexpected error."""
    detail = "a bug in Treatise: please report it with the server's log under this request id"
    return ProblemError(500, "internal", detail)


_CLEARER: Final = {
    "There was an error parsing the body": "the body cannot be read: send JSON in UTF-8 that is not nested deeply",
}
"""Details of FastAPI in plain words."""

_REMEDIES: Final = {
    404: "there is nothing at this path: /api/v1/openapi.json describes every endpoint",
    405: "this path does not take this method: /api/v1/openapi.json describes every endpoint",
}
