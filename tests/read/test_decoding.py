"""From logits to a reading, against made-up numbers and a brute-force search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.span_answer import SpanAnswerKind
from treatise.core.vectors import Floats
from treatise.read import Decoding, Head, Layout, Tokens, Window, decode, make_windows

LAYOUT = Layout.of(101, 102, 40)
SIZES = (4, 3, 6)


def rows(sizes: tuple[int, ...] = SIZES) -> list[Window]:
    passages = [Tokens(range(n), [(2 * i, 2 * i + 2) for i in range(n)]) for n in sizes]
    return make_windows([7, 8], passages, LAYOUT)


def blank(windows: list[Window]) -> list[Floats]:
    return [np.zeros((len(window.ids), len(Head)), dtype=np.float32) for window in windows]


def place(window: Window, passage: int, start: int) -> int:
    """The token of a passage that begins at a character."""
    return int(np.flatnonzero((window.passage == passage) & (window.starts == start))[0])


def test_the_best_span_is_where_start_and_end_are_highest() -> None:
    windows = rows()
    logits = blank(windows)
    logits[0][place(windows[0], 1, 2), Head.START] = 9
    logits[0][place(windows[0], 1, 4), Head.END] = 9
    best = decode(windows, logits, Decoding()).spans[0]
    assert (best.passage, best.start, best.end) == (1, 2, 6)
    assert best.score > 0.9


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_the_best_span_is_that_of_a_search_through_all_spans(seed: int, longest: int) -> None:
    windows = rows((4, 3, 6, 30, 9))
    random = np.random.default_rng(seed)
    logits = [random.normal(size=(len(w.ids), len(Head))).astype(np.float32) * 4 for w in windows]
    tried = []
    for window, of_row in zip(windows, logits, strict=True):
        null = of_row[0, Head.START] + of_row[0, Head.END]
        for i in range(len(window.ids)):
            for j in range(i, min(i + longest, len(window.ids))):
                if window.passage[i] >= 0 and (window.passage[i : j + 1] == window.passage[i]).all():
                    margin = of_row[i, Head.START] + of_row[j, Head.END] - null
                    tried.append((margin, int(window.passage[i]), int(window.starts[i]), int(window.ends[j])))
    found = decode(windows, logits, Decoding(span_tokens=longest, ends_tried=99)).spans[0]
    assert (found.passage, found.start, found.end) == max(tried)[1:]


def test_candidates_overlap_and_begin_with_the_best_span() -> None:
    windows = rows()
    logits = blank(windows)
    logits[0][place(windows[0], 1, 2), Head.START] = 9
    logits[0][place(windows[0], 1, 2), Head.END] = 8.5
    logits[0][place(windows[0], 1, 4), Head.END] = 9
    found = decode(windows, logits, Decoding(n_candidates=2))
    assert [(one.passage, one.start, one.end) for one in found.candidates] == [(1, 2, 6), (1, 2, 4)]
    assert found.candidates[0] == found.spans[0]
    assert len(found.spans) > 1
    assert found.candidates[1] not in found.spans


@given(st.integers(0, 2**32 - 1))
def test_scores_are_probabilities_that_fall_and_spans_lie_apart(seed: int) -> None:
    windows = rows((4, 3, 6, 30, 9))
    random = np.random.default_rng(seed)
    logits = [random.normal(size=(len(w.ids), len(Head))).astype(np.float32) * 6 for w in windows]
    reading = decode(windows, logits, Decoding())
    scores = [span.score for span in reading.spans]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= sum(scores) <= 1 + 1e-6
    covered = [(span.passage, at) for span in reading.spans for at in range(span.start, span.end)]
    assert len(covered) == len(set(covered))


def test_no_answer_is_likelier_where_the_first_token_takes_start_and_end() -> None:
    windows = rows()
    here, nowhere = blank(windows), blank(windows)
    here[0][place(windows[0], 0, 0), [Head.START, Head.END]] = 8
    nowhere[0][0, [Head.START, Head.END]] = 8
    answered, refused = (decode(windows, logits, Decoding()) for logits in (here, nowhere))
    assert answered.p_no_answer < 0.1 < 0.9 < refused.p_no_answer


def test_one_row_with_an_answer_is_enough() -> None:
    windows = rows((30, 30))
    assert len(windows) == 2
    logits = blank(windows)
    logits[0][0, Head.NONE] = 9
    logits[1][0, Head.YES] = 9
    reading = decode(windows, logits, Decoding())
    assert reading.kind is SpanAnswerKind.YES
    assert reading.p_yes > 0.9


@pytest.mark.parametrize("kind", list(SpanAnswerKind))
def test_the_kind_is_the_highest_of_the_first_token(kind: SpanAnswerKind) -> None:
    windows = rows()
    logits = blank(windows)
    logits[0][0, Head[kind.name]] = 5
    assert decode(windows, logits, Decoding()).kind is kind


def test_yes_and_no_together_outweigh_a_likelier_kind() -> None:
    windows = rows()
    logits = blank(windows)
    logits[0][0, [Head.SPAN, Head.YES, Head.NO]] = [5.2, 4.9, 5.1]
    assert decode(windows, logits, Decoding()).kind is SpanAnswerKind.NO


def test_nothing_to_read_holds_no_answer() -> None:
    reading = decode([], [], Decoding())
    assert reading.spans == ()
    assert reading.p_no_answer == 1
