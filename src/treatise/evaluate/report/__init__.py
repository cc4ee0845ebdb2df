"""Turns result files into tables, plots, pages and rating sheets."""
