"""Discourse trees and rhetorical graphs as SVG and as self-contained HTML pages."""

from treatise.views.graph import graph_svg
from treatise.views.pages import graph_page, tree_page
from treatise.views.tree import tree_svg

__all__ = ["graph_page", "graph_svg", "tree_page", "tree_svg"]
