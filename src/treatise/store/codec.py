"""Encodes data types as bytes and back. Equal values give equal bytes; nothing is pickled.

Data needed by every question (vectors, lexicon) is stored as raw little-endian arrays that numpy reads in place. Text,
structure, tree and units are deflated; their objects are made when they are wanted.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document, ParagraphKind, Section, Span, TiledParagraphs
from treatise.core.indexed import Cluster, Lexicon
from treatise.core.metadata import Metadata
from treatise.core.note import EXTRACTS, Note, Origin
from treatise.core.spans import Spans
from treatise.core.table import Cell, Row, Table
from treatise.core.tree import DiscourseTree, Group, Join, Node, Nuclearity, Unit
from treatise.core.words import joined

_LEXICON_DTYPES: Final = {"terms": "<u8", "starts": "<i8", "units": "<i4", "counts": "<u2", "lengths": "<i4"}
"""The type of each array of a lexicon on disk; each has its own column."""

MAX_PART_BYTES: Final = 1 << 28
"""A document's vectors are one blob up to this size and several beyond it: SQLite refuses blobs over 10⁹ bytes."""

MAX_UNPACKED_BYTES: Final = 1 << 30
"""The largest part (text, structure, tree, …) of a document that is unpacked; readers compose less."""

_NUCLEARITIES: Final = tuple(Nuclearity)
_KINDS: Final = {kind.value: kind for kind in ParagraphKind}


def inflated(blob: bytes) -> bytes:
    """The unpacked bytes of a part of a document.

    Raises:
        ValueError: If they are more than ``MAX_UNPACKED_BYTES``: a small file may claim any size.
        zlib.error: If they are damaged or cut.
    """
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(blob, MAX_UNPACKED_BYTES)
    if unpacking.unconsumed_tail:
        raise ValueError(f"a part unpacks to more than {MAX_UNPACKED_BYTES >> 30} GB")
    if not unpacking.eof:
        raise zlib.error("a part is cut")
    return found


def pack_text(text: str) -> bytes:
    """The deflated UTF-8 of a text; lone surrogates are kept."""
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


def unpack_text(blob: bytes) -> str:
    """The inverse of ``pack_text``."""
    return inflated(blob).decode("utf-8", "surrogatepass")


def pack_structure(document: Document) -> bytes:
    """Sections, pages, paragraphs and sentences as deflated JSON. Sentences are lengths: they tile the text."""
    structure: dict[str, Any] = {
        "sections": [[section.title, section.level, section.start] for section in document.sections],
        "pages": document.page_starts,
        "paragraphs": [[p.kind, [len(sentence) for sentence in p.sentences]] for p in document.paragraphs],
    }
    if document.tables:
        structure["tables"] = [_packed_table(table) for table in document.tables]
    return zlib.compress(json.dumps(structure, separators=(",", ":")).encode())


def unpack_document(
    *, source: str, title: str, language: str, text: bytes, structure: bytes, metadata: Metadata | None = None
) -> Document:
    """The document, from its packed text and structure; ``metadata`` is kept elsewhere."""
    outer = json.loads(inflated(structure))
    kinds, lengths = zip(*outer["paragraphs"], strict=True) if outer["paragraphs"] else ((), ())
    return Document(
        source=source,
        title=title,
        language=language,
        text=unpack_text(text),
        sections=tuple(Section(*section) for section in outer["sections"]),
        paragraphs=TiledParagraphs([_KINDS[kind] for kind in kinds], lengths),
        page_starts=tuple(outer["pages"]),
        tables=tuple(_unpacked_table(*table) for table in outer.get("tables", ())),
        metadata=metadata or {},
    )


def _packed_table(table: Table) -> list[Any]:
    rows = [[_packed_row(row) for row in rows] for rows in (table.rows, table.heads)]
    return [*rows, table.n_labels, table.caption, table.is_continued]


def _packed_row(row: Row) -> list[Any]:
    """The index of the grouping row, four numbers per cell, and, if any, a list of those of the cells from above."""
    above = [_packed_cells(row.above)] if row.above else []
    return [row.parent, *_packed_cells(row.cells), *above]


def _packed_cells(cells: tuple[Cell, ...]) -> list[int]:
    return [n for cell in cells for n in (cell.start, cell.end, cell.column, cell.n_columns)]


def _unpacked_table(
    rows: list[list[Any]], heads: list[list[Any]], n_labels: int, caption: list[int] | None, is_continued: bool
) -> Table:
    span = (caption[0], caption[1]) if caption else None
    return Table(tuple(map(_unpacked_row, rows)), tuple(map(_unpacked_row, heads)), n_labels, span, is_continued)


def _unpacked_row(packed: list[Any]) -> Row:
    above = packed.pop() if isinstance(packed[-1], list) else []
    return Row(_unpacked_cells(packed[1:]), packed[0], _unpacked_cells(above))


def _unpacked_cells(numbers: list[int]) -> tuple[Cell, ...]:
    return tuple(Cell(*numbers[at : at + 4]) for at in range(0, len(numbers), 4))


def pack_units(units: Iterable[Span]) -> bytes:
    """Starts and ends in turn, as deflated int64."""
    offsets = [offset for unit in units for offset in (unit.start, unit.end)]
    return zlib.compress(np.array(offsets, dtype="<i8").tobytes())


def unpack_units(blob: bytes) -> Spans:
    """The inverse of ``pack_units``."""
    offsets = np.frombuffer(inflated(blob), dtype="<i8").astype(np.int64, copy=False)
    return Spans(offsets[::2], offsets[1::2])


def pack_tree(tree: DiscourseTree) -> tuple[bytes, str]:
    """One int32 per node, deflated, and the relation labels in order of their codes, as a JSON list.

    Post-order makes the number of children enough to rebuild the tree: 0 is a unit, ``n`` a group of ``n`` children,
    ``-1 - code`` a join, where ``code`` is three times the label's number plus the nuclearity's.
    """
    labels = sorted({node.relation for node in tree.nodes if isinstance(node, Join)})
    number = {label: i for i, label in enumerate(labels)}
    shapes = []
    for node in tree.nodes:
        match node:
            case Unit():
                shapes.append(0)
            case Join():
                shapes.append(-1 - (3 * number[node.relation] + _NUCLEARITIES.index(node.nuclearity)))
            case Group():
                shapes.append(len(node.children))
    return zlib.compress(np.array(shapes, dtype="<i4").tobytes()), json.dumps(labels)


def unpack_tree(blob: bytes, relations: str) -> DiscourseTree:
    """The inverse of ``pack_tree``; nodes are made when they are wanted."""
    labels = json.loads(relations)
    shapes = np.frombuffer(inflated(blob), dtype="<i4")

    def inner(i: int, below: tuple[int, ...]) -> Node:
        if shapes[i] > 0:
            return Group(below)
        left, right = below
        label, nuclearity = divmod(-1 - int(shapes[i]), len(_NUCLEARITIES))
        return Join(left, right, _NUCLEARITIES[nuclearity], labels[label])

    return DiscourseTree.of_counts(np.where(shapes < 0, 2, shapes), inner)


def pack_notes(notes: Sequence[Note]) -> bytes:
    """Origins, keys, units (a range as ``{"range"}``), and the rest of each note, as deflated JSON.

    The text is kept unless it is an extract; the rejection reason is kept if the note was rejected.
    """
    rows = [
        [
            note.origin,
            note.key,
            {"range": [note.units.start, note.units.stop]} if isinstance(note.units, range) else list(note.units),
            *([note.text] if note.origin not in EXTRACTS else [note.rejection_reason] if note.rejection_reason else []),
        ]
        for note in notes
    ]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode())


def unpack_notes(blob: bytes, units: Sequence[str]) -> tuple[Note, ...]:
    """The inverse of ``pack_notes``; ``units`` are the texts of the document's units."""
    notes = []
    for name, key, numbers, *left in json.loads(inflated(blob)):
        of_note = range(*numbers["range"]) if isinstance(numbers, dict) else tuple(numbers)
        if (origin := Origin(name)) in EXTRACTS:
            notes.append(Note(joined(units[unit] for unit in of_note), origin, of_note, key, *left))
        else:
            notes.append(Note(left[0], origin, of_note, key))
    return tuple(notes)


def pack_clusters(clusters: Sequence[Cluster]) -> bytes:
    """Children, units and layer of each, as deflated JSON."""
    rows = [[cluster.children, cluster.units, cluster.layer] for cluster in clusters]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode())


def unpack_clusters(blob: bytes) -> tuple[Cluster, ...]:
    """The inverse of ``pack_clusters``."""
    rows = json.loads(inflated(blob))
    return tuple(Cluster(tuple(below), tuple(units), layer) for below, units, layer in rows)


def pack_finished(texts: Sequence[str]) -> bytes:
    """The texts of a finished call as deflated JSON."""
    return zlib.compress(json.dumps(texts).encode())


def unpack_finished(blob: bytes) -> tuple[str, ...]:
    """The inverse of ``pack_finished``."""
    return tuple(json.loads(inflated(blob)))


def pack_lexicon(lexicon: Lexicon) -> dict[str, bytes]:
    """Each array's bytes, raw, by the name of its column."""
    return {
        f"lexicon_{name}": np.asarray(getattr(lexicon, name), dtype).tobytes()
        for name, dtype in _LEXICON_DTYPES.items()
    }


def unpack_lexicon(blobs: Mapping[str, bytes]) -> Lexicon:
    """The lexicon over the blobs of these columns, read in place."""
    return Lexicon(**{name: np.frombuffer(blobs[f"lexicon_{name}"], dtype) for name, dtype in _LEXICON_DTYPES.items()})


def pack_vectors(vectors: npt.NDArray[np.float16] | npt.NDArray[np.float32]) -> Iterator[bytes]:
    """The rows as raw float16, in as few parts of whole rows as ``MAX_PART_BYTES`` allows."""
    rows = np.asarray(vectors, "<f2")
    n_rows = max(1, MAX_PART_BYTES // max(1, rows.itemsize * rows.shape[1]))
    for start in range(0, len(rows), n_rows):
        yield rows[start : start + n_rows].tobytes()


def unpack_vectors(parts: list[bytes], n_nodes: int, dim: int) -> npt.NDArray[np.float16]:
    """The rows of all parts. Shape ``(n_nodes, dim)``; a single part is read in place."""
    blob = parts[0] if len(parts) == 1 else b"".join(parts)
    return np.frombuffer(blob, "<f2").reshape(n_nodes, dim)
