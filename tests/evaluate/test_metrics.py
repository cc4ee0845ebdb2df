from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, Question, Reference, Retrieved
from treatise.evaluate.metrics.answers import answer_f1, exact_match
from treatise.evaluate.metrics.evidence import answer_in_context, cover, evidence_tokens, span_cover
from treatise.evaluate.metrics.segmentation import pk, window_diff
from treatise.evaluate.metrics.tokens import overlap

SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12)).map(lambda p: Span(p[0], p[0] + p[1])), max_size=8)
BOUNDARIES = st.lists(st.booleans(), min_size=4, max_size=30)


def question(*references: Reference) -> Question:
    return Question("q", "What?", references)


def extractive(answer: str, *evidence: str, spans: Sequence[Span] = ()) -> Reference:
    return Reference(answer, AnswerKind.EXTRACTIVE, evidence, tuple(spans))


def test_evidence_is_scored_by_the_annotator_with_the_best_f1():
    asked = question(extractive("", "one two three four five six"), extractive("", "one two"))
    scores = evidence_tokens(asked, Retrieved("One, two.", ()))
    assert scores == {"f1": 1.0, "recall": 1.0}


def test_a_question_without_evidence_scores_zero_against_any_context():
    unanswerable = question(Reference("Unanswerable", AnswerKind.UNANSWERABLE))
    assert evidence_tokens(unanswerable, Retrieved("some text", ())) == {"f1": 0.0, "recall": 0.0}


@given(SPANS, SPANS)
def test_cover_equals_counting_characters(found, gold):
    def characters(spans):
        return {i for span in spans for i in range(span.start, span.end)}

    common = len(characters(found) & characters(gold))
    recall, precision = cover({0: found}, {0: gold})
    assert recall == pytest.approx(common / max(1, len(characters(gold))))
    assert precision == pytest.approx(common / max(1, len(characters(found))))


def test_span_cover_takes_the_annotator_it_fits_best_and_skips_questions_without_spans():
    asked = question(extractive("", spans=[Span(50, 60)]), extractive("", spans=[Span(0, 10)]))
    assert span_cover(asked, Retrieved("", (Span(0, 20),))) == {"span_recall": 1.0, "span_precision": 0.5}
    assert span_cover(question(extractive("x")), Retrieved("", (Span(0, 20),))) == {}


@pytest.mark.parametrize(
    ("answer", "context", "expected"),
    [
        ("The King", "He saw a king, and left.", {"answer_in_context": 1.0}),
        ("king", "He was asking.", {"answer_in_context": 0.0}),  # whole words only
        ("the", "anything", {}),  # nothing is left of the answer
    ],
)
def test_an_explicit_answer_is_looked_for_word_by_word(answer, context, expected):
    assert answer_in_context(question(extractive(answer)), Retrieved(context, ())) == expected


def test_an_answer_in_the_annotators_own_words_is_not_looked_for():
    assert answer_in_context(question(Reference("x", AnswerKind.ABSTRACTIVE)), Retrieved("x", ())) == {}


def test_answers_are_scored_by_the_best_reference_and_counted_under_its_kind():
    asked = question(extractive("three layers of wool"), Reference("Yes", AnswerKind.BOOLEAN))
    assert answer_f1(asked, "wool layers") == (pytest.approx(2 / 3), AnswerKind.EXTRACTIVE)
    assert answer_f1(asked, "yes.") == (1.0, AnswerKind.BOOLEAN)
    assert exact_match(asked, "The three layers of wool!") == 1.0
    assert exact_match(asked, "three layers") == 0.0


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_overlap_is_bounded_and_turns_round(found, gold):
    precision, recall, f1 = overlap(found, gold)
    assert overlap(gold, found) == (recall, precision, pytest.approx(f1))
    assert 0 <= min(precision, recall) <= f1 <= max(precision, recall) + 1e-12 <= 1 + 1e-9


def nltk_pk(ref: str, hyp: str, k: int) -> float:
    err = 0
    for i in range(len(ref) - k + 1):
        err += (ref[i : i + k].count("1") > 0) != (hyp[i : i + k].count("1") > 0)
    return err / (len(ref) - k + 1.0)


def nltk_windowdiff(seg1: str, seg2: str, k: int) -> float:
    wd = sum(min(1, abs(seg1[i : i + k].count("1") - seg2[i : i + k].count("1"))) for i in range(len(seg1) - k + 1))
    return wd / (len(seg1) - k + 1.0)


@given(BOUNDARIES, st.randoms(use_true_random=False), st.integers(1, 4))
def test_pk_and_windowdiff_are_those_of_nltk(gold, random, window):
    found = gold[:]
    random.shuffle(found)
    as_text = ["".join("1" if b else "0" for b in side) for side in (gold, found)]
    assert pk(gold, found, window=window) == pytest.approx(nltk_pk(*as_text, window))
    assert window_diff(gold, found, window=window) == pytest.approx(nltk_windowdiff(*as_text, window))


def test_the_examples_in_nltks_documentation():
    first, third = ([c == "1" for c in text] for text in ("0100" * 100, "0" * 400))
    assert f"{pk(first, ([c == '1' for c in '1' * 400]), window=2):.2f}" == "0.50"
    assert f"{pk(first, third, window=2):.2f}" == "0.50"
    assert f"{pk(first, first, window=2):.2f}" == "0.00"
    s1, s2, s3 = ([c == "1" for c in text] for text in ("000100000010", "000010000100", "100000010000"))
    assert f"{window_diff(s1, s1, window=3):.2f}" == "0.00"
    assert f"{window_diff(s1, s2, window=3):.2f}" == "0.30"
    assert f"{window_diff(s2, s3, window=3):.2f}" == "0.80"


def test_without_a_window_half_the_mean_gold_segment_is_taken():
    gold = [i % 6 == 5 for i in range(24)]
    found = [i % 4 == 3 for i in range(24)]
    assert pk(gold, found) == pk(gold, found, window=3)


@pytest.mark.parametrize(("found", "window"), [([True], None), ([True, False], 3)])
def test_segmentations_of_other_lengths_and_windows_too_wide_are_refused(found, window):
    with pytest.raises(ValueError, match="found"):
        pk([True, False], found, window=window)
