"""Rows of the SQLite store, and the values that they hold."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from treatise import __version__
from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.store import codec
from treatise.store.checksums import checksum


def index_row(indexed: IndexedDocument, provenance: str) -> dict[str, object]:
    """The columns of an index, except its vectors."""
    tree, relations = codec.pack_tree(indexed.tree)
    n_nodes, dim = indexed.vectors.shape
    return {
        "made_from": provenance,
        "treatise_version": __version__,
        "n_units": len(indexed.units),
        "n_nodes": n_nodes,
        "dim": dim,
        "units": codec.pack_units(indexed.units),
        "tree": tree,
        "relations": relations,
        "notes": codec.pack_notes(indexed.notes) if indexed.notes else None,
        "clusters": codec.pack_clusters(indexed.clusters) if indexed.clusters else None,
        **codec.pack_lexicon(indexed.lexicon),
    }


def check_index(row: dict[str, Any], vectors: list[bytes]) -> None:
    """Compares an index with its checksum, if it has one: those of earlier versions have none."""
    if row["crc"] is not None and checksum(row, vectors) != row["crc"]:
        raise ValueError("its index differs from its checksum")


def indexed_of(document: Document, row: dict[str, Any], vectors: list[bytes]) -> IndexedDocument:
    """The index, from its row and the parts of its vectors."""
    units = codec.unpack_units(row["units"])
    texts = [document.quote(unit.start, unit.end) for unit in units] if row["notes"] else []
    return IndexedDocument(
        document=document,
        units=units,
        tree=codec.unpack_tree(row["tree"], row["relations"]),
        vectors=codec.unpack_vectors(vectors, row["n_nodes"], row["dim"]),
        lexicon=codec.unpack_lexicon(row),
        notes=codec.unpack_notes(row["notes"], texts) if row["notes"] else (),
        clusters=codec.unpack_clusters(row["clusters"]) if row["clusters"] else (),
    )


def rows_by_name(found: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """Rows by the names of their columns."""
    names = [column[0] for column in found.description]
    return (dict(zip(names, row, strict=True)) for row in found)


def utf8(text: str) -> bytes:
    """The argument of ``CAST(? AS TEXT)``: file names may contain lone surrogates, which the driver refuses as
    ``str``.
    """
    return text.encode("utf-8", "surrogatepass")
