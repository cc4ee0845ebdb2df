"""Paragraphs and the texts that stand for them are parsed by one call."""

from treatise.parse.parser import DocumentParser, TransitionParser
from treatise.parse.scorer import NullScorer


def test_each_run_of_texts_has_a_tree_of_its_own_over_all_of_its_texts() -> None:
    parser = DocumentParser(TransitionParser(NullScorer()))
    runs = [["One."], ["One.", "Two.", "Three."], ["A summary.", "Another."]]
    trees = parser.parse_runs(runs, "en")
    assert [tree.n_units for tree in trees] == [1, 3, 2]
    assert all(len(tree.roots) == 1 for tree in trees)
    assert [parser.parse_runs([run], "en")[0] for run in runs] == trees
