"""Converts PowerPoint files to blocks: a page and a section per slide, with tables and notes."""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.archive import Archive
from treatise.ingest.grids import SourceCell, grid_of
from treatise.ingest.limits import Limits
from treatise.ingest.ooxml import R_ID, relations, stated_authorship, stated_title
from treatise.ingest.reading import Reading
from treatise.ingest.tables import table_block
from treatise.ingest.writer import BlockWriter
from treatise.ingest.xml_text import text_of

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FALLBACK: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PRESENTATION: Final = "ppt/presentation.xml"
_TITLES: Final = ("title", "ctrTitle")
_FURNITURE: Final = ("dt", "ftr", "sldNum", "hdr", "sldImg")  # placeholders for dates, footers, slide numbers


def read_pptx(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the slides in order; hidden slides, pictures and charts are left out.

    Raises:
        DamagedSourceError: Not a PowerPoint file, encrypted, malformed, a zip bomb or an entity bomb.
        SourceTooLargeError: It unpacks to more than the limits allow.
    """
    archive = Archive(data, name, limits)
    if _PRESENTATION not in archive:
        raise DamagedSourceError(f"{name}: a zip archive without {_PRESENTATION}, so no PowerPoint file; save it again")
    writer = BlockWriter(name, limits)
    page_starts: list[int] = []
    n_hidden = 0
    for path in dict.fromkeys(_slides(archive)):
        slide = archive.xml(path)
        page_starts.append(writer.n_chars)
        if slide.get("show") in ("0", "false"):
            n_hidden += 1
            continue
        _write_slide(slide, len(page_starts), writer)
        for kind, notes in relations(archive, path).values():
            if kind == "notesSlide" and notes in archive:
                _write_notes(archive.xml(notes), writer)
    hidden = (f"left out {n_hidden:,} hidden slides",) if n_hidden else ()
    return Reading(
        writer.blocks,
        "pptx",
        title=stated_title(archive),
        page_starts=tuple(page_starts),
        stated=stated_authorship(archive),
        notes=hidden,
    )


def _slides(archive: Archive) -> Iterator[str]:
    parts = relations(archive, _PRESENTATION)
    for entry in archive.xml(_PRESENTATION).iter(f"{_P}sldId"):
        _, path = parts.get(entry.get(R_ID, ""), ("", ""))
        if path in archive:
            yield path


def _write_slide(slide: etree._Element, number: int, writer: BlockWriter) -> None:
    shapes = list(_shapes(slide))
    title = next((shape for shape in shapes if _placeholder(shape) in _TITLES), None)
    words = " ".join(" ".join(_paragraphs(title)).split()) if title is not None else ""
    writer.heading(words or f"Slide {number}", 1)
    for shape in shapes:
        if shape is title or _placeholder(shape) in _FURNITURE:
            continue
        if shape.tag == f"{_P}graphicFrame":
            _write_table(shape, writer)
        else:
            _write_text(shape, writer)


def _shapes(slide: etree._Element) -> Iterator[etree._Element]:
    """Shapes and frames in tree order, including groups, without fallback copies for old programs."""
    events = etree.iterwalk(slide, events=("start",))
    for _, node in events:
        if node.tag == _FALLBACK:
            events.skip_subtree()
        elif node.tag in (f"{_P}sp", f"{_P}graphicFrame"):
            yield node
            events.skip_subtree()


def _placeholder(shape: etree._Element) -> str:
    """A placeholder's type; ``""`` for other shapes."""
    found = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "" if found is None else found.get("type", "body")


def _write_text(shape: etree._Element, writer: BlockWriter) -> None:
    texts = [text for text in _paragraphs(shape) if text.strip()]
    kind = ParagraphKind.LIST if len(texts) > 1 and _placeholder(shape) else ParagraphKind.PROSE
    for text in texts:
        writer.add(kind, f"- {text}" if kind is ParagraphKind.LIST else text)


def _paragraphs(shape: etree._Element) -> Iterator[str]:
    for paragraph in shape.iter(f"{_A}p"):
        yield text_of(paragraph, _sign, texts=f"{_A}t")


def _sign(node: etree._Element) -> str:
    return {f"{_A}br": "\n", f"{_A}tab": "\t"}.get(node.tag, "")


def _write_table(frame: etree._Element, writer: BlockWriter) -> None:
    grid = grid_of([list(_cells(row)) for row in frame.iter(f"{_A}tr")])
    block = table_block(grid) if grid else None
    writer.extend([block] if block else [])


def _cells(row: etree._Element) -> Iterator[SourceCell]:
    """The cells of a row, without those that a merged cell covers."""
    for cell in row.iterfind(f"{_A}tc"):
        if "1" in (cell.get("hMerge"), cell.get("vMerge")) or "true" in (cell.get("hMerge"), cell.get("vMerge")):
            continue
        spans = (cell.get(name, "1") for name in ("gridSpan", "rowSpan"))
        n_columns, n_rows = (int(n) if n.isdecimal() and 0 < len(n) < 6 else 1 for n in spans)
        yield SourceCell(" ".join(" ".join(_paragraphs(cell)).split()), max(1, n_columns), max(1, n_rows))


def _write_notes(notes: etree._Element, writer: BlockWriter) -> None:
    bodies = [shape for shape in _shapes(notes) if _placeholder(shape) == "body"]
    texts = [text for shape in bodies for text in _paragraphs(shape) if text.strip()]
    if texts:
        writer.heading("Notes", 2)
    for text in texts:
        writer.add(ParagraphKind.PROSE, text)
