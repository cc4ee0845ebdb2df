"""The benchmarks of trees by kind of question, and of look-ups in tables."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from builders import make_document

from treatise.core.answer import Answer, Statement, Support
from treatise.core.evidence import Evidence
from treatise.core.tree import Nuclearity, build_tree

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


class Chains:
    """A ``Parser`` whose every sentence is a satellite of the one before."""

    name = "chains"

    def parse(self, document, progress=None):
        raise AssertionError("only paragraphs are parsed")

    def parse_runs(self, runs, language):
        return [
            build_tree(len(run), [(0, i, i + 1, Nuclearity.NS, "elaboration") for i in range(1, len(run))])
            for run in runs
        ]


def test_random_trees_have_the_labels_of_the_shipped_ones_and_other_splits(benchmarks) -> None:
    kinds: ModuleType = importlib.import_module("kinds")
    shipped = kinds.Collecting(Chains())
    run = ["A.", "B.", "C.", "D.", "E.", "F."]
    (chain,) = shipped.parse_runs([run], "en")
    trees = [kinds.RandomParser(shipped, seed).parse_runs([run], "en")[0] for seed in range(9)]
    joins = [join for tree in trees for *_, join in tree.joins()]
    assert {(join.nuclearity, join.relation) for join in joins} == {(Nuclearity.NS, "elaboration")}
    assert any(tree.nodes != chain.nodes for tree in trees)
    assert trees[0].nodes == kinds.RandomParser(shipped, 0).parse_runs([run], "en")[0].nodes


def test_a_look_up_is_right_if_the_whole_answer_is_the_cell(benchmarks) -> None:
    lookups: ModuleType = importlib.import_module("lookups")
    document = make_document([["Year: 1984; Work: Twelfth Night"]])
    evidence = Evidence("Which work?", (), "", 0, 0.9)
    row = {"question": "Which work?", "answers": ["Twelfth Night"]}
    text = document.text.strip()
    quoted = Answer(evidence.question, text, (Statement(text, (), Support.QUOTED),), (), evidence, found=True)
    assert not lookups.exact(row, lookups.first(quoted))
    assert lookups.holds(row, quoted.text)
    assert not lookups.holds(row, "Twelfth Nights")
    assert lookups.as_csv([["a", "b, c"], ["1", "2"]]) == b'a,"b, c"\r\n1,2\r\n'
