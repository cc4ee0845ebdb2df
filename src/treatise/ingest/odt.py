"""Converts OpenDocument texts to blocks: headings with levels, lists, tables, notes."""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.bold_headings import with_bold_headings
from treatise.ingest.grids import SourceCell, grid_of
from treatise.ingest.hidden import hidden_note
from treatise.ingest.limits import Limits
from treatise.ingest.odf import OFFICE, TABLE, TEXT, element_text, open_odf, stated, stated_authorship, whole_number
from treatise.ingest.odf_hidden import remove_hidden
from treatise.ingest.reading import Reading
from treatise.ingest.tables import table_block
from treatise.ingest.writer import BlockWriter

_STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_WEIGHT: Final = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}font-weight"
_MAX_LEVEL: Final = 9
_SKIPPED: Final = frozenset((f"{TEXT}tracked-changes", f"{TEXT}table-of-content", f"{OFFICE}forms"))


def read_odt(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of an OpenDocument text; hidden and deleted text, comments and the table of contents are left out.

    Raises:
        DamagedSourceError: Not an OpenDocument text, encrypted, malformed, a zip bomb or an entity bomb.
        SourceTooLargeError: It unpacks to more than the limits allow.
    """
    archive = open_odf(data, name, limits)
    content = archive.xml("content.xml")
    body = content.find(f"{OFFICE}body/{OFFICE}text")
    if body is None:
        raise DamagedSourceError(f"{name}: an OpenDocument file without a text; save it as .odt")
    hidden = hidden_note(remove_hidden(archive, content))
    writer = BlockWriter(name, limits)
    bold = set(_write_body(body, writer, _bold_styles(content)))
    return Reading(
        with_bold_headings(writer.blocks, [at in bold for at in range(len(writer.blocks))]),
        "odt",
        title=stated(archive, "title"),
        language=stated(archive, "language")[:2],
        stated=stated_authorship(archive),
        notes=tuple(filter(None, [hidden])),
    )


def _bold_styles(content: etree._Element) -> frozenset[str]:
    """The names of the styles, of paragraphs and of parts of them, that a writer sets by hand in bold."""
    styles = content.iterfind(f"{OFFICE}automatic-styles/{_STYLE}style")
    bold = (style for style in styles if style.find(f"{_STYLE}text-properties[@{_WEIGHT}='bold']") is not None)
    return frozenset(style.get(f"{_STYLE}name", "") for style in bold)


def _write_body(body: etree._Element, writer: BlockWriter, bold: frozenset[str]) -> Iterator[int]:
    """Writes the blocks of a text; yields the places of the paragraphs that are bold as a whole."""
    n_lists = 0
    events = etree.iterwalk(body, events=("start", "end"))
    for event, node in events:
        if node.tag == f"{TEXT}list":
            n_lists += 1 if event == "start" else -1
        if event == "end":
            continue
        if node.tag in (f"{TEXT}p", f"{TEXT}h"):
            if node.tag == f"{TEXT}p" and _is_bold(node, bold):
                yield len(writer.blocks)
            _write_paragraph(node, writer, in_list=n_lists > 0)
        elif node.tag == f"{TABLE}table":
            _write_table(node, writer)
        elif node.tag not in _SKIPPED:
            continue
        events.skip_subtree()


def _write_paragraph(node: etree._Element, writer: BlockWriter, *, in_list: bool) -> None:
    text = element_text(node)
    if node.tag == f"{TEXT}h":
        writer.heading(text, min(max(whole_number(node.get(f"{TEXT}outline-level", "1")), 1), _MAX_LEVEL))
    elif in_list:
        writer.add(ParagraphKind.LIST, f"- {text}" if text.strip() else "")
    else:
        writer.add(ParagraphKind.PROSE, text)
    for note in node.iter(f"{TEXT}note"):
        body = note.find(f"{TEXT}note-body")
        label = " ".join((note.findtext(f"{TEXT}note-citation") or "").split())
        if body is not None:
            writer.add(ParagraphKind.PROSE, f"[{label}] {' '.join(element_text(body).split())}")


def _is_bold(node: etree._Element, bold: frozenset[str]) -> bool:
    """Whether a paragraph has text, and all of it is in bold by the style of the paragraph or of its parts."""
    if not element_text(node).strip():
        return False
    if node.get(f"{TEXT}style-name") in bold:
        return True
    beside = [node.text, *(child.tail for child in node)]
    parts = [child for child in node if element_text(child).strip()]
    is_inside = not any((text or "").strip() for text in beside)
    return is_inside and all(part.tag == f"{TEXT}span" and part.get(f"{TEXT}style-name") in bold for part in parts)


def _write_table(table: etree._Element, writer: BlockWriter) -> None:
    grid = grid_of(list(_rows(table)))
    block = table_block(grid) if grid else None
    writer.extend([block] if block else [])


def _rows(table: etree._Element) -> Iterator[list[SourceCell]]:
    """The cells of each row; a nested table is read as text of its cell."""
    events = etree.iterwalk(table, events=("start",), tag=f"{TABLE}table-row")
    for _, row in events:
        events.skip_subtree()
        parent = row.getparent()
        is_head = parent is not None and parent.tag == f"{TABLE}table-header-rows"
        yield [_cell(cell, is_head=is_head) for cell in row.iterfind(f"{TABLE}table-cell")]


def _cell(cell: etree._Element, *, is_head: bool) -> SourceCell:
    n_columns, n_rows = (
        max(1, whole_number(cell.get(f"{TABLE}number-{unit}-spanned", "1"))) for unit in ("columns", "rows")
    )
    return SourceCell(" ".join(element_text(cell).split()), n_columns, n_rows, is_head)
