"""Data set loaders; each yields ``LabelledDocument`` in file order."""
