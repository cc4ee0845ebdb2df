"""Converts Jupyter notebooks to blocks: Markdown cells, code, and text output."""

from collections.abc import Iterator
from typing import Any

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.json_values import parse_json
from treatise.ingest.limits import Limits
from treatise.ingest.markdown import read_markdown
from treatise.ingest.nested import below
from treatise.ingest.reading import Reading, Stated
from treatise.ingest.writer import BlockWriter


def read_notebook(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the cells in order; images and other output that is not text are left out.

    Raises:
        DamagedSourceError: Not a notebook, or truncated.
        SourceTooLargeError: More text than the limits allow.
    """
    notebook = parse_json(data, name)
    cells = list(_cells(notebook))
    if not cells:
        raise DamagedSourceError(f"{name}: JSON without the cells of a notebook; save it again from Jupyter")
    writer = BlockWriter(name, limits)
    for cell in cells:
        source = _text(cell.get("source", cell.get("input")))
        if cell.get("cell_type") == "markdown":
            writer.extend(below(read_markdown(source)[0], 0) if source.strip() else ())
            continue
        writer.add(ParagraphKind.CODE if cell.get("cell_type") == "code" else ParagraphKind.PROSE, source)
        for output in _outputs(cell):
            writer.add(ParagraphKind.CODE, output)
    return Reading(writer.blocks, "ipynb", title=_title(notebook), stated=_stated(notebook))


def _cells(notebook: Any) -> Iterator[dict[str, Any]]:
    """The cells; in version 3 of the format, those of the worksheets."""
    sheets = [notebook, *_dicts(notebook.get("worksheets"))] if isinstance(notebook, dict) else []
    for sheet in sheets:
        yield from _dicts(sheet.get("cells"))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    """A string, or a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _outputs(cell: dict[str, Any]) -> Iterator[str]:
    for output in _dicts(cell.get("outputs")):
        data = output.get("data")
        yield _text(data.get("text/plain") if isinstance(data, dict) else output.get("text"))


def _stated(notebook: dict[str, Any]) -> Stated:
    metadata = notebook.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    return Stated(tuple(_text(one.get("name")) for one in _dicts(known.get("authors"))), _text(known.get("date")))


def _title(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    return _text(metadata.get("title")) if isinstance(metadata, dict) else ""
