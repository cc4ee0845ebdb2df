"""Addresses as they stand in a text."""

from typing import Final

EMAIL: Final = r"[^\s<>,;\"()\[\]]{1,100}@[^\s<>,;\"()\[\]]*[^\s<>,;\"()\[\].:]"
