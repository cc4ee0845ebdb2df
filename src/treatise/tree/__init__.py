"""Builders of trees over the units of a text, by its outer structure alone."""

from treatise.tree.shapes import balanced, bisection, flat, random_splits, right_branching

__all__ = ["balanced", "bisection", "flat", "random_splits", "right_branching"]
