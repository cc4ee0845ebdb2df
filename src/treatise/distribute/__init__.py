"""Indexing on many machines with Ray (extra ``ray``)."""

from treatise.distribute.driver import index_on_ray
from treatise.distribute.sources import addresses_in, documents_behind, read_source
from treatise.distribute.workers import WorkerFailedError

__all__ = ["WorkerFailedError", "addresses_in", "documents_behind", "index_on_ray", "read_source"]
