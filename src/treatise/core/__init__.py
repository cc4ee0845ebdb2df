"""The nouns and the seams. Nothing here imports another part of Treatise."""
