"""Adapters for models, one file per vendor; each imports the vendor's package only on use."""
