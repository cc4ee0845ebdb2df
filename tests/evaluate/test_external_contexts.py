import json
from pathlib import Path

import pytest
from evaluate.conftest import EXCERPT
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.report.collect import collect
from treatise.evaluate.run.external_contexts import Places, first_words, score
from treatise.evaluate.run.results import read_results
from treatise.evaluate.run.retrieval import run
from treatise.recipes import FLAT_SENTENCE


def write_lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_our_own_contexts_score_the_same_as_when_we_retrieved_them(tmp_path, encoder):
    ours = run(make_spec("qasper", EXCERPT, [FLAT_SENTENCE], [60], tmp_path / "ours", encoder=encoder))
    spec = make_spec("qasper", EXCERPT, (), [60], tmp_path / "theirs")
    scored = score(spec, {"again": tmp_path / "ours" / "flat-sentence-60.jsonl"})
    assert scored.rows[0].scores == ours.rows[0].scores
    both = collect([tmp_path / "ours", tmp_path / "theirs"])
    assert [cell[0] for cell in both.cells] == ["flat-sentence", "again"]


def test_passages_are_joined_cut_at_exactly_the_budget_and_found_in_the_text(tmp_path, question_ids):
    texts = {q.id: d.document.text for d in DATASETS["qasper"].load(EXCERPT) for q in d.questions}
    rows = [
        {"question_id": one, "passages": [" ".join(texts[one][100:400].split()), "never written", texts[one][:90]]}
        for one in question_ids
    ]
    path = write_lines(tmp_path / "peer.jsonl", rows)
    score(make_spec("qasper", EXCERPT, (), [20, 1000], tmp_path / "out"), {"peer": path})
    short = read_results(tmp_path / "out" / "peer-20.jsonl")
    whole = read_results(tmp_path / "out" / "peer-1000.jsonl")
    for one, row in zip(question_ids, rows, strict=True):
        assert len(short[one].context.split()) == 20
        assert len(short[one].spans) == 1
        assert whole[one].context == "\n\n".join(passage.strip() for passage in row["passages"])
        first, last = whole[one].spans
        assert texts[one][first.start : first.end].split() == texts[one][100:400].split()
        assert last.start == 0


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"question_id": "q", "passages": "one text"}], "expected a list"),
        ([{"question_id": "q"}], "'context' is missing"),
        ([{"context": "text"}], "'question_id' is missing"),
        ([{"question_id": "q", "context": "text"}], "has no line for question"),
    ],
)
def test_a_file_of_another_form_is_named(tmp_path, rows, said):
    path = write_lines(tmp_path / "bad.jsonl", rows)
    with pytest.raises(DataError, match=said) as raised:
        score(make_spec("qasper", EXCERPT, (), [20], tmp_path / "out"), {"bad": path})
    assert "bad.jsonl" in str(raised.value)


def test_a_name_that_is_no_file_name_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"\.\./up"):
        score(make_spec("qasper", EXCERPT, (), [20], tmp_path), {"../up": tmp_path / "x"})


@given(st.text(alphabet="ab \n\t\u2003", max_size=40), st.integers(1, 8))
def test_the_first_words_are_a_beginning_of_so_many_words(text, n):
    cut = first_words(text, n)
    assert text.startswith(cut)
    assert cut.split() == text.split()[:n]


@given(st.text(alphabet="abc \n", min_size=1, max_size=60), st.integers(0, 59), st.integers(1, 20))
def test_a_passage_is_found_whatever_became_of_its_white_space(text, start, length):
    passage = "  ".join(text[start : start + length].split())
    span = Places(text).find(passage)
    if not passage:
        assert span is None or len(span) == 0
    else:
        assert "".join(text[span.start : span.end].split()) == "".join(passage.split())
