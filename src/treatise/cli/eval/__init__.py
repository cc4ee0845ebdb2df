"""``treatise eval``: evaluation of recipes, from data sets to reports."""
