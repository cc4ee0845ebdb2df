"""``treatise eval``: measuring recipes, from data sets to reports."""
