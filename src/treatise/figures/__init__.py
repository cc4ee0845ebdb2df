"""Figures of companies: values of financial statements and what is computed from them, each with its rows."""

from treatise.figures.asked import needs_more
from treatise.figures.computed import Figure, figure_of, names_company

__all__ = ["Figure", "figure_of", "names_company", "needs_more"]
