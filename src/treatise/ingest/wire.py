"""A reading as bytes and back, to pass between processes; no pickle: the sender read a hostile file."""

import json
from dataclasses import asdict
from typing import Any, Final

from treatise.core import errors
from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError, SourceError
from treatise.core.table import Cell, Row, Table
from treatise.ingest.reading import Block, Reading, Stated

_ERRORS: Final = {
    kind.__name__: kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SourceError)
}


def pack_reading(reading: Reading) -> bytes:
    """The reading as JSON."""
    record = asdict(reading) | {"blocks": [_packed(block) for block in reading.blocks]}
    return json.dumps({"reading": record}).encode()


def pack_error(error: SourceError) -> bytes:
    """The error's class and message as JSON."""
    return json.dumps({"error": type(error).__name__, "message": str(error)}).encode()


def unpack(data: bytes) -> Reading:
    """The inverse of ``pack_reading``.

    Raises:
        SourceError: The error that was packed.
    """
    record = json.loads(data)
    if "error" in record:
        raise _ERRORS.get(record["error"], DamagedSourceError)(record["message"])
    fields: dict[str, Any] = record["reading"]
    fields["blocks"] = [_unpacked(*block) for block in fields["blocks"]]
    fields["page_starts"], fields["notes"] = tuple(fields["page_starts"]), tuple(fields["notes"])
    stated = fields.pop("stated")
    return Reading(**fields, stated=Stated(tuple(stated["authors"]), stated["date"], stated["made"]))


def _packed(block: Block) -> list[Any]:
    table = block.table
    rest = [_packed_table(table)] if table else []
    return [block.kind, block.text, block.level, block.title, *rest]


def _unpacked(kind: str, text: str, level: int, title: str | None, table: list[Any] | None = None) -> Block:
    return Block(ParagraphKind(kind), text, level, title, _unpacked_table(*table) if table else None)


def _packed_table(table: Table) -> list[Any]:
    rows, heads = ([_packed_row(row) for row in rows] for rows in (table.rows, table.heads))
    return [rows, heads, table.n_labels, table.caption, table.is_continued]


def _unpacked_table(
    rows: list[Any], heads: list[Any], n_labels: int, caption: list[int] | None, goes_on: bool
) -> Table:
    span = (caption[0], caption[1]) if caption else None
    return Table(tuple(map(_unpacked_row, rows)), tuple(map(_unpacked_row, heads)), n_labels, span, goes_on)


def _packed_row(row: Row) -> list[Any]:
    return [row.parent, *([[c.start, c.end, c.column, c.n_columns] for c in cells] for cells in (row.cells, row.above))]


def _unpacked_row(packed: list[Any]) -> Row:
    parent, cells, above = packed
    return Row(tuple(Cell(*cell) for cell in cells), parent, tuple(Cell(*cell) for cell in above))
