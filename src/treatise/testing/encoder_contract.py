"""The contract of ``treatise.core.ports.Encoder``."""

from collections.abc import Callable

import numpy as np

from treatise.core.document import Span
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats

_TEXTS = (
    "The treaty was signed in Vienna.",
    "Rain fell on the harbour for three days, and nobody went out to sea.",
    "Одно предложение. 一个句子。",
    "word",
)


def check_encoder(make: Callable[[], Encoder]) -> None:
    """Asserts that an encoder keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Names the first violated rule.
    """
    encoder = make()
    for check in _CHECKS:
        check(encoder)


def _rows_are_unit_and_float32(encoder: Encoder) -> None:
    rows = encoder.encode(_TEXTS)
    assert rows.shape == (len(_TEXTS), encoder.dim), f"expected {len(_TEXTS)} rows of {encoder.dim}, found {rows.shape}"
    assert rows.dtype == np.float32, f"expected float32, found {rows.dtype}"
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3), "rows are not of length 1"


def _no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dim), "no texts must give zero rows of the right length"
    assert encoder.encode_in_context([], []).shape == (0, encoder.dim), "no contexts must give zero rows"
    assert encoder.encode_in_context(["One. "], [[]]).shape == (0, encoder.dim), "no spans must give zero rows"


def _a_blank_text_gives_no_nan(encoder: Encoder) -> None:
    rows = encoder.encode(["", " \n", "word"])
    assert np.isfinite(rows).all(), "a blank text gives NaN"
    norms = np.linalg.norm(rows, axis=1)
    assert np.all((norms < 1e-3) | (np.abs(norms - 1) < 1e-3)), "a blank text must give a unit row or a zero row"


def _a_row_does_not_depend_on_its_neighbours(encoder: Encoder) -> None:
    together = encoder.encode([*_TEXTS, "long " * 50])
    for i, text in enumerate(_TEXTS):
        alone = encoder.encode([text])[0]
        assert alone @ together[i] > 1 - 1e-2, f"the vector of {text!r} changes with its neighbours in the batch"
    backwards = encoder.encode(_TEXTS[::-1])[::-1]
    assert _cosines(together[: len(_TEXTS)], backwards).min() > 1 - 1e-2, "rows do not follow the order of the texts"


def _texts_that_differ_have_vectors_that_differ(encoder: Encoder) -> None:
    rows = encoder.encode(_TEXTS)
    off_diagonal = (rows @ rows.T)[~np.eye(len(rows), dtype=bool)]
    assert off_diagonal.max() < 1 - 1e-3, "two different texts have one vector"


def _the_end_of_a_long_text_counts(encoder: Encoder) -> None:
    beginning = "The harbour was closed for the winter. " * 300
    one, other = encoder.encode([beginning, beginning + "Parliament voted on the new tax law. " * 300])
    assert one @ other < 1 - 1e-3, "the end of a long text is cut off"


def _a_question_has_one_row(encoder: Encoder) -> None:
    rows = encoder.encode_questions(_TEXTS)
    assert rows.shape == (len(_TEXTS), encoder.dim), f"expected {len(_TEXTS)} rows of questions, found {rows.shape}"
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3), "rows of questions are not of length 1"
    nearest = (rows @ encoder.encode(_TEXTS).T).argmax(axis=1)
    assert nearest.tolist() == list(range(len(_TEXTS))), "a text asked as a question is not nearest to itself"


def _a_span_has_one_row_in_order(encoder: Encoder) -> None:
    text = " ".join(_TEXTS)
    starts = [text.index(part) for part in _TEXTS]
    spans = [Span(start, start + len(part)) for start, part in zip(starts, _TEXTS, strict=True)]
    rows = encoder.encode_in_context([text, _TEXTS[0]], [spans, [Span(0, len(_TEXTS[0]))]])
    assert rows.shape == (len(spans) + 1, encoder.dim), f"expected {len(spans) + 1} rows, found {rows.shape}"
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3), "rows in context are not of length 1"
    own = encoder.encode([*_TEXTS, _TEXTS[0]])
    if encoder.reads_context:
        assert _cosines(rows, own).min() < 1 - 1e-3, "an encoder that reads context gives the spans' own vectors"
    else:
        assert _cosines(rows, own).min() > 1 - 1e-2, "an encoder that reads no context must encode the spans' own text"


def _progress_rises_to_the_total(encoder: Encoder) -> None:
    calls: list[tuple[int, int]] = []
    encoder.encode(_TEXTS, progress=lambda done, total: calls.append((done, total)))
    dones = [done for done, _ in calls]
    assert calls, "progress is never called"
    assert dones == sorted(dones), "progress does not rise"
    assert calls[-1][0] == calls[-1][1], "progress does not reach the total"


def _it_has_a_name(encoder: Encoder) -> None:
    assert encoder.name, "the name is empty"


def _cosines(left: Floats, right: Floats) -> Floats:
    cosines: Floats = np.einsum("ij,ij->i", left, right)
    return cosines


_CHECKS = (
    _rows_are_unit_and_float32,
    _no_texts_give_no_rows,
    _a_blank_text_gives_no_nan,
    _a_row_does_not_depend_on_its_neighbours,
    _texts_that_differ_have_vectors_that_differ,
    _the_end_of_a_long_text_counts,
    _a_question_has_one_row,
    _a_span_has_one_row_in_order,
    _progress_rises_to_the_total,
    _it_has_a_name,
)
