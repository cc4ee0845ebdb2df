"""Models of other makers, one file a vendor. Each file loads its vendor's package only when it is used."""
