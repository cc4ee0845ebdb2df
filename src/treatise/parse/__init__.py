"""Discourse parsing: formats, treebanks, the transition system, segmentation, evaluation measures."""
