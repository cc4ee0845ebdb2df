"""A discourse tree as SVG: texts in a column on the right, the tree on the left."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.tree import DiscourseTree, Join, Nuclearity, children
from treatise.core.vectors import Floats
from treatise.views.svg import CHARACTER, ROW, colour_of, one_line, picture, rows_of, text_rows

_TEXT_WIDTH: Final = 92
_MAX_ROWS: Final = 4
_GAP: Final = 9
_MARGIN: Final = 20
_WIDEST_STEP: Final = 72
_TREE_WIDTH: Final = 900
_MIN_LABEL_STEP: Final = 14


def tree_svg(tree: DiscourseTree, texts: Sequence[str], title: str) -> str:
    """The tree over its units' texts as SVG, with thick lines to nuclei and thin lines to satellites.

    Its size is linear in the number of units, and nothing overlaps.
    """
    layout = _layout(tree, texts)
    width = layout.text_x + _TEXT_WIDTH * CHARACTER + _MARGIN
    return picture(_parts(tree, texts, layout), width, layout.height, title)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Positions in pixels.

    Attributes:
        x, y: Of each node. Shape ``(n_nodes,)``.
        rows: Of each unit's text.
        step: Distance between levels.
        text_x: Left edge of the texts.
        height: Of the drawing.
    """

    x: Floats
    y: Floats
    rows: list[list[str]]
    step: float
    text_x: float
    height: float


def _layout(tree: DiscourseTree, texts: Sequence[str]) -> _Layout:
    rows = [rows_of(text, _TEXT_WIDTH, _MAX_ROWS) for text in texts]
    heights = np.array([len(each) * ROW + _GAP for each in rows], dtype=np.float32)
    tops = _MARGIN + np.concatenate([[0], np.cumsum(heights)[:-1]])
    depths = depths_of(tree)
    step = min(_WIDEST_STEP, _TREE_WIDTH / max(1, int(depths.max())))
    text_x = _MARGIN + step * (int(depths.max()) + 0.4)
    x = (_MARGIN + step * depths).astype(np.float32)
    x[tree.leaf_nodes] = text_x - 6
    y = np.zeros(len(tree.nodes), dtype=np.float32)
    y[tree.leaf_nodes] = tops + ROW / 2
    for i, node in enumerate(tree.nodes):
        if below := children(node):
            y[i] = (y[below[0]] + y[below[-1]]) / 2
    return _Layout(x, y, rows, step, text_x, float(tops[-1] + heights[-1] + _MARGIN))


def depths_of(tree: DiscourseTree) -> Floats:
    """Depth of each node below its root, computed from the last node backwards."""
    depths = np.zeros(len(tree.nodes), dtype=np.float32)
    for i in range(len(tree.nodes) - 1, -1, -1):
        if tree.parents[i] >= 0:
            depths[i] = depths[tree.parents[i]] + 1
    return depths


def _parts(tree: DiscourseTree, texts: Sequence[str], layout: _Layout) -> Iterator[str]:
    for i, node in enumerate(tree.nodes):
        below = children(node)
        for child in below:
            yield _branch(layout, i, child, _is_nucleus(tree, i, child), colour_of(_relation(tree, i)))
    for i, node in enumerate(tree.nodes):
        if isinstance(node, Join) and layout.step >= _MIN_LABEL_STEP:
            hint = f"{node.relation} ({node.nuclearity})"
            yield text_rows([node.relation], float(layout.x[i]) + 3, float(layout.y[i]) - 3, style="label", title=hint)
    for unit, (rows, text) in enumerate(zip(layout.rows, texts, strict=True)):
        y = float(layout.y[tree.leaf_nodes[unit]]) + 4
        cut = len(" ".join(rows)) < len(one_line(text)) or rows[-1].endswith("…")
        yield text_rows(rows, layout.text_x, y, title=text if cut else "")


def _branch(layout: _Layout, parent: int, child: int, is_nucleus: bool, colour: str) -> str:
    style = "line nucleus" if is_nucleus else "line"
    path = f"M{layout.x[parent]:.0f} {layout.y[parent]:.0f}V{layout.y[child]:.0f}H{layout.x[child]:.0f}"
    return f'<path class="{style}" style="stroke:{colour}" d="{path}"/>'


def _relation(tree: DiscourseTree, node: int) -> str:
    found = tree.nodes[node]
    return found.relation if isinstance(found, Join) else ""


def _is_nucleus(tree: DiscourseTree, parent: int, child: int) -> bool:
    found = tree.nodes[parent]
    if not isinstance(found, Join):
        return True
    satellite = {Nuclearity.NS: found.right, Nuclearity.SN: found.left}.get(found.nuclearity)
    return child != satellite
