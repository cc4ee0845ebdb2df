"""Converts JSON and JSON lines to blocks: a section per record with its text, then its other values."""

from collections.abc import Iterator
from typing import Any, Final

from treatise.core.document import ParagraphKind
from treatise.ingest.encoding import decode
from treatise.ingest.json_values import loads, parse_json
from treatise.ingest.limits import Limits
from treatise.ingest.nested import below
from treatise.ingest.ongoing import reported
from treatise.ingest.plain_text import read_plain_text
from treatise.ingest.reading import Reading
from treatise.ingest.writer import BlockWriter

_TEXT_KEYS: Final = ("text", "content", "body", "page_content", "abstract", "article", "document", "passage", "message")
_TITLE_KEYS: Final = ("title", "headline", "name", "heading", "subject", "id", "_id", "url")
_MIN_TEXT_CHARS: Final = 200
"""Values of at least this length are texts, regardless of their key."""
_MAX_PATH_CHARS: Final = 120


def read_json(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of a JSON file: one section per record of a list, or the single value.

    Raises:
        DamagedSourceError: Not JSON, truncated, or nested too deep.
        SourceTooLargeError: More text than the limits allow.
    """
    value = parse_json(data, name)
    writer = BlockWriter(name, limits)
    for record in value if isinstance(value, list) else [value]:
        _write_record(record, writer)
    return Reading(writer.blocks, "json")


def read_jsonl(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of JSON lines, a record per line.

    Raises:
        DamagedSourceError: A line that is not JSON.
        SourceTooLargeError: More text than the limits allow.
    """
    decoded = decode(data, name)
    writer = BlockWriter(name, limits)
    for number, line in enumerate(reported("read lines", decoded.text.split("\n")), start=1):
        if line.strip():
            _write_record(loads(line, f"{name}, line {number:,}"), writer)
    return Reading(writer.blocks, "jsonl", decoded.encoding)


def _write_record(record: Any, writer: BlockWriter) -> None:
    values = list(_values(record))
    title = next((text for key in _TITLE_KEYS for path, text in values if path == key), "")
    writer.heading(title, 1)
    rest = []
    for path, text in values:
        last = path.rpartition(".")[2]
        if last in _TEXT_KEYS or len(text) >= _MIN_TEXT_CHARS or not path:
            writer.extend(below(read_plain_text(text), 1))
        elif text != title:
            rest.append(f"{path}: {' '.join(text.split())}")
    writer.add(ParagraphKind.TABLE, "\n".join(rest))


def _values(record: Any) -> Iterator[tuple[str, str]]:
    """Each scalar value as text, with the keys that lead to it; not recursive."""
    waiting: list[tuple[str, Any]] = [("", record)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            prefix = f"{path}." if path else ""
            waiting += [(f"{prefix}{key}"[:_MAX_PATH_CHARS], inner) for key, inner in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [(path, inner) for inner in reversed(value)]
        elif value is not None and (text := str(value)).strip():
            yield path, text
