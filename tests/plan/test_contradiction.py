from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.compose import open_encoder
from treatise.plan.contradiction import contrasts
from treatise.testing import HashingEncoder

BUILT = "The county courthouse in Adel was built in 1902 and stands on the town square."
BUILT_OTHERWISE = "The county courthouse in Adel was built in 1885 and stands on the town square."
ELSEWHERE = "Vitamin D helps adults whose blood holds too little of it."


def _pair(first: str, second: str):
    ((_, _, contrast),) = contrasts([first, second], open_encoder())
    return contrast


def test_another_year_in_the_same_place_is_a_contradiction_and_is_pointed_at():
    contrast = _pair(BUILT, BUILT_OTHERWISE)
    assert contrast.is_contradiction
    assert BUILT[contrast.slot.first.start : contrast.slot.first.end] == "1902"
    assert BUILT_OTHERWISE[contrast.slot.second.start : contrast.slot.second.end] == "1885"


def test_another_name_in_the_same_place_is_a_contradiction():
    assert _pair(
        "The film was directed by Mahesh Bhatt in Hong Kong.", "The film was directed by Kapoor in Hong Kong."
    ).is_contradiction


def test_a_text_does_not_contradict_itself():
    contrast = _pair(BUILT, BUILT)
    assert contrast.slot is None
    assert not contrast.is_contradiction


def test_texts_about_different_things_do_not_contradict_each_other():
    assert _pair(BUILT, ELSEWHERE).score < 0.3


def test_every_pair_comes_once_and_one_text_has_none():
    pairs = [(i, j) for i, j, _ in contrasts([BUILT, BUILT_OTHERWISE, ELSEWHERE], open_encoder())]
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    assert not list(contrasts([BUILT], open_encoder()))


@given(st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_any_two_texts_have_a_score_and_it_is_the_same_both_ways(first: str, second: str):
    encoder = HashingEncoder()
    ((_, _, there),) = contrasts([first, second], encoder)
    ((_, _, back),) = contrasts([second, first], encoder)
    assert 0 <= there.score <= 1
    assert abs(there.score - back.score) < 1e-6
