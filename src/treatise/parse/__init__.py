"""Texts to discourse trees: formats, treebanks, the transition system, segmentation, measures."""
