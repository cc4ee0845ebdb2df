"""Rows of a question and passages: nothing is lost, nothing is too long."""

from hypothesis import given
from hypothesis import strategies as st

from treatise.read import Layout, Tokens, Window, make_windows

START, END = 101, 102
LAYOUT = Layout.of(START, END, 40)


def tokens(n: int, first: int = 1000) -> Tokens:
    """``n`` tokens of three characters each."""
    return Tokens(range(first, first + n), [(3 * i, 3 * i + 3) for i in range(n)])


def passage_tokens(window: Window) -> list[tuple[int, int, int, int]]:
    places = zip(window.ids, window.passage, window.starts, window.ends, strict=True)
    return [(token, int(p), int(s), int(e)) for token, p, s, e in places if p >= 0]


@given(st.integers(0, 60), st.lists(st.integers(0, 90), max_size=8))
def test_every_token_of_every_passage_is_read_and_no_row_is_too_long(n_question: int, sizes: list[int]) -> None:
    passages = [tokens(n, 1000 + 100 * number) for number, n in enumerate(sizes)]
    windows = make_windows(range(n_question), passages, LAYOUT)
    found = {place for window in windows for place in passage_tokens(window)}
    assert found == {
        (token, number, start, end)
        for number, passage in enumerate(passages)
        for token, (start, end) in zip(passage.ids, passage.offsets, strict=True)
    }
    assert all(len(window.ids) <= LAYOUT.window_tokens for window in windows)
    assert all(len(window.ids) == len(window.passage) == len(window.starts) == len(window.ends) for window in windows)


@given(st.lists(st.integers(1, 90), min_size=1, max_size=8))
def test_passages_stand_in_order_and_each_ends_with_a_mark(sizes: list[int]) -> None:
    windows = make_windows([7, 8], [tokens(n, 1000) for n in sizes], LAYOUT)
    numbers = [int(p) for window in windows for p in window.passage if p >= 0]
    assert numbers == sorted(numbers)
    for window in windows:
        assert window.ids[:4] == [START, 7, 8, END]
        assert window.ids[-1] == END


def test_an_answer_at_the_cut_of_a_long_passage_lies_whole_in_one_piece() -> None:
    windows = make_windows([7], [tokens(100)], LAYOUT)
    pieces = [{start for _, _, start, _ in passage_tokens(window)} for window in windows]
    for first in range(100 - LAYOUT.overlap_tokens):
        span = {3 * i for i in range(first, first + LAYOUT.overlap_tokens)}
        assert any(span <= piece for piece in pieces)


def test_a_long_question_is_cut_at_its_end_and_passages_keep_their_room() -> None:
    (window,) = make_windows(range(500), [tokens(5)], LAYOUT)
    assert window.ids[1 : 1 + LAYOUT.question_tokens] == list(range(LAYOUT.question_tokens))
    assert len(passage_tokens(window)) == 5


def test_no_passages_make_no_rows() -> None:
    assert make_windows([7], [], LAYOUT) == []
    assert make_windows([7], [tokens(0)], LAYOUT) == []
