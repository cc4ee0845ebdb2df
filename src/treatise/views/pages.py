"""Interactive pages: a tree to fold and search, a graph with its links."""

from collections.abc import Iterator, Sequence
from html import escape
from string import Template
from typing import Final

import numpy as np

from treatise.core.graph import RhetoricalGraph
from treatise.core.plurals import counted
from treatise.core.tree import DiscourseTree, Join, Nuclearity, Unit, children
from treatise.views.graph import graph_svg
from treatise.views.svg import colour_of, one_line
from treatise.views.templates import template
from treatise.views.tree import depths_of

_AT_FIRST: Final = 60
"""Approximate number of nodes visible at first; a smaller tree is fully unfolded."""


def tree_page(tree: DiscourseTree, texts: Sequence[str], title: str) -> str:
    """A self-contained HTML file with a tree that folds at every node and can be searched.

    A folded node shows its nuclear unit.
    """
    return _page("tree", title, "".join(_tree_items(tree, texts)), counted(tree.n_units, "unit"))


def graph_page(graph: RhetoricalGraph, chunks: Sequence[tuple[str, str]], title: str) -> str:
    """A self-contained HTML file: the drawing of the graph, and every link with its two chunks side by side."""
    links = "".join(
        f'<li data-link="{edge.link}"><b style="color:{colour_of(edge.link)}">{_words(edge.link)}</b> '
        f'<span class="dim">{edge.score:.2f}</span><div class="pair">{_chunk(chunks, edge.source)}'
        f"{_chunk(chunks, edge.target)}</div></li>"
        for edge in graph.edges
    )
    body = f'<div class="picture">{graph_svg(graph, chunks, title)}</div><h2>Links</h2><ol class="links">{links}</ol>'
    return _page("graph", title, body, f"{counted(graph.n_chunks, 'chunk')}, {counted(len(graph.edges), 'link')}")


def _page(kind: str, title: str, body: str, size: str) -> str:
    safe_title = escape(one_line(title))
    filled = {"title": safe_title, "body": body, "size": size, "kind": kind}
    return Template(template("page.html")).substitute(filled, style=template("page.css"), script=template("page.js"))


def _chunk(chunks: Sequence[tuple[str, str]], number: int) -> str:
    place, text = chunks[number]
    return f"<blockquote><cite>[{number + 1}] {escape(one_line(place))}</cite>{escape(one_line(text))}</blockquote>"


def _words(label: str) -> str:
    return label.replace("_", " ").lower()


def _tree_items(tree: DiscourseTree, texts: Sequence[str]) -> Iterator[str]:
    """Nested ``details``, built with a stack, since trees can exceed the recursion limit."""
    nuclei = _nuclear_units(tree)
    levels = _open_levels(tree)
    pending: list[tuple[int, int, str, bool]] = [(root, 0, "nucleus", False) for root in reversed(tree.roots)]
    while pending:
        node, level, role, leaving = pending.pop()
        if leaving:
            yield "</details>"
            continue
        found = tree.nodes[node]
        if isinstance(found, Unit):
            yield f'<p class="unit {role}"><i>{found.index + 1}</i>{escape(one_line(texts[found.index]))}</p>'
            continue
        start, end = (int(edge) for edge in tree.ranges[node])
        relation = found.relation if isinstance(found, Join) else "together"
        unfolded = " open" if level < levels else ""
        yield (
            f'<details class="{role}"{unfolded} data-level="{level}"><summary><b style="color:{colour_of(relation)}">'
            f"{escape(relation)}</b> <i>{start + 1}–{end}</i> <q>{escape(one_line(texts[nuclei[node]]))}</q></summary>"
        )
        pending.append((node, level, role, True))
        below = children(found)
        pending += [(child, level + 1, _role(found, child), False) for child in reversed(below)]


def _open_levels(tree: DiscourseTree) -> int:
    """The number of levels that can be unfolded with at most ``_AT_FIRST`` nodes visible; at least one."""
    in_sight = np.cumsum(np.bincount(depths_of(tree).astype(int)))
    return len(in_sight) if tree.n_units <= _AT_FIRST else max(1, int((in_sight <= _AT_FIRST).sum()) - 1)


def _role(parent: object, child: int) -> str:
    if isinstance(parent, Join):
        satellite = {Nuclearity.NS: parent.right, Nuclearity.SN: parent.left}.get(parent.nuclearity)
        return "satellite" if child == satellite else "nucleus"
    return "nucleus"


def _nuclear_units(tree: DiscourseTree) -> list[int]:
    """For each node, the unit reached by descending to the nucleus (the left one of two)."""
    units: list[int] = []
    for node in tree.nodes:
        if isinstance(node, Unit):
            units.append(node.index)
        elif isinstance(node, Join) and node.nuclearity is Nuclearity.SN:
            units.append(units[node.right])
        else:
            units.append(units[children(node)[0]])
    return units
