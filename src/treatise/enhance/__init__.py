"""Text for inner nodes: merged, extracted by nuclearity, or written by a language model within a budget."""

from treatise.enhance.clusters import ClusterRequest, write_cluster_notes
from treatise.enhance.requests import NotePrompts
from treatise.enhance.themes import Themes, words_per_section
from treatise.enhance.trees import NoteRequest, write_notes

__all__ = [
    "ClusterRequest",
    "NotePrompts",
    "NoteRequest",
    "Themes",
    "words_per_section",
    "write_cluster_notes",
    "write_notes",
]
