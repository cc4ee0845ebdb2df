"""TREC files, read by ``ir_measures`` as an oracle."""

from pathlib import Path

import pytest

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.metrics.ranking import judgements, rank_scores
from treatise.evaluate.run.external_answers import score_ranks
from treatise.evaluate.run.results import read_results
from treatise.evaluate.run.retrieval import run
from treatise.evaluate.run.trec import read_run, write_trec
from treatise.recipes import BM25
from treatise.testing import HashingEncoder

EXCERPT = Path(__file__).parent / "data" / "qasper-excerpt.json"
DOCUMENTS = list(DATASETS["qasper"].load(EXCERPT))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A run of one recipe, with its TREC files."""
    out = tmp_path_factory.mktemp("trec")
    run(make_spec("qasper", EXCERPT, [BM25], [200], out, encoder=HashingEncoder(reads_context=True)))
    write_trec(DOCUMENTS, {"bm25-200": out / "bm25-200.jsonl"}, out / "trec")
    return out


def test_trec_eval_gets_our_scores_from_the_files(folder):
    ir_measures = pytest.importorskip("ir_measures")
    names = ["R@5", "nDCG@10", "RR"]
    qrels = ir_measures.read_trec_qrels(str(folder / "trec" / "qrels.txt"))
    found = ir_measures.read_trec_run(str(folder / "trec" / "bm25-200.run"))
    theirs = ir_measures.calc_aggregate(map(ir_measures.parse_measure, names), qrels, found)
    ours = rank_scores(DOCUMENTS, read_results(folder / "bm25-200.jsonl"), names)
    for measure, value in theirs.items():
        assert value == pytest.approx(sum(one[str(measure)] for one in ours.values()) / len(ours))
        assert value > 0


def test_a_run_from_a_file_scores_as_the_results_it_was_made_from(folder, tmp_path):
    pytest.importorskip("ir_measures")
    files = {"run": folder / "trec" / "bm25-200.run", "results": folder / "bm25-200.jsonl"}
    summary = score_ranks(make_spec("qasper", EXCERPT, (), (), tmp_path / "out"), files)
    of_run, of_results = summary.rows
    assert {k: v.mean for k, v in of_run.scores.items()} == {k: v.mean for k, v in of_results.scores.items()}


def test_a_query_without_a_line_found_nothing(folder, tmp_path):
    pytest.importorskip("ir_measures")
    some = judgements(DOCUMENTS)
    query, items = next(iter(some.items()))
    path = tmp_path / "one.run"
    path.write_text(f"{query} Q0 {next(iter(items))} 1 3.5 mine\n\n")
    (row,) = score_ranks(make_spec("qasper", EXCERPT, (), (), tmp_path / "out"), {"one": path}, measures=["RR"]).rows
    assert row.scores["RR"].mean == pytest.approx(100 / len(some))


def test_a_run_is_ranked_by_score_not_by_the_order_of_its_lines(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("\ufeffq Q0 low 1 0.5 x\nq Q0 high 2 7 x\n", encoding="utf-8")
    assert read_run(path) == {"q": ["high", "low"]}


@pytest.mark.parametrize(
    "content", [b"q Q0 d 1 2", b"q Q0 d 1 much x", b"q Q0 d 1 nan x", b"\xff\xfe\x00", b"\x00 \x01"]
)
def test_what_is_no_run_is_refused_by_its_line(tmp_path, content):
    path = tmp_path / "a.run"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"a\.run"):
        read_run(path)
