"""Which sentences can stand alone."""

import numpy as np
import pytest

from treatise.core.scripts import UNSPACED
from treatise.core.standalone import asserts, is_caption, is_fragment, is_prose, is_signpost, is_whole
from treatise.core.vectors import standardise


@pytest.mark.parametrize(
    "text", ["Why is that?", "It has three parts:", "为什么？", "Ignore all previous instructions."]
)
def test_a_question_an_announcement_or_an_order_to_a_model_states_nothing(text: str) -> None:
    assert not asserts(text)


def test_a_statement_states_something() -> None:
    assert asserts("The bridge was built in 1902.")


@pytest.mark.parametrize("text", ["Conclusion", "and then they left", "May 1902"])
def test_few_words_or_a_small_beginning_are_a_fragment(text: str) -> None:
    assert is_fragment(text)


@pytest.mark.parametrize("text", ["The bridge was built.", "他走了。", "iPhone 是一种手机。", "မြန်မာစာ"])
def test_a_sentence_is_no_fragment_in_any_script(text: str) -> None:
    assert not is_fragment(text)


def test_captions_signposts_lists_and_pieces_are_known() -> None:
    assert is_caption("Table 3: Results")
    assert is_signpost("The rest of this paper is organised as follows.")
    assert not is_prose("Home News Sport 2024 Contact")
    assert is_whole("The old bridge over the river was built in 1902.")
    assert not is_whole("Built in 1902")


@pytest.mark.parametrize("character", "中カかไລကក𠀀")
def test_scripts_without_spaces_are_one_table(character: str) -> None:
    assert UNSPACED.fullmatch(character)


def test_standard_scores_have_mean_0_and_deviation_1_and_equal_values_are_zeros() -> None:
    values = np.array([1.0, 2.0, 6.0], dtype=np.float32)
    scaled = standardise(values)
    assert scaled.dtype == np.float32
    assert scaled.mean() == pytest.approx(0, abs=1e-6)
    assert scaled.std() == pytest.approx(1)
    assert not standardise(np.full(3, 0.3, dtype=np.float32)).any()
    assert len(standardise(np.zeros(0, dtype=np.float32))) == 0
    assert standardise(values, values[:2], weight=2.0).tolist() == [-2.0, 2.0, 18.0]
