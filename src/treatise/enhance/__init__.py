"""Text for inner nodes: merged, extracted by nuclearity, or written by a language model within a budget."""

from treatise.enhance.calls import Budget, MemoryCache, Price, Spending, Writer
from treatise.enhance.clusters import Gathered, write_cluster_notes
from treatise.enhance.estimate import Estimate, Pace, PretendingWriter, estimate
from treatise.enhance.jobs import Asking
from treatise.enhance.themes import Themes, words_per_section
from treatise.enhance.trees import Unwritten, write_notes

__all__ = [
    "Asking",
    "Budget",
    "Estimate",
    "Gathered",
    "MemoryCache",
    "Pace",
    "PretendingWriter",
    "Price",
    "Spending",
    "Themes",
    "Unwritten",
    "Writer",
    "estimate",
    "words_per_section",
    "write_cluster_notes",
    "write_notes",
]
