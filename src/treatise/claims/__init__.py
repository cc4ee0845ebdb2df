"""Compares a statement with the text that it cites, by rules; no model and no vectors."""

from treatise.claims.compare import compare
from treatise.claims.difference import Difference
from treatise.claims.dispute import dispute

__all__ = ["Difference", "compare", "dispute"]
