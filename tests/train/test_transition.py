"""The baseline's training data rebuild the trees that they come from."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")

from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig, unit_vectors
from treatise.parse.parser import TransitionParser
from treatise.parse.rows import Text, TreeRow
from treatise.parse.scorer import Score, TreeScore
from treatise.parse.transition import VIEW, Ranges, inventory
from treatise.parse.treebank import paragraph_first
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.source import random_source, shipped
from treatise.train.transition import Network, child_shares, choices
from treatise.train.treebanks import read_documents

TREEBANK = Path(__file__).parent.parent / "parse" / "data"
ROWS = [row for document in read_documents(TREEBANK, ["worship.jsonl"]) for row in document.rows]


class Knowing:
    """Scores the action highest that was learned for the state."""

    name = "knowing"
    actions = inventory()

    def __init__(self, row: TreeRow) -> None:
        self._known = {tuple(view.ravel().tolist()): int(number) for view, number in zip(*choices(row), strict=True)}

    def read(self, texts: Sequence[Text]) -> list[Score]:
        return [self._score] * len(texts)

    def _score(self, views: Ranges) -> Floats:
        numbers = [self._known[tuple(view.ravel().tolist())] for view in views]
        return np.eye(len(self.actions), dtype=np.float32)[numbers]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.text.level))
def test_a_scorer_that_knows_the_choices_builds_the_paragraph_first_tree(row: TreeRow) -> None:
    (tree,) = TransitionParser(Knowing(row)).parse_texts([row.text])
    assert tree == paragraph_first(row.tree, [len(paragraph) for paragraph in row.text.paragraphs])


def test_the_scorer_without_torch_gives_the_scores_of_the_one_with_it() -> None:
    torch.manual_seed(1)
    reader = ArrayTokens(TorchTokens(random_source()))
    network = Network(32, 0.2, None).eval()
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    (row, *_) = ROWS
    (score,) = MeanScorer(MeanScorerConfig("test", 32, 40), weights, reader).read([row.text])
    views, _ = choices(row)
    with torch.no_grad():
        wanted = network(torch.from_numpy(unit_vectors(reader, row.text, 40)), views).numpy()
    np.testing.assert_allclose(score(views), wanted, atol=1e-4)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.text.level))
def test_by_equation_5_a_tree_is_the_mean_of_its_children_in_training_and_in_use(row: TreeRow) -> None:
    torch.manual_seed(1)
    reader = ArrayTokens(TorchTokens(random_source()))
    network = Network(32, 0.2, None).eval()
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    tree = paragraph_first(row.tree, [len(paragraph) for paragraph in row.text.paragraphs])
    (score,) = MeanScorer(MeanScorerConfig("test", 32, 40, over_children=True), weights, reader).read([row.text])
    assert isinstance(score, TreeScore)
    score.join(np.array([branch[:3] for branch in tree.joins()], dtype=np.int32))
    views, _ = choices(row)
    units = unit_vectors(reader, row.text, 40)
    with torch.no_grad():
        wanted = network(torch.from_numpy(units), views, tree).numpy()
    np.testing.assert_allclose(score(views), wanted, atol=1e-4)
    recursive = {(i, i + 1): vector for i, vector in enumerate(units)}
    for start, split, end, _ in tree.joins():
        recursive[start, end] = (recursive[start, split] + recursive[split, end]) / 2
    shares, rows = child_shares(tree)
    for span, vector in recursive.items():
        np.testing.assert_allclose(shares[rows[span]] @ units, vector, atol=1e-5)


def test_a_parser_by_equation_5_differs_from_one_by_leaves_and_tells_its_scorer_every_join() -> None:
    reader = OnnxTokens(shipped("treatise-en"), threads=1)
    random = np.random.default_rng(3)
    n_actions = len(inventory())
    weights = {
        "actions.weight": random.normal(size=(n_actions, len(VIEW) * 384)).astype(np.float32),
        "actions.bias": np.zeros(n_actions, np.float32),
    }
    texts = [row.text for row in ROWS]
    by_leaves, by_children = (
        TransitionParser(MeanScorer(MeanScorerConfig("test", 384, 40, over_children=printed), weights, reader))
        for printed in (False, True)
    )
    assert by_children.parse_texts(texts) == by_children.parse_texts(texts)
    assert by_children.parse_texts(texts) != by_leaves.parse_texts(texts)


def test_weights_of_another_shape_are_refused() -> None:
    weights = {"actions.weight": np.zeros((3, len(VIEW) * 8), np.float32), "actions.bias": np.zeros(3, np.float32)}
    with pytest.raises(KeyError, match="shape"):
        MeanScorer(MeanScorerConfig("test", 8, 40), weights, ArrayTokens(TorchTokens(random_source())))
