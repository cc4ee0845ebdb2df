"""The port for trained readers of tables."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.table_answer import TableAnswer


class TableReader(Protocol):
    """Answers a question from a table: reads a cell, or computes over rows."""

    @property
    def name(self) -> str:
        """Identifies the weights."""
        ...

    def read(self, question: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> TableAnswer | None:
        """The likeliest answer; None if no reading of the question fits the table.

        Args:
            question: In English.
            heads: Of the columns, left to right; blank where there is none.
            rows: Their cells; a short row ends in blanks.

        Raises:
            EngineError: If the reader cannot be loaded.
        """
        ...
