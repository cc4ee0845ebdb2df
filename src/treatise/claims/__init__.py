"""Compares a statement with the text that it cites, by rules; no model and no vectors."""

from treatise.claims.compare import compare
from treatise.claims.difference import Difference
from treatise.claims.dispute import dispute
from treatise.claims.opposites import turned_around

__all__ = ["Difference", "compare", "dispute", "turned_around"]
