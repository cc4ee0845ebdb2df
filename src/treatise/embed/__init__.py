"""Node text to vectors: leaves by the encoder, inner nodes pooled from their leaves."""

from treatise.embed.leaves import leaf_vectors
from treatise.embed.pooled import node_vectors

__all__ = ["leaf_vectors", "node_vectors"]
