"""The network in training is the network at run time, and its losses are what they say."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")

from treatise.core.tree import RELATIONS, Nuclearity, build_tree
from treatise.parse.rows import Level, Text, TreeRow
from treatise.parse.spans.model import NUCLEARITIES, ParserConfig, SpanModel
from treatise.parse.spans.parser import SpanParser
from treatise.parse.spans.tokens import token_run, window_vectors
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.parser.data import Document, prepare
from treatise.train.parser.labels import Inventory, clause_edges, heads, labelled
from treatise.train.parser.loss import shape_loss, tree_loss
from treatise.train.parser.network import Moments, Network
from treatise.train.source import random_source
from treatise.train.treebanks import TreebankDocument, read_documents

TREEBANK = Path(__file__).parent.parent / "parse" / "data"
CONFIG = ParserConfig("test", hidden=32, unit=12, context=8, span=10, label=14, bilinear=6, window=40)


@pytest.fixture(scope="module")
def reader() -> TorchTokens:
    return TorchTokens(random_source())


@pytest.fixture(scope="module", params=["as they come", "standardised"])
def network(request: pytest.FixtureRequest) -> Network:
    torch.manual_seed(3)
    moments = None if request.param == "as they come" else Moments(torch.randn(32), torch.rand(32) + 0.5)
    made = Network(CONFIG, dropout=0.3, auxiliary={}, encoder=None, moments=moments)
    return made.eval()


@pytest.fixture(scope="module")
def source() -> TreebankDocument:
    (document,) = read_documents(TREEBANK, ["worship.jsonl"])
    return document


@pytest.fixture(scope="module")
def document(reader: TorchTokens, source: TreebankDocument) -> Document:
    return prepare(source, reader)


@pytest.fixture(scope="module")
def tokens(reader: TorchTokens, document: Document) -> "torch.Tensor":
    run = document.run
    found = window_vectors(ArrayTokens(reader), run, document.of_paragraphs, document.of_sentences, CONFIG.window)
    return torch.cat([torch.as_tensor(vectors) for _, _, vectors in found])


@pytest.mark.parametrize(
    ("lang", "edus"), [("zh", ["因为下雨，", "他说的", "人没来。"]), ("en", ["He said", "it rains,", "(or so)."])]
)
def test_boundaries_are_learned_on_sentences_cut_by_nothing(lang: str, edus: list[str], reader: TorchTokens) -> None:
    text = Text("a", lang, Level.EDU, ((*edus, "x"),))
    tree = build_tree(4, [(start, start + 1, 4, Nuclearity.NS, RELATIONS[0]) for start in (2, 1, 0)])
    made = prepare(TreebankDocument(TreeRow(text, tree, (0, 0, 0, 1)), None), reader)
    assert made.sentences is not None
    run = made.sentences.run
    whole = token_run(reader, ["".join(edus) if lang == "zh" else " ".join(edus), "x"])
    assert run.ids.tolist() == whole.ids.tolist()
    found = run.characters[made.sentences.begins_edu].tolist()
    apart = 0 if lang == "zh" else 1
    assert found == [0, len(edus[0]) + apart, len(edus[0]) + len(edus[1]) + 2 * apart, 0]


def test_torch_and_numpy_give_the_same_trees_and_labels(
    network: Network, reader: TorchTokens, document: Document, source: TreebankDocument, tokens: "torch.Tensor"
) -> None:
    parser = SpanParser(SpanModel(CONFIG, network.heads()), ArrayTokens(reader))
    (tree,) = parser.parse_texts([source.rows[0].text])
    found = list(tree.joins())
    nodes = np.array([node for *node, _ in found])
    with torch.no_grad():
        state = network.state(tokens, document.examples[0])
        labels = (
            network.label_log_probabilities(network.label_hiddens(state, nodes), state.example)
            .flatten(1)
            .argmax(1)
            .tolist()
        )
    names = [(NUCLEARITIES[n // len(RELATIONS)], RELATIONS[n % len(RELATIONS)]) for n in labels]
    assert names == [(join.nuclearity, join.relation) for *_, join in found]


def test_silver_trees_are_learned_by_output_layers_of_their_own(document: Document, tokens: "torch.Tensor") -> None:
    torch.manual_seed(3)
    made = Network(CONFIG, dropout=0.0, auxiliary={}, encoder=None, silver=True)
    gold = document.examples[0]
    before = tree_loss(made, tokens, gold)
    for loss in tree_loss(made, tokens, replace(gold, silver=True)):
        loss.backward(retain_graph=True)
    assert all(
        parameter.grad is None
        for name in ("span_out", "bilinear", "label_hidden", "label_out")
        for parameter in getattr(made, name).parameters()
    )
    assert all(parameter.grad.abs().sum() > 0 for parameter in made.silver.parameters() if parameter.grad is not None)
    assert made.units.pool.weight.grad is not None
    with torch.no_grad():
        for parameter in made.silver.parameters():
            parameter += 1
    assert [loss.item() for loss in tree_loss(made, tokens, gold)] == [loss.item() for loss in before]
    assert not any(name.startswith("silver") for name in made.heads())


def test_torch_and_numpy_give_the_same_span_scores(
    network: Network, reader: TorchTokens, document: Document, source: TreebankDocument, tokens: "torch.Tensor"
) -> None:
    model = SpanModel(CONFIG, network.heads())
    example = document.examples[0]
    token_vectors = tokens.numpy()
    parts = [token_vectors[start:end] for start, end in pairwise(example.fenceposts.tolist())]
    pooled = model.pooled(*(np.stack(rows) for rows in zip(*[(p.mean(0), p[0], p[-1]) for p in parts], strict=True)))
    vectors = model.in_context([pooled], example.flags)
    scores = model.span_scores(model.state(vectors, example.places, np.arange(len(example.fenceposts))))
    with torch.no_grad():
        wanted = network.span_scores(network.state(tokens, example)).numpy()
    np.testing.assert_allclose(scores, wanted, atol=1e-4)


def test_torch_and_numpy_give_the_same_boundaries(network: Network, tokens: "torch.Tensor") -> None:
    vectors = tokens.numpy()
    before = np.concatenate([np.zeros_like(vectors[:1]), vectors[:-1]])
    with torch.no_grad():
        wanted = network.boundary_scores(tokens).numpy()
    scores = SpanModel(CONFIG, network.heads()).boundaries.scores(before, vectors)
    np.testing.assert_allclose(scores, wanted, atol=1e-4)


def every_tree(start: int, end: int) -> list[list[tuple[int, int, int]]]:
    if end - start == 1:
        return [[]]
    return [
        [*left, *right, (start, split, end)]
        for split in range(start + 1, end)
        for left in every_tree(start, split)
        for right in every_tree(split, end)
    ]


def spans_of(nodes: Any, n: int) -> Any:
    spans = np.zeros((2, n + 1, n + 1))
    for start, split, end in nodes.tolist():
        spans[0, start, split] = spans[1, split, end] = 1
    return spans


def test_the_shape_loss_is_the_negative_log_likelihood_over_all_trees() -> None:
    torch.manual_seed(0)
    scores = torch.randn(2, 6, 6, requires_grad=True)
    trees = [np.array(tree) for tree in every_tree(0, 5)]
    sums = [sum(scores[0, a, b] + scores[1, b, c] for a, b, c in tree.tolist()) for tree in trees]
    wanted = torch.logsumexp(torch.stack(sums), 0) - sums[7]
    (slope,) = torch.autograd.grad(wanted, scores)
    loss = shape_loss(scores, spans_of(trees[7], 5))
    assert loss.item() == pytest.approx(wanted.item(), abs=1e-4)
    (found,) = torch.autograd.grad(loss, scores)
    torch.testing.assert_close(found, slope, atol=1e-5, rtol=1e-4)


def test_the_shape_loss_of_a_distribution_is_the_expected_negative_log_likelihood() -> None:
    torch.manual_seed(0)
    scores = torch.randn(2, 6, 6)
    trees = [np.array(tree) for tree in every_tree(0, 5)]
    shares = np.random.default_rng(1).dirichlet(np.ones(len(trees)))
    expected = sum(share * spans_of(tree, 5) for share, tree in zip(shares, trees, strict=True))
    wanted = sum(share * shape_loss(scores, spans_of(tree, 5)) for share, tree in zip(shares, trees, strict=True))
    assert shape_loss(scores, expected).item() == pytest.approx(float(wanted), abs=1e-4)


def test_both_trees_of_a_document_share_its_tokens(document: Document) -> None:
    edus, sentences = document.examples
    assert (edus.level, sentences.level) == (Level.EDU, Level.SENTENCE)
    assert set(sentences.fenceposts.tolist()) <= set(edus.fenceposts.tolist())
    assert edus.fenceposts[-1] == sentences.fenceposts[-1] == len(document.run.ids)


def test_a_single_unit_costs_nothing(network: Network, reader: TorchTokens, source: TreebankDocument) -> None:
    row = source.rows[0]
    text = type(row.text)("one", "en", Level.SENTENCE, (("Rain.",),))
    single = prepare(TreebankDocument(None, type(row)(text, build_tree(1, []))), reader)
    tokens = torch.zeros(len(single.run.ids), CONFIG.hidden, requires_grad=True)
    shape, labels = tree_loss(network, tokens, single.examples[0])
    assert (shape.item(), labels.item()) == (0, 0)


def test_heads_are_the_leftmost_nuclei(document: Document) -> None:
    example = document.examples[0]
    pairs = heads(example)
    for (start, split, end), (left, right) in zip(example.nodes.tolist(), pairs.tolist(), strict=True):
        assert start <= left < split <= right < end


def test_labels_of_a_conllu_file_stand_at_the_first_token_of_each_word(
    document: Document, source: TreebankDocument, tmp_path: Path
) -> None:
    words = [word for unit in source.rows[0].text.units for word in unit.split()]
    line = "{0}\t{1}\t_\tNOUN\t_\t_\t0\troot\t_\t{2}"
    lines = [line.format(i, word, "Discourse=joint-list:1->2" if i == 1 else "_") for i, word in enumerate(words, 1)]
    (tmp_path / f"{document.id}.conllu").write_text("\n".join(lines), encoding="utf-8")
    inventory = Inventory()
    found = labelled(document, source.rows[0].text.units, [tmp_path], inventory)
    assert (found.labels["pos"] >= 0).sum() == len(words)
    assert (found.labels["discourse"] >= 0).sum() == 1
    assert inventory.sizes() == {"pos": 1, "dependency": 1, "discourse": 1, "fine": 1}


def test_the_largest_phrase_at_each_word_is_told_and_whether_it_is_a_clause() -> None:
    # He said it rains hard.
    words = [(2, "nsubj", "PRON"), (0, "root", "VERB"), (4, "expl", "PRON"), (2, "ccomp", "VERB"), (4, "advmod", "ADV")]
    left, right = clause_edges(words)
    assert left == ["root/v", "none", "ccomp/v", "none", "advmod"]
    assert right == ["nsubj", "none", "expl", "none", "root/v"]


def test_a_conllu_file_of_another_text_is_passed_over(
    document: Document, source: TreebankDocument, tmp_path: Path
) -> None:
    (tmp_path / f"{document.id}.conllu").write_text("1\tOther\t_\tX\t_\t_\t0\troot\t_\t_\n", encoding="utf-8")
    assert labelled(document, source.rows[0].text.units, [tmp_path], Inventory()) is document
