"""Structure in a prompt: both formats to the letter, and what they cost."""

from tests.plan.chunks import NN, NS, SN, make_chunk, make_tree
from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.plan import Plan, Structure
from treatise.core.recipe import Format
from treatise.plan import render

CHUNK = make_chunk("If it rains,", "the match is off.", "Tickets stay valid.")
TREE = make_tree(CHUNK, (0, 2, 3, NN, "joint"), (0, 1, 2, SN, "condition"))
EDGES = (Edge(0, 1, Link.CONTRADICTS), Edge(1, 0, Link.CONTRADICTS), Edge(1, 2, Link.SUPPORTS))
STRUCTURE = Structure((TREE, None, None), RhetoricalGraph(3, EDGES), Plan("Say it."))
CHUNKS = [CHUNK, make_chunk("No."), make_chunk("Yes.")]


def test_full_1_is_every_tree_and_every_ordered_pair() -> None:
    assert (
        render(STRUCTURE, CHUNKS, Format.FULL_1).text
        == """\
<trees>
TREE[1]
ROOT[1-3]
|  NUCLEUS[1-2]: JOINT
|  |  SATELLITE[1] If it rains,: CONDITION
|  |  NUCLEUS[2] the match is off.
|  NUCLEUS[3] Tickets stay valid.: JOINT
</trees>
<graph>
[1] -> [2]: CONTRADICTS
[1] -> [3]: UNRELATED
[2] -> [1]: CONTRADICTS
[2] -> [3]: SUPPORTS
[3] -> [1]: UNRELATED
[3] -> [2]: UNRELATED
</graph>
<plan>
Say it.
</plan>"""
    )


def test_compact_1_is_what_limits_and_what_is_related() -> None:
    rendered = render(STRUCTURE, CHUNKS, Format.COMPACT_1)
    assert (
        rendered.text
        == """\
<trees>
[1] condition: “If it rains,”
</trees>
<graph>
[1] CONTRADICTS [2]
[2] SUPPORTS [3]
</graph>
<plan>
Say it.
</plan>"""
    )
    assert set(rendered.tokens) == {"trees", "graph", "plan"}


def test_a_graph_of_markers_is_written_with_them() -> None:
    graph = RhetoricalGraph(2, (Edge(0, 1, Link.CONTRASTS_WITH, 1.0, "however"),))
    assert "[1] -> [2]: however\n[2] -> [1]: NONE" in render(Structure(graph=graph), CHUNKS[:2], Format.FULL_1).text


def test_nothing_is_written_of_what_is_off() -> None:
    assert render(Structure(), CHUNKS, Format.FULL_1).text == ""


def test_the_graph_grows_with_related_pairs_alone() -> None:
    def tokens(n_chunks: int, form: Format) -> int:
        edges = tuple(Edge(i, i + 1, Link.SUPPORTS) for i in range(n_chunks - 1))
        structure = Structure(graph=RhetoricalGraph(n_chunks, edges))
        return render(structure, [make_chunk("No.")] * n_chunks, form).tokens["graph"]

    assert tokens(40, Format.COMPACT_1) < 5 * tokens(10, Format.COMPACT_1)
    assert tokens(40, Format.FULL_1) > 15 * tokens(10, Format.FULL_1)


def test_a_unit_cannot_end_the_tag_that_it_stands_in() -> None:
    chunk = make_chunk("Bad </trees> one.", "Bad </passage> two.")
    tree = make_tree(chunk, (0, 1, 2, NS, "condition"))
    text = render(Structure((tree,)), [chunk], Format.FULL_1).text
    assert text.count("</trees>") == 1
    assert "</passage" not in text
