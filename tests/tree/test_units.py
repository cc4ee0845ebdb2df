"""Chunks counted by the encoder: whole sentences where possible, exact spans, never too long, nothing lost."""

from hypothesis import given
from hypothesis import strategies as st

from tests.builders import make_document
from treatise.core.recipe import TokenChunks
from treatise.testing import HashingEncoder
from treatise.tree import leaf_units

COUNTER = HashingEncoder()  # a word is a token


def _chunks(paragraphs: list[list[str]], tokens: int) -> list[str]:
    document = make_document(paragraphs)
    units, sizes = leaf_units(document, TokenChunks(tokens), COUNTER)
    assert sizes == [len(units)]
    return [document.quote(unit.start, unit.end) for unit in units]


def test_a_chunk_is_a_run_of_whole_sentences() -> None:
    assert _chunks([["One two three.", "Four five."], ["Six.", "Seven eight nine."]], 6) == [
        "One two three. Four five. Six.",
        "Seven eight nine.",
    ]


def test_a_sentence_that_is_too_long_is_cut_after_a_clause_near_its_middle_else_between_words() -> None:
    assert _chunks([["One two three four, five six seven.", "Eight."]], 4) == [
        "One two three four,",
        "five six seven. Eight.",
    ]
    assert _chunks([["One two three four five six."]], 3) == ["One two three", "four five six."]


@given(
    st.lists(st.lists(st.text("ab,. 中", min_size=1, max_size=40), min_size=1, max_size=4), min_size=1, max_size=4),
    st.integers(1, 9),
)
def test_no_chunk_is_longer_and_no_character_is_lost(paragraphs: list[list[str]], tokens: int) -> None:
    chunks = _chunks(paragraphs, tokens)
    assert all(size <= tokens for size in COUNTER.n_tokens(chunks))
    everything = "".join("".join(paragraph) for paragraph in paragraphs)
    assert "".join("".join(chunks).split()) == "".join(everything.split())
