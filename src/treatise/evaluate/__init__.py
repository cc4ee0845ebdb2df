"""Measuring: data sets, metrics, runs of recipes with a record of how, reports, and the tables of the papers.

A question's way to a figure: ``data`` loads it, ``run`` answers it, ``metrics`` scores it, ``report`` shows it.
"""
