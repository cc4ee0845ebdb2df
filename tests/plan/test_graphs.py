"""The graph by a language model: what is dropped, what is noted, and that no pair is asked for twice."""

import json
import re
from collections.abc import Sequence

import pytest

from treatise.compose import open_encoder
from treatise.core.graph import Edge, Link
from treatise.core.ports import Message
from treatise.core.recipe import GraphBy
from treatise.llm.cache import MemoryCache
from treatise.llm.runner import LlmRunner
from treatise.plan import CachedRelator, LocalMarkers, LocalRelator, ModelRelator, all_pairs
from treatise.testing import HashingEncoder, ScriptedModel

CHUNKS = ["The bridge was closed in May.", "The bridge stayed open all year.", "Bread needs yeast."]


def _pairs(*lines: str) -> str:
    return json.dumps({"pairs": list(lines)})


def _relator(*replies: str, form: GraphBy = GraphBy.SPARSE) -> ModelRelator:
    return ModelRelator(LlmRunner(ScriptedModel(list(replies))), form)


@pytest.mark.parametrize(
    "line", ["1 CONTRADICTS 2", "[1] contradicts [2]", "CHUNK[1] -> CHUNK[2]: CONTRADICTS", "[1] CONTRADICTS [2]."]
)
def test_a_line_names_two_chunks_and_what_the_first_does_for_the_second(line: str) -> None:
    graph = _relator(_pairs(line)).relate(CHUNKS)
    assert graph.edges == (Edge(0, 1, Link.CONTRADICTS),)


def test_what_does_not_exist_is_dropped_and_counted() -> None:
    lines = ["1 CONTRADICTS 2", "1 SUPPORTS 1", "1 SUPPORTS 9", "0 SUPPORTS 2", "2 HATES 1", "1 SUPPORTS 2", "nothing"]
    graph = _relator(_pairs(*lines)).relate(CHUNKS)
    assert graph.edges == (Edge(0, 1, Link.CONTRADICTS),)
    assert graph.n_refused == 6


def test_an_incomplete_listwise_reply_leaves_pairs_open() -> None:
    graph = _relator(_pairs("1 CONTRADICTS 2", "1 UNRELATED 3"), form=GraphBy.LISTWISE).relate(CHUNKS)
    assert (len(graph.edges), graph.n_open) == (1, 4)


def test_a_sparse_reply_leaves_nothing_open() -> None:
    assert _relator(_pairs()).relate(CHUNKS).n_open == 0


def test_a_reply_without_a_valid_line_is_asked_for_again_and_then_given_up() -> None:
    graph = _relator("They are all related.", _pairs("a", "b")).relate(CHUNKS)
    assert (graph.edges, graph.n_open) == ((), 6)


@pytest.mark.parametrize("chunks", [[], CHUNKS[:1]])
def test_one_chunk_has_no_graph_and_no_call(chunks: list[str]) -> None:
    assert _relator().relate(chunks).edges == ()
    assert LocalRelator(HashingEncoder()).relate(chunks).edges == ()
    assert LocalMarkers(HashingEncoder()).relate(chunks).edges == ()


def test_markers_are_connectives_with_the_relation_that_they_are_a_sign_of() -> None:
    reply = _pairs("1 in contrast 2", "2 NONE 1", "1 nevertheless 3")
    graph = _relator(reply, form=GraphBy.MARKERS).relate(CHUNKS)
    assert graph.edges == (Edge(0, 1, Link.CONTRASTS_WITH, 1.0, "in contrast"),)
    assert (graph.n_refused, graph.n_open) == (1, 4)


def test_only_new_pairs_are_asked_for_when_retrieved_sets_overlap() -> None:
    model, cache = ScriptedModel(_contradict_all), MemoryCache()
    relator = CachedRelator(ModelRelator(LlmRunner(model), GraphBy.SPARSE), cache)
    first = relator.relate(CHUNKS)
    again = relator.relate(list(reversed(CHUNKS)))
    assert len(model.prompts) == 1
    assert {(CHUNKS[e.source], CHUNKS[e.target]) for e in first.edges} == {
        (CHUNKS[2 - e.source], CHUNKS[2 - e.target]) for e in again.edges
    }
    wider = relator.relate([*CHUNKS, "Rye bread needs sourdough."])
    assert "with one of these passages are wanted: 4." in model.prompts[1][0].content
    assert len(model.prompts) == 2
    assert {(edge.source, edge.target) for edge in wider.edges} == set(all_pairs(4))


def test_open_pairs_are_not_kept_as_unrelated() -> None:
    replies = [_pairs("1 SUPPORTS 2"), _pairs(*(f"{i + 1} SUPPORTS {j + 1}" for i, j in all_pairs(3)))]
    relator = CachedRelator(_relator(*replies, form=GraphBy.LISTWISE), MemoryCache())
    assert relator.relate(CHUNKS).n_open == 5
    assert len(relator.relate(CHUNKS[::-1]).edges) == 6


def test_the_local_rules_see_a_contradiction() -> None:
    graph = LocalRelator(HashingEncoder(256)).relate(
        ["The new bridge was closed in May.", "The new bridge was not closed in May.", "Bread needs yeast."]
    )
    assert {(e.source, e.target, e.link) for e in graph.edges} == {
        (0, 1, Link.CONTRADICTS),
        (1, 0, Link.CONTRADICTS),
    }


def test_a_local_marker_joins_a_chunk_to_what_it_answers() -> None:
    chunks = ["The bridge was closed in May.", "However, the bridge was opened in June.", "Bread needs yeast."]
    (edge,) = LocalMarkers(HashingEncoder(256)).relate(chunks).edges
    assert (edge.source, edge.target, edge.marker) == (1, 0, "however")


def _contradict_all(messages: Sequence[Message]) -> str:
    n = len(re.findall(r"^\[\d+\] ", messages[1].content, re.MULTILINE))
    return _pairs(*(f"{i + 1} CONTRADICTS {j + 1}" for i, j in all_pairs(n)))


def test_links_of_the_local_graph_grow_with_the_chunks_not_with_their_pairs() -> None:
    chunks = ["The mill by the river was built by a farmer, who ground corn there."] * 24
    edges = LocalRelator(open_encoder()).relate(chunks).edges
    plain = [edge for edge in edges if edge.link is not Link.CONTRADICTS]
    assert 0 < len(plain) <= 2 * 3 * len(chunks)
