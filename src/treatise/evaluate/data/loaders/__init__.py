"""Readers of data sets' files: each yields ``LabelledDocument`` in the order of its file."""
