"""Structure as text of a prompt, in named formats, with the token count of each part.

``full-1`` is the paper's: each tree with the texts of its units, a line for every ordered pair of chunks. ``compact-1``
leaves out what the chunks already show: relations that only add detail, units' texts beyond their first words, and
unrelated pairs. If there are many relations between chunks, it keeps the most informative ones.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.document import Span
from treatise.core.graph import Chunk, ChunkTree, Edge, Link, RhetoricalGraph
from treatise.core.plan import Plan, Rendered, Structure
from treatise.core.recipe import Format
from treatise.core.tree import Join, Nuclearity, Unit, children
from treatise.core.words import clip, n_tokens
from treatise.llm.tags import tagged
from treatise.plan.relations import NONE, UNRELATED, coarse

_INFORMATIVE: Final = ("contingency", "adversative", "causal", "purpose", "explanation", "evaluation", "attribution")
"""Coarse relations that ``compact-1`` writes, the most informative first."""

_MAX_LINES: Final = 2  # per tree in compact-1
_HINT_WORDS: Final = 4  # per unit in compact-1
_EDGES_PER_CHUNK: Final = 2  # per chunk in compact-1
_GRAVE: Final = frozenset({Link.CONTRADICTS, Link.REPLACES, Link.CONTRASTS_WITH})
_IN_WORDS: Final = {"contingency": "condition", "adversative": "contrast", "causal": "cause"}


def render(structure: Structure, chunks: Sequence[Chunk], form: Format) -> Rendered:
    """The structure in that format, chunks numbered from 1. A unit's text cannot close the tag around it."""
    is_full = form is Format.FULL_1
    parts = {
        "trees": "\n".join((_full_trees if is_full else _compact_trees)(structure.trees, chunks)),
        "graph": "\n".join((_full_graph if is_full else _compact_graph)(structure.graph)) if structure.graph else "",
        "plan": _plan(structure.plan),
    }
    written = {name: tagged(name, text) for name, text in parts.items() if text}
    return Rendered("\n".join(written.values()), {name: n_tokens(text) for name, text in written.items()})


def _plan(plan: Plan | None) -> str:
    return plan.text if plan else ""


def _full_trees(trees: Sequence[ChunkTree | None], chunks: Sequence[Chunk]) -> Iterator[str]:
    for number, (tree, chunk) in enumerate(zip(trees, chunks, strict=False), 1):
        if tree is not None:
            yield f"TREE[{number}]"
            yield from _outline(tree, chunk)


def _outline(tree: ChunkTree, chunk: Chunk) -> Iterator[str]:
    """One line per node, from the root down: its role, the units that it covers, and the text of a unit."""
    nodes, ranges = tree.tree.nodes, tree.tree.ranges
    pending = [(root, 0, "ROOT", "") for root in reversed(tree.tree.roots)]
    while pending:
        i, depth, role, relation = pending.pop()
        node = nodes[i]
        start, end = (int(edge) for edge in ranges[i])
        where = f"[{start + 1}]" if end - start == 1 else f"[{start + 1}-{end}]"
        text = f" {_line(chunk.quote(tree.units[start]))}" if isinstance(node, Unit) else ""
        yield "|  " * depth + f"{role}{where}{text}" + (f": {relation}" if relation else "")
        roles = _roles(node) if isinstance(node, Join) else [("PART", "")] * len(children(node))
        below = [(child, depth + 1, *role) for child, role in zip(children(node), roles, strict=True)]
        pending += reversed(below)


def _roles(join: Join) -> list[tuple[str, str]]:
    """The roles of a join's two children, each with its relation, if any."""
    relation = join.relation.upper()
    match join.nuclearity:
        case Nuclearity.NS:
            return [("NUCLEUS", ""), ("SATELLITE", relation)]
        case Nuclearity.SN:
            return [("SATELLITE", relation), ("NUCLEUS", "")]
        case Nuclearity.NN:
            return [("NUCLEUS", relation), ("NUCLEUS", relation)]


def _compact_trees(trees: Sequence[ChunkTree | None], chunks: Sequence[Chunk]) -> Iterator[str]:
    for number, (tree, chunk) in enumerate(zip(trees, chunks, strict=False), 1):
        informative = [] if tree is None else sorted(_informative_relations(tree, chunk))[:_MAX_LINES]
        if informative:
            yield f"[{number}] " + "; ".join(text for _, _, text in informative)


def _informative_relations(tree: ChunkTree, chunk: Chunk) -> Iterator[tuple[int, int, str]]:
    """Rank, size and text of each informative relation: its name, and how its satellite (or second nucleus) begins."""
    for start, split, end, join in tree.tree.joins():
        kind = coarse(join.relation)
        if kind in _INFORMATIVE:
            first, last = (start, split) if join.nuclearity is Nuclearity.SN else (split, end)
            hint = clip(_line(chunk.quote(Span(tree.units[first].start, tree.units[last - 1].end))), _HINT_WORDS)
            yield _INFORMATIVE.index(kind), end - start, f"{_IN_WORDS.get(kind, kind)}: “{hint}”"


def _full_graph(graph: RhetoricalGraph) -> Iterator[str]:
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    nothing = NONE if any(edge.marker for edge in graph.edges) else UNRELATED
    for source in range(graph.n_chunks):
        for target in range(graph.n_chunks):
            if source != target:
                edge = edges.get((source, target))
                yield f"[{source + 1}] -> [{target + 1}]: {_label(edge) if edge else nothing}"


def _compact_graph(graph: RhetoricalGraph) -> Iterator[str]:
    """One line per chunk with its relations to others; a symmetric relation is written once.

    Only the most informative edges are written, ``_EDGES_PER_CHUNK`` per chunk, so the text is linear in the chunks.
    """
    labels = {(edge.source, edge.target): _label(edge) for edge in graph.edges}
    once = [
        edge
        for edge in graph.edges
        if edge.source < edge.target or labels.get((edge.target, edge.source)) != _label(edge)
    ]
    kept = sorted(once, key=lambda edge: (edge.link not in _GRAVE, -edge.score))[: _EDGES_PER_CHUNK * graph.n_chunks]
    for source in range(graph.n_chunks):
        said: dict[str, list[str]] = {}
        for edge in sorted(kept, key=lambda edge: edge.target):
            if edge.source == source:
                said.setdefault(_label(edge), []).append(f"[{edge.target + 1}]")
        if said:
            yield f"[{source + 1}] " + "; ".join(f"{label} {' '.join(targets)}" for label, targets in said.items())


def _label(edge: Edge) -> str:
    return edge.marker or str(edge.link)


def _line(text: str) -> str:
    return " ".join(text.split())
