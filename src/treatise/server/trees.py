"""The tree of a part of a document."""

from treatise.core.indexed import IndexedDocument
from treatise.records import Record, tree_record


def tree_within(indexed: IndexedDocument, start: int, end: int) -> Record:
    """The record of the tree over the units within ``[start, end)``; joins that reach beyond them are left out.

    Numbers of units count from ``first_unit``.
    """
    record = tree_record(indexed)
    inside = [i for i, unit in enumerate(indexed.units) if start <= unit.start and unit.end <= end]
    first, last = (inside[0], inside[-1] + 1) if inside else (0, 0)
    return {
        **record,
        "units": [{"start": one.start, "end": one.end} for one in indexed.units[first:last]],
        "tree": _moved(record["tree"], first, last),
        "notes": _moved(record["notes"], first, last),
        "first_unit": first,
    }


def _moved(nodes: object, first: int, last: int) -> list[Record]:
    """The nodes within ``[first, last)``, counted from ``first``; clusters belong to the whole document only."""
    assert isinstance(nodes, list)
    inside = [one for one in nodes if "start" in one and first <= one["start"] and one["end"] <= last]
    edges = ("start", "split", "end")
    return [{name: value - first if name in edges else value for name, value in one.items()} for one in inside]
