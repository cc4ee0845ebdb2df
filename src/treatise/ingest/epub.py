"""Converts EPUBs to blocks: chapters in reading order, with headings from the table of contents."""

import posixpath
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from urllib.parse import unquote

from lxml import etree
from selectolax.lexbor import LexborHTMLParser, LexborNode

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.archive import Archive
from treatise.ingest.encoding import decode
from treatise.ingest.hidden import hidden_note
from treatise.ingest.html import Page, declared_charset, read_html
from treatise.ingest.limits import Limits
from treatise.ingest.ongoing import reported
from treatise.ingest.reading import Block, Reading, Stated
from treatise.ingest.writer import BlockWriter

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CONTAINER_NS = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_ENC = "{http://www.w3.org/2001/04/xmlenc#}"
_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
_TEXT_TYPES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")  # encrypted fonts only: not DRM


@dataclass(frozen=True, slots=True)
class _Item:
    """A file of the package."""

    path: str
    media_type: str
    properties: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """A chapter's title and depth in the table of contents."""

    title: str
    level: int


def read_epub(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the chapters in the order of the spine.

    Raises:
        DamagedSourceError: Not an EPUB, encrypted (DRM), malformed, a zip bomb or an entity bomb.
        SourceTooLargeError: It unpacks to more than the limits allow.
    """
    archive = Archive(data, name, limits)
    _refuse_encryption(archive, name)
    package_path = _package_path(archive, name)
    package = archive.xml(package_path)
    items = _items(package, package_path)
    contents = _contents(archive, package, items)
    css = _style_sheets(archive)
    writer = BlockWriter(name, limits)
    missing = []
    n_hidden_chars = 0
    chapters = list(dict.fromkeys(_spine(package, items)))  # repeated ones are read once
    for item in reported("read chapters", chapters):
        if item.path in archive:
            page = _page(archive.read(item.path), f"{name}: {item.path}", css)
            n_hidden_chars += page.n_hidden_chars
            writer.extend(_chapter(page.blocks, contents.get(item.path)))
        else:
            missing.append(item.path)
    notes = [f"the book lists {path} but does not hold it" for path in missing]
    return Reading(
        writer.blocks,
        "epub",
        title=_metadata(package, "title"),
        language=_metadata(package, "language")[:2].lower(),
        stated=Stated(tuple(_creators(package)), _metadata(package, "date")),
        notes=tuple(filter(None, [*notes, hidden_note(n_hidden_chars)])),
    )


def _refuse_encryption(archive: Archive, name: str) -> None:
    if _ENCRYPTION not in archive:
        return
    methods = [method.get("Algorithm", "") for method in archive.xml(_ENCRYPTION).iter(f"{_ENC}EncryptionMethod")]
    if any(method not in _OBFUSCATION for method in methods):
        raise DamagedSourceError(f"{name}: encrypted (DRM), so that its text cannot be read; get a copy without DRM")


def _package_path(archive: Archive, name: str) -> str:
    if _CONTAINER not in archive:
        raise DamagedSourceError(f"{name}: a zip archive without {_CONTAINER}, so no EPUB; download it again")
    rootfile = archive.xml(_CONTAINER).find(f".//{_CONTAINER_NS}rootfile")
    if rootfile is None:
        raise DamagedSourceError(f"{name}: {_CONTAINER} names no package file; download the book again")
    return unquote(rootfile.get("full-path", ""))


def _items(package: etree._Element, package_path: str) -> dict[str, _Item]:
    folder = posixpath.dirname(package_path)
    return {
        element.get("id", ""): _Item(
            _path(folder, element.get("href", "")), element.get("media-type", ""), element.get("properties", "")
        )
        for element in package.iterfind(f"{_OPF}manifest/{_OPF}item")
    }


def _path(folder: str, href: str) -> str:
    """The archive path of a link's target."""
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def _spine(package: etree._Element, items: dict[str, _Item]) -> Iterator[_Item]:
    """The chapters in reading order, without the printed table of contents, which repeats the headings."""
    for reference in package.iterfind(f"{_OPF}spine/{_OPF}itemref"):
        item = items.get(reference.get("idref", ""))
        if item and item.media_type in _TEXT_TYPES and "nav" not in item.properties.split():
            yield item


def _creators(package: etree._Element) -> Iterator[str]:
    """The authors; of other creators, such as translators, none."""
    for creator in package.iterfind(f"{_OPF}metadata/{_DC}creator"):
        if creator.get(f"{_OPF}role", "aut") == "aut":
            yield "".join(creator.itertext())


def _metadata(package: etree._Element, name: str) -> str:
    return " ".join((package.findtext(f"{_OPF}metadata/{_DC}{name}") or "").split())


def _contents(archive: Archive, package: etree._Element, items: dict[str, _Item]) -> dict[str, _Entry]:
    """The first contents entry for each file; empty if the book has no table of contents."""
    nav = next((item for item in items.values() if "nav" in item.properties.split()), None)
    spine = package.find(f"{_OPF}spine")
    ncx = items.get(spine.get("toc", "")) if spine is not None else None
    entries: Iterator[tuple[str, _Entry]] = iter(())
    if nav and nav.path in archive:
        entries = _nav_entries(archive.read(nav.path), nav.path)
    elif ncx and ncx.path in archive:
        entries = _ncx_entries(archive.xml(ncx.path), ncx.path)
    first: dict[str, _Entry] = {}
    for path, entry in entries:
        first.setdefault(path, entry)
    return first


def _nav_entries(data: bytes, path: str) -> Iterator[tuple[str, _Entry]]:
    parser = LexborHTMLParser(decode(data, path, declared=declared_charset(data)).text)
    navs = parser.css("nav")
    toc = next((nav for nav in navs if "toc" in (nav.attributes.get("epub:type") or "")), None)
    for link in (toc or parser).css("a[href]"):
        title = " ".join(link.text().split())
        if title:
            yield _path(posixpath.dirname(path), link.attributes["href"] or ""), _Entry(title, _n_lists(link))


def _n_lists(link: LexborNode) -> int:
    """The number of lists around a link: its depth in the table of contents."""
    depth, node = 0, link.parent
    while node is not None and node.tag != "nav":
        depth += node.tag == "ol"
        node = node.parent
    return max(depth, 1)


def _ncx_entries(root: etree._Element, path: str) -> Iterator[tuple[str, _Entry]]:
    for point in root.iter(f"{_NCX}navPoint"):
        title = " ".join((point.findtext(f"{_NCX}navLabel/{_NCX}text") or "").split())
        content = point.find(f"{_NCX}content")
        if title and content is not None:
            depth = 1 + sum(1 for _ in point.iterancestors(f"{_NCX}navPoint"))
            yield _path(posixpath.dirname(path), content.get("src", "")), _Entry(title, depth)


def _style_sheets(archive: Archive) -> str:
    """The book's style sheets, one after the other; damaged ones are no reason to refuse a book."""
    sheets = []
    for path in archive.paths():
        if path.endswith(".css"):
            with suppress(DamagedSourceError):
                sheets.append(archive.read(path).decode("utf-8", "replace"))
    return "\n".join(sheets)


def _page(data: bytes, name: str, css: str) -> Page:
    text = decode(data, name, declared=declared_charset(data)).text
    return read_html(text, drops_boilerplate=False, css=css)


def _chapter(blocks: list[Block], entry: _Entry | None) -> list[Block]:
    """A chapter's blocks, with heading levels from the table of contents, or with its title as the heading."""
    levels = [block.level for block in blocks if block.level]
    if entry is None or not blocks:
        return blocks
    if levels:
        shift = entry.level - levels[0]
        return [_shifted(block, shift) for block in blocks] if shift > 0 else blocks
    rest = blocks[1:] if " ".join(blocks[0].text.split()) == entry.title else blocks
    return list(chain([Block(ParagraphKind.HEADING, entry.title + "\n\n", entry.level)], rest))


def _shifted(block: Block, shift: int) -> Block:
    return Block(block.kind, block.text, block.level + shift, block.title) if block.level else block
