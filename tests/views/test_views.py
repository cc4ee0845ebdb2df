import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from itertools import pairwise

import pytest

from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.tree import DiscourseTree, Nuclearity, build_tree
from treatise.views import graph_page, graph_svg, tree_page, tree_svg

HOSTILE = 'He said </details></script><script>alert("x")</script> & "so" \x00'


def chain(n: int) -> DiscourseTree:
    return build_tree(n, [(i, i + 1, n, Nuclearity.NS, "elaboration") for i in range(n - 1)])


def drawn(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_tree_is_drawn_with_every_text_and_relation():
    tree = build_tree(3, [(0, 1, 3, Nuclearity.NS, "causal"), (1, 2, 3, Nuclearity.SN, "context")])
    svg = tree_svg(tree, ["It rained.", "In May", "the river rose."], "Weather")
    assert {"It rained.", "In May", "the river rose."} <= set(drawn(svg))
    assert svg.count("<path") == 4
    assert svg.count('class="line nucleus"') == 2
    assert any("causal" in text for text in drawn(svg))


def test_rows_of_a_picture_do_not_overlap():
    svg = tree_svg(chain(60), ["A sentence of some length that is said once and again. " * 4] * 60, "Long")
    ys = [float(y) for y in re.findall(r'<tspan x="\d+" y="(\d+)">A', svg)]
    assert len(ys) == 60
    assert all(b - a >= 17 for a, b in pairwise(ys))


@pytest.mark.parametrize("draw", [tree_svg, tree_page])
def test_a_chain_of_any_depth_is_drawn(draw):
    assert len(draw(chain(3_000), ["Said."] * 3_000, "Deep")) < 3_000 * 2_000


def test_what_a_document_says_cannot_become_markup():
    page = tree_page(chain(2), [HOSTILE, "Plain."], HOSTILE)
    assert page.count("<script>") == 1
    assert page.count("</details>") == 1
    assert "alert(&quot;x&quot;)" in page
    assert "\x00" not in page
    ElementTree.fromstring(tree_svg(chain(2), [HOSTILE, "Plain."], HOSTILE))
    ElementTree.fromstring(graph_svg(RhetoricalGraph(1), [(HOSTILE, HOSTILE)], HOSTILE))


def test_a_page_needs_no_network():
    assert not re.search(r'(?:src|href)="?http|url\(', tree_page(chain(2), ["One.", "Two."], "T"))


def test_a_folded_node_shows_the_unit_that_it_comes_down_to():
    tree = build_tree(2, [(0, 1, 2, Nuclearity.SN, "context")])
    page = tree_page(tree, ["In May", "the river rose."], "T")
    assert re.search(r"<summary>.*<q>the river rose.</q></summary>", page)


def test_a_graph_shows_each_link_with_both_chunks():
    graph = RhetoricalGraph(2, (Edge(0, 1, Link.CONTRADICTS, 0.8),))
    page = graph_page(graph, [("a.txt", "It was built in 1902."), ("b.txt", "It was built in 1885.")], "When?")
    link = page[page.index('data-link="CONTRADICTS"') :]
    assert link.index("1902") < link.index("1885")
    assert "contradicts" in unescape(page)


def test_arcs_over_the_same_rows_have_columns_of_their_own():
    graph = RhetoricalGraph(3, (Edge(0, 1, Link.SUPPORTS), Edge(0, 2, Link.CAUSES), Edge(1, 2, Link.PRECEDES)))
    svg = graph_svg(graph, [("", "One."), ("", "Two."), ("", "Three.")], "T")
    columns = re.findall(r'd="M\d+ \d+H(\d+)V', svg)
    assert columns[0] == columns[2] != columns[1]


def test_a_graph_without_links_is_drawn():
    assert "One." in " ".join(drawn(graph_svg(RhetoricalGraph(1), [("a", "One.")], "T")))
