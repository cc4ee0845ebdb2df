"""Measures, each a plain function from texts, spans or labels to numbers."""
