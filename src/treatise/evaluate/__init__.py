"""Measuring: data sets read from local files, metrics, tests, and runs of recipes with a record of how.

``retrieval.run`` measures evidence retrieval; ``datasets.DATASETS`` are the sets.
"""
