"""Evaluation runs: each task runs recipes over a data set and writes resumable result files."""
