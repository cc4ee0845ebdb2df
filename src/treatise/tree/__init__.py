"""Leaves, and trees over them that need only the document's structure."""

from treatise.tree.sections import leaves_of, section_tree
from treatise.tree.shapes import balanced, bisection, flat, random_splits, right_branching
from treatise.tree.themes import Cohesion, DiscourseCuts, Even
from treatise.tree.units import leaf_units, section_sizes

__all__ = [
    "Cohesion",
    "DiscourseCuts",
    "Even",
    "balanced",
    "bisection",
    "flat",
    "leaf_units",
    "leaves_of",
    "random_splits",
    "right_branching",
    "section_sizes",
    "section_tree",
]
