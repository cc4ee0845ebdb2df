"""The version of the readers, which is part of every index key."""

from typing import Final

READER_VERSION: Final = 3
"""Raise it if the same bytes give another ``Document``, so that old indexes are replaced."""
