"""Leaves, and builders of trees over them, by the text's outer structure alone."""

from treatise.tree.shapes import balanced, bisection, flat, random_splits, right_branching
from treatise.tree.units import leaf_units, section_sizes

__all__ = ["balanced", "bisection", "flat", "leaf_units", "random_splits", "right_branching", "section_sizes"]
