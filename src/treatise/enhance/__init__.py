"""Text for inner nodes: merged, extracted by nuclearity, or written by a language model within a budget."""

from treatise.enhance.calls import Budget, MemoryCache, Price, Spending, Writer
from treatise.enhance.trees import Outline, write_notes

__all__ = ["Budget", "MemoryCache", "Outline", "Price", "Spending", "Writer", "write_notes"]
