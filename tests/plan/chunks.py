"""Chunks and trees made by hand."""

from itertools import accumulate

from treatise.core.document import Span
from treatise.core.graph import Chunk, ChunkTree
from treatise.core.tree import Nuclearity, build_tree

NS, SN, NN = Nuclearity.NS, Nuclearity.SN, Nuclearity.NN


def make_chunk(*sentences: str, language: str = "en") -> Chunk:
    """A chunk of these sentences with a blank between them."""
    ends = list(accumulate(len(sentence) + 1 for sentence in sentences))
    spans = tuple(Span(end - 1 - len(sentence), end - 1) for sentence, end in zip(sentences, ends, strict=True))
    return Chunk(" ".join(sentences), language, spans)


def make_tree(chunk: Chunk, *joins: tuple[int, int, int, Nuclearity, str]) -> ChunkTree:
    """A tree over the chunk's sentences."""
    return ChunkTree(chunk.sentences, build_tree(len(chunk.sentences), joins))
