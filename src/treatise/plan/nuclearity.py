"""The most nuclear units of a chunk: those below the fewest satellites (Marcu 1997)."""

from treatise.core.graph import Chunk, ChunkTree
from treatise.core.tree import Join, Nuclearity, Unit, children
from treatise.core.words import clip, joined, n_words


def satellite_depths(tree: ChunkTree) -> list[int]:
    """Number of satellites between each unit and the root; 0 for a unit that represents the whole."""
    nodes, depths = tree.tree.nodes, [0] * len(tree.tree.nodes)
    of_units = [0] * tree.tree.n_units
    for i in range(len(nodes) - 1, -1, -1):
        node = nodes[i]
        if isinstance(node, Unit):
            of_units[node.index] = depths[i]
        for child in children(node):
            depths[child] = depths[i]
        if isinstance(node, Join) and node.nuclearity is not Nuclearity.NN:
            depths[node.right if node.nuclearity is Nuclearity.NS else node.left] += 1
    return of_units


def digest(chunk: Chunk, tree: ChunkTree | None, max_words: int) -> str:
    """The most nuclear units of a chunk in text order, within a word limit; without a tree, its beginning."""
    if tree is None:
        return clip(chunk.text, max_words)
    depths = satellite_depths(tree)
    chosen: list[int] = []
    left = max_words
    for unit in sorted(range(len(depths)), key=lambda i: (depths[i], i)):
        size = n_words(chunk.quote(tree.units[unit]))
        if size <= left:
            chosen.append(unit)
            left -= size
        elif not chosen:
            return clip(chunk.quote(tree.units[unit]), max_words)
    return " ".join(joined(chunk.quote(tree.units[unit]) for unit in sorted(chosen)).split())
