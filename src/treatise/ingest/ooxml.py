"""Shared code for Word, PowerPoint and Excel files: relations between parts, and metadata."""

import posixpath
from typing import Final
from urllib.parse import unquote

from treatise.ingest.archive import Archive
from treatise.ingest.reading import Stated

R_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_RELATION: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_CORE: Final = "docProps/core.xml"
_TERMS: Final = "{http://purl.org/dc/terms/}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_OF_TEMPLATES: Final = frozenset(("2013-12-23T23:15:00Z", "2013-01-27T09:14:16Z", "2013-01-27T09:15:58Z"))


def relations(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """The targets of a part's relations by id: the last segment of the relation type, and the path."""
    folder, file = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{file}.rels")
    if path not in archive:
        return {}
    return {
        relation.get("Id", ""): (relation.get("Type", "").rpartition("/")[2], _path(folder, relation.get("Target", "")))
        for relation in archive.xml(path).iter(_RELATION)
        if relation.get("TargetMode") != "External"
    }


def stated_title(archive: Archive) -> str:
    """The title in the file's metadata; ``""`` if absent."""
    return (archive.xml(_CORE).findtext(f"{_DC}title") or "") if _CORE in archive else ""


def stated_authorship(archive: Archive) -> Stated:
    """Author and date of the file's metadata; the date of the last change, since templates pass on their own date.

    The dates of the templates of python-docx and python-pptx, which their users seldom change, say nothing.
    """
    if _CORE not in archive:
        return Stated()
    core = archive.xml(_CORE)
    dates = (core.findtext(f"{_TERMS}{name}") for name in ("modified", "created"))
    made = next((date for date in dates if date and date not in _OF_TEMPLATES), "")
    return Stated((core.findtext(f"{_DC}creator") or "",), made=made)


def _path(folder: str, target: str) -> str:
    """A target's path in the archive; a leading slash means the root."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
