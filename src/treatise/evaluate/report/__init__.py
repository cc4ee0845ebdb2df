"""Result files to tables, plots, pages and rating sheets."""
