"""Converts OpenDocument spreadsheets to blocks: a section and a table per sheet."""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from treatise.core.errors import DamagedSourceError
from treatise.ingest.grids import SourceCell
from treatise.ingest.hidden import hidden_note
from treatise.ingest.limits import Limits
from treatise.ingest.odf import OFFICE, TABLE, element_text, open_odf, stated, stated_authorship, whole_number
from treatise.ingest.odf_hidden import remove_hidden
from treatise.ingest.ongoing import reported
from treatise.ingest.reading import Reading
from treatise.ingest.sheets import CellCounter, write_sheet
from treatise.ingest.writer import BlockWriter

_MAX_COLUMNS: Final = 16_384
_ROW: Final = f"{TABLE}table-row"
_CELLS: Final = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")


def read_ods(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the visible sheets; values as the sheet shows them.

    Raises:
        DamagedSourceError: Not an OpenDocument spreadsheet, encrypted, malformed, a zip bomb or an entity bomb.
        SourceTooLargeError: It unpacks to more than the limits allow, or has too many cells.
    """
    archive = open_odf(data, name, limits)
    content = archive.xml("content.xml")
    body = content.find(f"{OFFICE}body/{OFFICE}spreadsheet")
    if body is None:
        raise DamagedSourceError(f"{name}: an OpenDocument file without sheets; save it as .ods")
    hidden = hidden_note(remove_hidden(archive, content))
    writer, counter = BlockWriter(name, limits), CellCounter(name, limits)
    for table in body.iterfind(f"{TABLE}table"):
        write_sheet(writer, table.get(f"{TABLE}name", ""), _rows(table, counter))
    return Reading(
        writer.blocks,
        "ods",
        title=stated(archive, "title"),
        language=stated(archive, "language")[:2],
        stated=stated_authorship(archive),
        notes=tuple(filter(None, [hidden])),
    )


def _rows(table: etree._Element, counter: CellCounter) -> Iterator[list[SourceCell]]:
    """Rows with their repetitions expanded; empty rows only once, since a sheet may repeat them a million times."""
    for row in reported("read rows", list(table.iter(_ROW))):
        cells = list(_cells(row))
        n_times = whole_number(row.get(f"{TABLE}number-rows-repeated", "1")) if cells else 1
        for _ in range(n_times):
            counter.add(len(cells))
            yield cells


def _cells(row: etree._Element) -> Iterator[SourceCell]:
    """The cells with text, and their columns."""
    column = 0
    for cell in row.iterchildren(*_CELLS):
        n_times = min(whole_number(cell.get(f"{TABLE}number-columns-repeated", "1")), _MAX_COLUMNS - column)
        if cell.tag == _CELLS[0] and (text := element_text(cell)):
            n_columns, n_rows = (
                max(1, whole_number(cell.get(f"{TABLE}number-{unit}-spanned", "1"))) for unit in ("columns", "rows")
            )
            yield from (SourceCell(text, n_columns, n_rows, column=column + at) for at in range(n_times))
        column += n_times
