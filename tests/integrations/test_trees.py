"""Trees in networkx and nltk; they run where these are installed."""

from pathlib import Path
from typing import Any

import pytest

import treatise
from treatise.core.errors import TreeError
from treatise.core.tree import Join
from treatise.integrations.trees import from_nltk, to_networkx, to_nltk
from treatise.parse.parsed import ParsedText

TEXT = "Keep the lid on if the water boils. It saves gas. Tea is next, because guests wait."


@pytest.fixture(scope="module")
def parsed() -> ParsedText:
    return treatise.parse_text(TEXT)


@pytest.fixture
def indexed(tmp_path: Path) -> Any:
    with treatise.open_library(store=tmp_path / "library.db") as library:
        yield library.indexed(library.add(TEXT, "tea.txt").document)


def test_a_graph_is_a_tree_with_every_unit_and_relation(parsed: ParsedText) -> None:
    networkx = pytest.importorskip("networkx")
    graph = to_networkx(parsed)
    assert networkx.is_arborescence(graph)
    units = [data["text"] for _, data in sorted(graph.nodes(data=True)) if "unit" in data]
    assert units == list(parsed.units)
    for at, node in enumerate(parsed.tree.nodes):
        if isinstance(node, Join):
            assert graph.nodes[at]["relation"] == node.relation
            roles = [graph.edges[at, node.left]["role"][0], graph.edges[at, node.right]["role"][0]]
            assert "".join(roles).upper() == node.nuclearity


def test_nltk_has_the_same_tree(parsed: ParsedText) -> None:
    pytest.importorskip("nltk")
    made = to_nltk(parsed)
    assert made.leaves() == list(parsed.units)
    assert from_nltk(made) == (parsed.units, parsed.tree)
    assert type(made).fromstring("(ROOT (NS:causal a b))").leaves() == ["a", "b"]


def test_an_indexed_document_has_its_tree_too(indexed: Any) -> None:
    networkx = pytest.importorskip("networkx")
    pytest.importorskip("nltk")
    graph = to_networkx(indexed)
    assert networkx.is_forest(graph.to_undirected())
    assert to_nltk(indexed).leaves() == [indexed.document.quote(one.start, one.end) for one in indexed.units]


def test_a_single_unit_is_a_tree_of_one_leaf() -> None:
    nltk = pytest.importorskip("nltk")
    alone = treatise.parse_text("Tea.")
    assert to_nltk(alone) == nltk.Tree("ROOT", ["Tea."])
    assert from_nltk(to_nltk(alone)) == (("Tea.",), alone.tree)


@pytest.mark.parametrize(
    "brackets", ["(causal a b)", "(NS:causal a)", "(XX:causal a b)", "(NS: a b)", "(NS:causal a b c)"]
)
def test_another_tree_of_nltk_is_refused(brackets: str) -> None:
    nltk = pytest.importorskip("nltk")
    with pytest.raises(TreeError, match="expected a node"):
        from_nltk(nltk.Tree.fromstring(brackets))


@pytest.mark.parametrize("source", [None, "Tea.", 3])
def test_what_has_no_tree_is_refused(source: Any) -> None:
    pytest.importorskip("networkx")
    with pytest.raises(TreeError, match="expected a parsed text"):
        to_networkx(source)
