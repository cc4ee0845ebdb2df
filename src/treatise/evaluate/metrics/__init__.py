"""Metrics: plain functions from texts, spans or labels to numbers."""
