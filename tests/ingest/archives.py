"""Writes DOCX and EPUB archives for tests, good ones and bad ones."""

import io
import tarfile
import zipfile

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
ENTITY_BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def archive(members: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, body in members.items():
            file.writestr(name, body, zipfile.ZIP_STORED if name == "mimetype" else None)
    return stream.getvalue()


def tar(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as file:
        for name, body in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(body)
            file.addfile(member, io.BytesIO(body))
    return stream.getvalue()


def word(body: str, **members: str | bytes) -> bytes:
    """A DOCX of a body and further members, with ``__`` for ``/`` and ``.xml`` left out of their names."""
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    more = {name.replace("__", "/") + ".xml": content for name, content in members.items()}
    return archive({"word/document.xml": document, **more})


def book(chapters: dict[str, str], contents: str = "", more: dict[str, str | bytes] | None = None) -> bytes:
    """An EPUB of chapters by file name; `contents` is the navigation document's ``<ol>``."""
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>A Book</dc:title><dc:language>en-GB</dc:language></metadata><manifest>"
        f'<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest>'
        f"<spine>{spine}</spine></package>"
    )
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER,
            "OEBPS/book.opf": package,
            "OEBPS/nav.xhtml": f'<html><nav epub:type="toc">{contents}</nav></html>',
            **{f"OEBPS/{name}": f"<html><body>{body}</body></html>" for name, body in chapters.items()},
            **(more or {}),
        }
    )
