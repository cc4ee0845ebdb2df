"""Data sets: their common form, loaders, and where to get them."""
