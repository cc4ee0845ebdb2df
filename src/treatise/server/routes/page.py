"""The page at ``/`` and its files, which need no key: what they show they ask the API for."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Request, Response

from treatise.server.problems import not_found

router: APIRouter = APIRouter(tags=["page"], include_in_schema=False)

_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}


@router.get("/")
def get_page(request: Request) -> Response:
    """The page."""
    return _reply(request, "index.html")


@router.get("/static/{name}")
def get_file(request: Request, name: str) -> Response:
    """A file of the page."""
    return _reply(request, name)


def _reply(request: Request, name: str) -> Response:
    """The file, or 304 if the browser has it: files of another version are never used together."""
    content = _files().get(name)
    if content is None:
        raise not_found("file", name)
    headers = {"etag": f'"{sha256(content).hexdigest()[:32]}"', "cache-control": "no-cache"}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=_TYPES[name.rsplit(".", 1)[-1]], headers=headers)


@cache
def _files() -> dict[str, bytes]:
    """The files of the page by name; no other name reaches the disk."""
    folder = files("treatise.server") / "static"
    found = (one for one in folder.iterdir() if one.name.rsplit(".", 1)[-1] in _TYPES)
    return {one.name: one.read_bytes() for one in found}
