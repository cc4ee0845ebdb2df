"""Measurements: each task runs recipes over a data set and writes result files that can be resumed."""
