"""Evaluation: data sets, metrics, recorded runs of recipes, reports, and the tables of the papers.

``data`` loads the questions, ``run`` answers them, ``metrics`` scores the answers, ``report`` shows the results.
"""
