"""Treatise: ask long documents questions, by their discourse structure, offline."""

__version__ = "0.1.0"
