"""Converts OpenDocument texts to blocks: headings with levels, lists, tables, notes."""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.grids import SourceCell, grid_of
from treatise.ingest.hidden import hidden_note
from treatise.ingest.limits import Limits
from treatise.ingest.odf import OFFICE, TABLE, TEXT, element_text, open_odf, stated, stated_authorship, whole_number
from treatise.ingest.odf_hidden import remove_hidden
from treatise.ingest.reading import Reading
from treatise.ingest.tables import table_block
from treatise.ingest.writer import BlockWriter

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
    _write_body(body, writer)
    return Reading(
        writer.blocks,
        "odt",
        title=stated(archive, "title"),
        language=stated(archive, "language")[:2],
        stated=stated_authorship(archive),
        notes=tuple(filter(None, [hidden])),
    )


def _write_body(body: etree._Element, writer: BlockWriter) -> None:
    n_lists = 0
    events = etree.iterwalk(body, events=("start", "end"))
    for event, node in events:
        if node.tag == f"{TEXT}list":
            n_lists += 1 if event == "start" else -1
        if event == "end":
            continue
        if node.tag in (f"{TEXT}p", f"{TEXT}h"):
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
