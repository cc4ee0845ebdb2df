"""Trees and edges as texts, for the cache of finished calls."""

import json

from treatise.core.document import Span
from treatise.core.graph import ChunkTree, Edge, Link
from treatise.core.tree import Nuclearity, build_tree
from treatise.plan.relations import UNRELATED


def pack_tree(tree: ChunkTree) -> str:
    """A tree of joins as one line of JSON; ``unpack_tree`` is the inverse."""
    units = [[span.start, span.end] for span in tree.units]
    joins = [[start, split, end, join.nuclearity, join.relation] for start, split, end, join in tree.tree.joins()]
    return json.dumps([units, joins], separators=(",", ":"))


def unpack_tree(line: str) -> ChunkTree:
    """The tree in a text by ``pack_tree``."""
    units, joins = json.loads(line)
    branches = (
        (start, split, end, Nuclearity(nuclearity), relation) for start, split, end, nuclearity, relation in joins
    )
    return ChunkTree(tuple(Span(*unit) for unit in units), build_tree(len(units), branches))


def pack_edge(edge: Edge | None) -> str:
    """An edge as text, without its chunks, which are in the key; also encodes None."""
    return json.dumps([edge.link, edge.score, edge.marker]) if edge else json.dumps([UNRELATED])


def unpack_edge(line: str, source: int, target: int) -> Edge | None:
    """The edge in a text by ``pack_edge``, between these chunks."""
    link, *rest = json.loads(line)
    return None if link == UNRELATED else Edge(source, target, Link(link), *rest)
