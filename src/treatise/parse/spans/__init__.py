"""The trained parser: every span is scored as a left and as a right child, and the best tree is found exactly.

One encoding of the paragraphs gives the units' vectors, span scores, labels and EDU boundaries.
"""
