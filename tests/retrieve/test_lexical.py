"""BM25 against a plain implementation, and the words it rests on."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.retrieve.lexical import K1, B, Collection, bm25, build_lexicon, coverage, distinct_terms, terms

WORDS = st.lists(st.sampled_from(["cat", "dog", "bird", "fish", "ant"]), max_size=8).map(" ".join)


def plain_bm25(texts: list[str], question: str) -> list[float]:
    counts = [Counter(terms(text)) for text in texts]
    mean = max(1.0, sum(c.total() for c in counts) / len(counts))
    scores = []
    for count in counts:
        score = 0.0
        for term in set(terms(question)):
            n = sum(term in other for other in counts)
            idf = math.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
            score += idf * count[term] * (K1 + 1) / (count[term] + K1 * (1 - B + B * count.total() / mean))
        scores.append(score)
    return scores


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS)
def test_bm25_of_leaves_is_the_textbook_formula(texts: list[str], question: str) -> None:
    leaves = np.array([[i, i + 1] for i in range(len(texts))], dtype=np.int32)
    assert bm25(build_lexicon(texts), question, leaves) == pytest.approx(plain_bm25(texts, question), abs=1e-5)


@given(st.lists(WORDS, min_size=2, max_size=6), WORDS)
def test_bm25_over_several_documents_is_that_of_their_units_together(texts: list[str], question: str) -> None:
    parts = texts[:1], texts[1:]
    lexicons = [build_lexicon(part) for part in parts]
    together = Collection.of(lexicons, question, ["en"])
    scores = [
        bm25(lexicon, question, np.array([[i, i + 1] for i in range(len(part))], dtype=np.int32), "en", together)
        for lexicon, part in zip(lexicons, parts, strict=True)
    ]
    assert np.concatenate(scores) == pytest.approx(plain_bm25(texts, question), abs=1e-5)


def test_an_inner_node_reads_as_the_text_of_its_units() -> None:
    lexicon = build_lexicon(["cat dog", "cat", "bird"])
    ranges = np.array([[0, 1], [1, 2], [2, 3], [0, 2], [0, 3]], dtype=np.int32)
    scores = bm25(lexicon, "cat", ranges)
    assert scores[2] == 0
    assert scores[3] > scores[0]
    assert scores[4] > 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("studies studied studying", ["studi", "studi", "studi"]),
        ("The cat is on the mat", ["cat", "mat"]),
        ("ÜBER Straße", ["uber", "strass"]),
        ("我们使用BERT模型", ["我们", "们使", "使用", "bert", "模型"]),
        ("中", ["中"]),
        ("", []),
    ],
)
def test_terms_fold_case_accents_and_endings(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_coverage_is_the_share_of_rarity_found() -> None:
    lexicon = build_lexicon(["cat dog", "cat", "bird"])
    assert coverage(lexicon, "cat", [0]) == 1
    assert 0 < coverage(lexicon, "cat bird", [0]) < 0.5
    assert coverage(lexicon, "?", [0]) == 0


def test_lone_surrogates_and_control_characters_are_words_like_others() -> None:
    assert len(build_lexicon(["\ud800abc \x00"]).lengths) == 1


def test_stop_words_of_an_english_question_weigh_nothing_in_other_languages() -> None:
    question = "What is the default value of maxdelay?"
    english = ["The default value is 3 seconds."] * 40 + ["The offset can be limited by maxdelay."]
    german = ["Der Server steht in der Schule."] * 9 + ["What is said here is the intent of the license."]
    lexicons = [build_lexicon(english, "en"), build_lexicon(german, "de")]
    among = Collection.of(lexicons, question, ["en", "de"])
    rows = np.array([[at, at + 1] for at in range(10)], dtype=np.int32)
    assert not bm25(lexicons[1], question, rows, "de", among).any()
    assert distinct_terms("Was ist in der Schule?", "de") == distinct_terms("was ist in der schule", "de")
    assert {"was", "in"} <= set(distinct_terms("Was ist in der Schule?", "de"))
    assert distinct_terms("what is the", "de")
