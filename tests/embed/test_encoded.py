"""Vectors of inner nodes from the sentences that their notes quote."""

import numpy as np

from tests.embed.test_reuse import CountingEncoder
from treatise.core.note import Note, Origin
from treatise.embed import node_vectors, quoted_vectors
from treatise.tree import right_branching

TEXTS = ["Rain fell.", "The river rose by a metre.", "Roads were closed."]
TREE = right_branching([3], [1])  # leaves and inner nodes in post-order; the last two nodes are inner


def notes(*of_inner: Note) -> list[Note]:
    of_leaves = [Note(text, Origin.LEAF, (at,), str(at)) for at, text in enumerate(TEXTS)]
    return [*of_leaves, *of_inner]


def test_an_extract_has_the_mean_of_what_it_quotes_and_is_not_encoded() -> None:
    encoder = CountingEncoder(32)
    leaves = encoder.encode(TEXTS)
    encoder.n_texts = 0
    one, all_of_them = Note(TEXTS[1], Origin.NUCLEUS, (1,), "a"), Note(" ".join(TEXTS), Origin.NUCLEUS, (0, 1, 2), "b")
    vectors = quoted_vectors(TREE, leaves, notes(one, all_of_them), [1, 1, 1], encoder=encoder)
    assert encoder.n_texts == 0
    np.testing.assert_array_equal(vectors[3], vectors[1])
    np.testing.assert_allclose(vectors[4], node_vectors(TREE, leaves)[4], atol=1e-3)


def test_longer_sentences_count_more() -> None:
    encoder = CountingEncoder(32)
    leaves = encoder.encode(TEXTS)
    both = Note(" ".join(TEXTS[1:]), Origin.OVER_BUDGET, (1, 2), "a")
    vectors = quoted_vectors(TREE, leaves, notes(both, both), [2, 6, 3], encoder=encoder).astype(np.float32)
    assert vectors[3] @ leaves[1] > vectors[3] @ leaves[2]


def test_what_a_model_has_written_is_encoded() -> None:
    encoder = CountingEncoder(32)
    leaves = encoder.encode(TEXTS)
    written = Note("There was a flood.", Origin.SUMMARY, (0, 1, 2), "a")
    extract = Note(TEXTS[0], Origin.REJECTED, (0,), "b")
    vectors = quoted_vectors(TREE, leaves, notes(extract, written), [1, 1, 1], encoder=encoder)
    np.testing.assert_array_equal(vectors[4], encoder.encode([written.text])[0].astype(np.float16))
    np.testing.assert_array_equal(vectors[:3], leaves.astype(np.float16))
