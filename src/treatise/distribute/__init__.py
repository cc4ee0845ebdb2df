"""Indexing on many machines with Ray (extra ``ray``)."""

from treatise.distribute.driver import WorkerFailedError, index_on_ray
from treatise.distribute.sources import addresses_in, documents_behind

__all__ = ["WorkerFailedError", "addresses_in", "documents_behind", "index_on_ray"]
