"""Shared code for OpenDocument texts and spreadsheets: the archive, metadata, and the text of elements."""

from typing import Final

from lxml import etree

from treatise.core.errors import DamagedSourceError
from treatise.ingest.archive import Archive
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Stated
from treatise.ingest.xml_text import text_of

OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_MANIFEST: Final = "META-INF/manifest.xml"
_ENCRYPTION: Final = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}encryption-data"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_UNREAD: Final = frozenset((f"{OFFICE}annotation", f"{OFFICE}annotation-end", f"{TEXT}tracked-changes", f"{TEXT}note"))
_META: Final = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_MAX_SPACES: Final = 100


def open_odf(data: bytes, name: str, limits: Limits) -> Archive:
    """The archive of an OpenDocument file.

    Raises:
        DamagedSourceError: Not an OpenDocument file, encrypted, or a zip bomb.
        SourceTooLargeError: It unpacks to more than the limits allow.
    """
    archive = Archive(data, name, limits)
    if "content.xml" not in archive:
        raise DamagedSourceError(f"{name}: a zip archive without content.xml, so no OpenDocument file; save it again")
    if _MANIFEST in archive and any(True for _ in archive.xml(_MANIFEST).iter(_ENCRYPTION)):
        raise DamagedSourceError(f"{name}: locked with a password; save it without one")
    return archive


def stated(archive: Archive, tag: str) -> str:
    """An entry of the file's metadata, such as ``title`` or ``language``; ``""`` if absent."""
    if "meta.xml" not in archive:
        return ""
    return " ".join((archive.xml("meta.xml").findtext(f".//{_DC}{tag}") or "").split())


def stated_authorship(archive: Archive) -> Stated:
    """Author and dates of the file's metadata: who began it counts before who last saved it."""
    if "meta.xml" not in archive:
        return Stated()
    meta = archive.xml("meta.xml")
    began = meta.findtext(f".//{_META}initial-creator") or meta.findtext(f".//{_DC}creator") or ""
    return Stated((began,), made=meta.findtext(f".//{_DC}date") or meta.findtext(f".//{_META}creation-date") or "")


def element_text(element: etree._Element) -> str:
    """Text of an element without notes, comments and deleted text; white space follows the format's rules."""
    return text_of(element, _sign, without=_UNREAD).strip("\n")


def _sign(node: etree._Element) -> str:
    if node.tag == f"{TEXT}s":
        return " " * min(whole_number(node.get(f"{TEXT}c", "1")), _MAX_SPACES)
    return {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n", f"{TEXT}p": "\n"}.get(node.tag, "")


def whole_number(text: str) -> int:
    """A number from an attribute; 1 if it is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
