"""Loaded documents in memory."""

import numpy as np

from tests.builders import make_indexed
from treatise.pipeline.cache import DocumentCache


def test_the_least_recent_document_gives_way_and_one_stays() -> None:
    first, second = make_indexed([["One.", "Two."]]), make_indexed([["Three.", "Four."]])
    cache = DocumentCache(max_nodes=first.n_nodes + second.n_nodes)
    cache.put("a", first)
    cache.put("b", second)
    assert cache.get("a") is not None  # used last
    cache.put("c", make_indexed([["Five."]]))
    assert cache.get("b") is None
    assert cache.get("a") is not None
    small = DocumentCache(max_nodes=1)
    assert small.put("a", first) == small.get("a")


def test_vectors_are_kept_as_float32_and_dropped_documents_are_gone() -> None:
    cache = DocumentCache()
    assert cache.put("a", make_indexed([["One."]])).vectors.dtype == np.float32
    cache.drop("a")
    cache.drop("a")
    assert cache.get("a") is None
