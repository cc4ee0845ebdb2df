"""Vectors of nodes: leaves by the encoder; inner nodes pooled from their leaves, or by their notes."""

from treatise.embed.encoded import encoded_vectors, quoted_vectors
from treatise.embed.leaves import leaf_vectors, search_texts
from treatise.embed.pooled import node_vectors
from treatise.embed.reuse import OuterEncoder, ReusingEncoder

__all__ = [
    "OuterEncoder",
    "ReusingEncoder",
    "encoded_vectors",
    "leaf_vectors",
    "node_vectors",
    "quoted_vectors",
    "search_texts",
]
