"""A rhetorical graph as SVG: chunks in a column, with an arc on the left for each link."""

from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.graph import Edge, RhetoricalGraph
from treatise.views.svg import CHARACTER, ROW, colour_of, one_line, picture, rows_of, text_rows

_TEXT_WIDTH: Final = 92
_MAX_ROWS: Final = 3
_GAP: Final = 16
_MARGIN: Final = 24
_LEVEL: Final = 18


def graph_svg(graph: RhetoricalGraph, chunks: Sequence[tuple[str, str]], title: str) -> str:
    """The graph as SVG; ``chunks`` are pairs of place and text. Arrows go from source to target.

    Arcs over the same rows are in separate columns, so that the labels along them stay readable.
    """
    columns = _columns(graph.edges)
    arcs_width = _LEVEL * (2 + max(columns, default=0))
    text_x = _MARGIN + arcs_width + 14
    rows = [rows_of(text, _TEXT_WIDTH, _MAX_ROWS) for _, text in chunks]
    tops, top = [], float(_MARGIN)
    for each in rows:
        tops.append(top)
        top += (len(each) + 1) * ROW + _GAP
    parts = [*_chunks(chunks, rows, tops, text_x), *_arcs(graph, columns, tops, text_x - 10)]
    return picture(parts, text_x + _TEXT_WIDTH * CHARACTER + _MARGIN, top + _MARGIN, title)


def _chunks(
    chunks: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]], tops: Sequence[float], x: float
) -> Iterator[str]:
    for number, ((place, text), each, top) in enumerate(zip(chunks, rows, tops, strict=True), 1):
        yield text_rows([f"[{number}] {one_line(place)}"[:_TEXT_WIDTH]], x, top + ROW, style="strong", title=place)
        yield text_rows(each, x, top + 2 * ROW, title=text)


def _columns(edges: Sequence[Edge]) -> list[int]:
    """The column of each arc: the first free one, with short arcs closest to the text."""
    order = sorted(range(len(edges)), key=lambda i: (abs(edges[i].target - edges[i].source), edges[i].source, i))
    columns = [0] * len(edges)
    taken: list[list[tuple[int, int]]] = []
    for i in order:
        low, high = sorted((edges[i].source, edges[i].target))
        fitting = (c for c, spans in enumerate(taken) if all(high <= a or b <= low for a, b in spans))
        column = next(fitting, len(taken))
        if column == len(taken):
            taken.append([])
        taken[column].append((low, high))
        columns[i] = column
    return columns


def _arcs(graph: RhetoricalGraph, columns: Sequence[int], tops: Sequence[float], right: float) -> Iterator[str]:
    for number, (edge, column) in enumerate(zip(graph.edges, columns, strict=True)):
        nudge = number % 4 * 3
        start, end = tops[edge.source] + ROW * 0.7 + nudge, tops[edge.target] + ROW * 1.1 + nudge
        x = right - _LEVEL * (column + 1)
        colour = colour_of(edge.link)
        label = edge.link.replace("_", " ").lower()
        hint = f"[{edge.source + 1}] {label} [{edge.target + 1}], {edge.score:.2f}"
        yield (
            f'<g class="arc" data-source="{edge.source}" data-target="{edge.target}"><title>{hint}</title>'
            f'<path class="line" style="stroke:{colour};stroke-width:{1 + edge.score:.1f}" '
            f'd="M{right:.0f} {start:.0f}H{x:.0f}V{end:.0f}H{right - 5:.0f}"/>'
            f'<path style="fill:{colour}" d="M{right:.0f} {end:.0f}l-7 -4v8z"/>'
            f'<text class="label" style="fill:{colour}" text-anchor="middle" '
            f'transform="translate({x - 4:.0f} {(start + end) / 2:.0f}) rotate(-90)">{label}</text></g>'
        )
