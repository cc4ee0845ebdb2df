"""The OpenAPI document: FastAPI's, with problems in place of its own errors, keys, and an example of each reply."""

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from treatise.server.problems import MEDIA_TYPE
from treatise.server.schemas import Problem

_COMMON: Final = {
    "400": "The request cannot be read",
    "401": "A key is needed, or the one sent is wrong",
    "403": "The key does not allow this, or a page of another site asks for it",
    "404": "There is no such thing, or the key does not open it",
    "405": "The path does not take this method",
    "408": "The body did not arrive in time",
    "409": "The file of the document is gone, has changed or has no pages to draw",
    "413": "The body or a file in it is too large",
    "415": "The format of the body or of a file is not read",
    "421": "The server does not answer for this host",
    "422": "The request has the wrong form; `errors` names the fields",
    "429": "Too much at once, or over a limit of the key; `Retry-After` says when to try again",
    "500": "A bug; the server's log has it under the request id",
    "501": "It needs an optional dependency that is not installed",
    "502": "A model failed",
    "503": "A model or the store does not answer now; `Retry-After` says when to try again",
    "507": "The store cannot be written",
}
_OPENAI: Final = "/v1/"
"""Prefix of the paths whose own errors have OpenAI's form."""

_METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})


def describe(app: FastAPI) -> Callable[[], dict[str, Any]]:
    """The function that FastAPI calls for the document; it is made once."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_problems(
                get_openapi(
                    title=app.title, version=app.version, description=app.description, routes=app.routes, tags=None
                )
            )
        return app.openapi_schema

    return openapi


def _with_problems(document: dict[str, Any]) -> dict[str, Any]:
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(problem.pop("$defs", {}))
    schemas["Problem"] = problem
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{}, {"key": []}]
    examples = json.loads((files("treatise.server") / "examples.json").read_text(encoding="utf-8"))
    for name, path in document["paths"].items():
        for method in _METHODS & path.keys():
            _add_example(path[method]["responses"], examples.get(f"{method.upper()} {name}"))
            _add_problems(path[method]["responses"], has_own_form=name.startswith(_OPENAI))
    return document


def _add_example(responses: dict[str, Any], example: object) -> None:
    """Adds a reply that a server gave (``tests/server/test_openapi.py``) to the form of the reply."""
    for status, response in responses.items():
        for media, body in response.get("content", {}).items():
            if example is not None and status.startswith("2") and media in ("application/json", "text/event-stream"):
                body["example"] = example


def _add_problems(responses: dict[str, Any], *, has_own_form: bool) -> None:
    content: dict[str, Any] = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    if has_own_form:
        content["application/json"] = {"schema": {"type": "object", "required": ["error"]}}
    for status, description in _COMMON.items():
        responses[status] = {"description": description, "content": content}
