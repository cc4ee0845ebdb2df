"""A question to evidence: scores over all nodes, then a selection under a word budget."""

from treatise.retrieve.lexical import bm25, build_lexicon, coverage
from treatise.retrieve.scores import cosines, node_scores
from treatise.retrieve.selection import select

__all__ = ["bm25", "build_lexicon", "cosines", "coverage", "node_scores", "select"]
