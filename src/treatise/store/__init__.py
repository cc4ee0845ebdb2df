"""Documents and their indexes on disk."""

from treatise.store.sqlite import SqliteStore, default_path

__all__ = ["SqliteStore", "default_path"]
