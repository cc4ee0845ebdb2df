"""Sequences and trees whose objects are made when they are wanted, against those that are made at once."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span, TiledParagraphs
from treatise.core.errors import TreeError
from treatise.core.lazy import Lazy
from treatise.core.spans import Spans, offsets_of
from treatise.core.tree import DiscourseTree, Group, Node, Unit, children
from treatise.core.vectors import as_float32


@st.composite
def forests(draw: st.DrawFn, max_nodes: int = 40) -> list[Node]:
    """The nodes of a forest in post-order: each new one is a unit, or takes some of the open nodes."""
    nodes: list[Node] = []
    open_nodes: list[int] = []
    for _ in range(draw(st.integers(1, max_nodes))):
        n_below = draw(st.integers(0, min(4, len(open_nodes))))
        if n_below:
            nodes.append(Group(tuple(open_nodes[-n_below:])))
            del open_nodes[-n_below:]
        else:
            nodes.append(Unit(sum(isinstance(node, Unit) for node in nodes)))
        open_nodes.append(len(nodes) - 1)
    return nodes


@given(forests())
def test_a_tree_of_counts_is_the_tree_of_its_nodes(nodes: list[Node]) -> None:
    plain = DiscourseTree(sum(isinstance(node, Unit) for node in nodes), tuple(nodes))
    counts = np.array([len(children(node)) for node in nodes])
    lazy = DiscourseTree.of_counts(counts, lambda _, below: Group(below))
    assert lazy == plain
    assert plain == lazy
    assert hash(lazy) == hash(plain)
    for name in ("ranges", "parents", "leaf_nodes", "heights"):
        assert np.array_equal(getattr(lazy, name), getattr(plain, name)), name
    assert lazy.roots == plain.roots
    assert pickle.loads(pickle.dumps(lazy.nodes)) == plain.nodes


@pytest.mark.parametrize("counts", [[1], [0, 2], [0, 0, -1], [0, 0, 3]])
def test_counts_that_are_no_post_order_are_refused(counts: list[int]) -> None:
    with pytest.raises(TreeError, match="more children"):
        DiscourseTree.of_counts(np.array(counts), lambda _, below: Group(below))


def test_an_item_is_made_once_and_only_when_it_is_wanted() -> None:
    made: list[int] = []

    def make(at: int) -> str:
        made.append(at)
        return str(at)

    lazy = Lazy(4, make)
    assert (len(lazy), lazy[2], lazy[-2], lazy[-1], lazy[1:3]) == (4, "2", "2", "3", ("1", "2"))
    assert made == [2, 3, 1]
    assert list(lazy) == ["0", "1", "2", "3"]
    assert sorted(made) == [0, 1, 2, 3]
    assert lazy == ("0", "1", "2", "3")
    assert lazy != ("0",)
    with pytest.raises(IndexError):
        lazy[4]


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9))))
def test_spans_of_offsets_are_the_spans(pairs: list[tuple[int, int]]) -> None:
    spans = tuple(Span(start, start + length) for start, length in pairs)
    lazy = Spans(*offsets_of(spans))
    assert lazy == spans
    assert all(np.array_equal(a, b) for a, b in zip(offsets_of(lazy), offsets_of(spans), strict=True))


def test_spans_that_end_before_they_start_are_refused() -> None:
    with pytest.raises(ValueError, match="ends before"):
        Spans(np.array([3]), np.array([2]))


@given(st.lists(st.tuples(st.sampled_from(list(ParagraphKind)), st.lists(st.integers(0, 5), min_size=1)), min_size=1))
def test_a_document_of_lengths_is_the_document_of_its_paragraphs(shape: list[tuple[ParagraphKind, list[int]]]) -> None:
    at, plain = 0, []
    for kind, lengths in shape:
        start, sentences = at, []
        for length in lengths:
            sentences.append(Span(at, at + length))
            at += length
        plain.append(Paragraph(start, at, kind, tuple(sentences)))
    lazy = TiledParagraphs([kind for kind, _ in shape], [lengths for _, lengths in shape])
    one, other = (
        Document("a.txt", "A", "en", "x" * at, (Section("", 0, 0),), paragraphs) for paragraphs in (tuple(plain), lazy)
    )
    assert one == other
    assert one.id == other.id
    assert one.headings() == other.headings()
    if at:
        offsets = range(at)
        assert [one.paragraph_at(i) for i in offsets] == [other.paragraph_at(i) for i in offsets]


def test_every_finite_half_float_becomes_the_float_that_numpy_makes() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    rows = np.concatenate([halves] * 3)[:-1].reshape(-1, 1)
    assert np.array_equal(as_float32(rows), rows.astype(np.float32))
    assert np.array_equal(np.signbit(as_float32(rows)), np.signbit(rows))
    wide = np.ones((2, 3), dtype=np.float32)
    assert as_float32(wide) is wide
