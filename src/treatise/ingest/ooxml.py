"""What Word, PowerPoint and Excel files share: relations between their parts, and their metadata."""

import posixpath
from typing import Final
from urllib.parse import unquote

from treatise.ingest.archive import Archive

R_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_RELATION: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_CORE: Final = "docProps/core.xml"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"


def relations(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """The parts that a part refers to, by id: the last word of the relation's type, and the path."""
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


def _path(folder: str, target: str) -> str:
    """A target's path in the archive; one that begins with a slash starts at the root."""
    return posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
