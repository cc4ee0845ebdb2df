"""What tests of code that uses Treatise need: small deterministic parts, and the contract of each seam as a check."""

from treatise.testing.samples import sample_indexed
from treatise.testing.store_contract import check_store

__all__ = ["check_store", "sample_indexed"]
