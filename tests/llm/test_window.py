"""What fits a context window."""

from treatise.core.words import n_tokens
from treatise.llm.window import UNKNOWN_WINDOW, at_most_half, clip_evenly, fit_texts, window_of
from treatise.testing import ScriptedModel

LONG = "word " * 20_000
KNOWN, UNKNOWN = ScriptedModel([], context_tokens=1_000), ScriptedModel([])


def test_an_unknown_window_has_one_size_for_what_is_put_together() -> None:
    assert (window_of(UNKNOWN), window_of(KNOWN)) == (UNKNOWN_WINDOW, 1_000)


def test_passages_are_cut_to_a_known_window_only() -> None:
    assert fit_texts(UNKNOWN, "rules", [LONG], 100) == [LONG]
    first, second = fit_texts(KNOWN, "rules", [LONG, LONG], 100)
    assert first.endswith("…")
    assert n_tokens(first) + n_tokens(second) < 1_000 - 100


def test_texts_that_fit_stay_whole_and_others_get_equal_shares() -> None:
    assert clip_evenly(["a b", "c"], 10) == ["a b", "c"]
    assert all(n_tokens(text) <= 55 for text in clip_evenly([LONG, LONG], 100))


def test_a_reply_takes_at_most_half_of_a_known_window() -> None:
    assert (at_most_half(KNOWN, 900), at_most_half(KNOWN, 90), at_most_half(UNKNOWN, 900_000)) == (500, 90, 900_000)
