"""Questions over the whole of a table: extremes, counts, sums, averages, differences, and cells by row and column."""

from treatise.generate.tabular.answered import answer_from_tables

__all__ = ["answer_from_tables"]
