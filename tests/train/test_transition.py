"""The baseline's training data rebuild the trees that they come from."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")

from treatise.core.vectors import Floats
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig, unit_vectors
from treatise.parse.parser import TransitionParser
from treatise.parse.rows import Text, TreeRow
from treatise.parse.scorer import Score
from treatise.parse.transition import VIEW, Ranges, inventory
from treatise.parse.treebank import paragraph_first
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.source import random_source
from treatise.train.transition import Network, choices
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


def test_weights_of_another_shape_are_refused() -> None:
    weights = {"actions.weight": np.zeros((3, len(VIEW) * 8), np.float32), "actions.bias": np.zeros(3, np.float32)}
    with pytest.raises(KeyError, match="shape"):
        MeanScorer(MeanScorerConfig("test", 8, 40), weights, ArrayTokens(TorchTokens(random_source())))
