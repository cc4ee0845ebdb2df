"""Entries of the PostgreSQL store: one line per document."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from treatise.core.ports import Entry
from treatise.store.postgres.text import unescaped


def entry_of(row: dict[str, Any]) -> Entry:
    """The entry in a row of ``statements.ENTRIES``."""
    return Entry(
        id=row["id"],
        title=unescaped(row["title"]),
        language=unescaped(row["language"]),
        sources=tuple(sorted(map(unescaped, row["sources"]))),
        n_words=row["n_words"],
        n_units=row["n_units"],
        indexed_at=row["indexed_at"],
        index_keys=tuple(sorted(map(unescaped, row["index_keys"]))),
        n_bytes=row["n_bytes"] or 0,
        modified_ns=row["modified_ns"] or 0,
        metadata=metadata_of(row["metadata"]),
    )


def metadata_of(rows: list[list[Any]] | None) -> dict[str, tuple[str, ...]]:
    """The values by key; what the user set replaces what the source states."""
    ordered = sorted(rows or [], key=itemgetter(0, 1))  # stable: values stay in their places
    return {
        unescaped(key): tuple(unescaped(value) for _, _, value in values)
        for (key, _), values in groupby(ordered, itemgetter(0, 1))
    }
