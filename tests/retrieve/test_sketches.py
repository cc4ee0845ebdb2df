"""Near-duplicates by sketches of the wording, against the exact resemblance."""

import random

import pytest

from treatise.retrieve.sketches import RUN, near_duplicates, resemblance, sketch

WORDS = [f"word{number}" for number in range(400)]


def text(seed: int, n_words: int = 2_000) -> list[str]:
    chosen = random.Random(seed)
    return [chosen.choice(WORDS) for _ in range(n_words)]


def runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


@pytest.mark.parametrize("n_changed", [0, 20, 100, 400])
def test_the_resemblance_is_near_the_exact_one(n_changed: int) -> None:
    one = text(1)
    other = list(one)
    for at in random.Random(2).sample(range(len(one)), n_changed):
        other[at] = "other"
    exact = len(runs(one) & runs(other)) / len(runs(one) | runs(other))
    assert resemblance(sketch(" ".join(one)), sketch(" ".join(other))) == pytest.approx(exact, abs=0.13)


def test_case_punctuation_and_white_space_do_not_count() -> None:
    assert resemblance(sketch("One two, three. Four five!"), sketch("ONE  two three\nfour five")) == 1


def test_short_texts_without_common_words_and_empty_ones_do_not_resemble() -> None:
    assert resemblance(sketch("two words"), sketch("other words")) == 0
    assert resemblance(sketch(""), sketch("")) == 0
    assert near_duplicates({}) == []


def test_pairs_are_found_among_many_the_most_alike_first() -> None:
    texts = {str(seed): text(seed) for seed in range(60)}
    texts["copy of 7"] = [*texts["7"], "end"]
    texts["draft of 9"] = ["begin", *texts["9"][:1_600]]
    found = near_duplicates({name: sketch(" ".join(words)) for name, words in texts.items()})
    assert [(pair.first, pair.second) for pair in found] == [("7", "copy of 7"), ("9", "draft of 9")]
    assert found[0].resemblance > 0.95 > found[1].resemblance > 0.6
