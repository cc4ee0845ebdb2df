"""Data types and protocols. Nothing here imports another part of Treatise."""
