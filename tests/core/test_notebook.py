"""What notebooks show: escaped, without scripts, of any size."""

from html.parser import HTMLParser

import pytest
from builders import make_document, make_indexed

from treatise.core.answer import Answer, Citation, DirectAnswer, Statement, Support
from treatise.core.document import Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.tree import DiscourseTree, Join, Nuclearity, Unit

NASTY = "<script>alert(1)</script> *bold* [link](http://x) & more."


class Tags(HTMLParser):
    """The tags of a page; fails if they are not nested properly."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_an_answer_shows_the_direct_answer_then_the_quotation_with_its_place() -> None:
    page = Tags(_answer(direct=DirectAnswer("71 <b>", "span", 0.9, (0,)))._repr_html_())
    assert page.text.index("71 <b>") < page.text.index(NASTY) < page.text.index("page 3 · Results")
    assert page.names == {"div", "p", "strong", "blockquote"}


def test_an_answer_in_markdown_has_no_mark_of_its_text() -> None:
    text = _answer()._repr_markdown_()
    assert r"\*bold\*" in text
    assert r"\<script\>" in text
    assert "page 3 · Results" in text


def test_evidence_and_graphs_are_escaped() -> None:
    passage = Passage("d", Span(0, len(NASTY)), NASTY, 1.0)
    evidence = Evidence(NASTY, (passage,), NASTY, 99, 0.5)
    assert "script" not in Tags(evidence._repr_html_()).names
    assert r"\[link\]" in evidence._repr_markdown_()
    graph = RhetoricalGraph(2, (Edge(0, 1, Link.CAUSES),))
    assert "1CAUSES2" in Tags(graph._repr_html_()).text
    assert "| 1 | CAUSES | 2 |" in graph._repr_markdown_()


def test_a_tree_folds_and_shows_the_text_of_its_units() -> None:
    page = Tags(make_indexed([["One.", NASTY]])._repr_html_())
    assert {"details", "summary"} <= page.names
    assert "script" not in page.names
    assert NASTY in page.text


@pytest.mark.parametrize("n_units", [1, 3, 20_000])
def test_a_tree_of_any_depth_is_drawn_without_recursion(n_units: int) -> None:
    nodes: list[Unit | Join] = [Unit(0)]
    for unit in range(1, n_units):
        nodes += [Unit(unit), Join(len(nodes) - 1, len(nodes), Nuclearity.NS, "joint")]
    page = Tags(DiscourseTree(n_units, tuple(nodes))._repr_html_())
    assert "unit 0" in page.text
    assert len(page.text) < 20_000


def _answer(direct: DirectAnswer | None = None) -> Answer:
    document = make_document([[NASTY]])
    citation = Citation(document.id, "a.pdf", Span(0, len(NASTY)), NASTY, 3, "Results")
    evidence = Evidence("What?", (), "", 99, 0.9)
    statement = Statement(NASTY, (0,), Support.QUOTED)
    return Answer("What?", NASTY, (statement,), (citation,), evidence, found=True, direct=direct)
