"""Laws: what is packed comes back, and equal nouns give equal bytes."""

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.table import Cell, Row, Table
from treatise.core.tree import RELATIONS, DiscourseTree, Group, Join, Node, Nuclearity, Unit
from treatise.store import codec

texts = st.text(st.characters(exclude_categories=()), max_size=200)  # lone surrogates, too


@st.composite
def documents(draw: st.DrawFn) -> Document:
    paragraphs, text = [], ""
    for kind in draw(st.lists(st.sampled_from(ParagraphKind), max_size=5)):
        start, sentences = len(text), []
        for sentence in draw(st.lists(texts, min_size=1, max_size=4)):
            sentences.append(Span(len(text), len(text) + len(sentence)))
            text += sentence
        paragraphs.append(Paragraph(start, len(text), kind, tuple(sentences)))
    starts = [0, *sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))]
    sections = tuple(Section(draw(texts), draw(st.integers(0, 6)), start) for start in starts)
    return Document(draw(texts), draw(texts), "en", text, sections, tuple(paragraphs), tuple(starts))


@st.composite
def trees(draw: st.DrawFn) -> DiscourseTree:
    nodes: list[Node] = []
    open_nodes: list[int] = []
    n_units = 0
    for n_children in draw(st.lists(st.integers(0, 4), max_size=60)):
        if n_children == 0:
            nodes.append(Unit(n_units))
            n_units += 1
        elif n_children > len(open_nodes):
            continue
        elif n_children == 2 and draw(st.booleans()):
            right, left = open_nodes.pop(), open_nodes.pop()
            nodes.append(Join(left, right, draw(st.sampled_from(Nuclearity)), draw(st.sampled_from(RELATIONS))))
        else:
            nodes.append(Group(tuple(open_nodes[-n_children:])))
            del open_nodes[-n_children:]
        open_nodes.append(len(nodes) - 1)
    return DiscourseTree(n_units, tuple(nodes))


@given(documents())
def test_a_document_comes_back(document: Document) -> None:
    text, structure = codec.pack_text(document.text), codec.pack_structure(document)
    found = codec.unpack_document(
        source=document.source, title=document.title, language=document.language, text=text, structure=structure
    )
    assert found == document
    assert (codec.pack_text(found.text), codec.pack_structure(found)) == (text, structure)


@given(trees())
def test_a_tree_comes_back(tree: DiscourseTree) -> None:
    packed = codec.pack_tree(tree)
    assert codec.unpack_tree(*packed) == tree
    assert codec.pack_tree(codec.unpack_tree(*packed)) == packed


@given(st.lists(st.tuples(st.integers(0, 1 << 40), st.integers(0, 1 << 40)).map(sorted)))
def test_units_come_back(offsets: list[list[int]]) -> None:
    units = tuple(Span(start, end) for start, end in offsets)
    assert codec.unpack_units(codec.pack_units(units)) == units


def test_a_chain_of_fifty_thousand_units_needs_no_recursion() -> None:
    n_units = 50_000
    nodes: list[Node] = [Unit(index) for index in range(n_units)]
    nodes += [Join(n_units - 2 - i, n_units - 1 + i, Nuclearity.NS, "elaboration") for i in range(n_units - 1)]
    tree = DiscourseTree(n_units, tuple(nodes))
    assert codec.unpack_tree(*codec.pack_tree(tree)) == tree


def test_vectors_in_one_part_are_read_in_place() -> None:
    vectors = np.ones((3, 4), dtype=np.float16)
    (part,) = codec.pack_vectors(vectors)
    assert np.shares_memory(codec.unpack_vectors([part], 3, 4), np.frombuffer(part, dtype=np.uint8))


def test_tables_come_back_and_documents_without_any_pack_as_before() -> None:
    text = "Cash\t1,234\n"
    row = Row((Cell(0, 4, 0), Cell(5, 10, 1, 2)))
    paragraph = Paragraph(0, len(text), ParagraphKind.TABLE, (Span(0, len(text)),))
    plain = Document("a", "A", "en", text, (Section("", 0, 0),), (paragraph,))
    tables = (Table((row, Row((Cell(10, 11, 0),), parent=0)), caption=(0, 4), n_labels=2),)
    full = Document("a", "A", "en", text, (Section("", 0, 0),), (paragraph,), tables=tables)
    for document in (plain, full):
        packed = codec.pack_structure(document)
        found = codec.unpack_document(
            source="a", title="A", language="en", text=codec.pack_text(text), structure=packed
        )
        assert found == document
        assert (b"tables" in zlib.decompress(packed)) == bool(document.tables)


@given(trees())
def test_an_unpacked_tree_has_the_ranges_that_a_checked_one_computes(tree: DiscourseTree) -> None:
    unpacked = codec.unpack_tree(*codec.pack_tree(tree))
    assert np.array_equal(unpacked.ranges, DiscourseTree(tree.n_units, tree.nodes).ranges)


def test_a_part_that_unpacks_to_any_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = codec.pack_text("a" * 1_000)
    assert len(codec.unpack_text(packed)) == 1_000
    with pytest.raises(zlib.error):
        codec.inflated(packed[:-3])
    monkeypatch.setattr(codec, "MAX_UNPACKED_BYTES", 999)
    with pytest.raises(ValueError, match="unpacks to more than"):
        codec.unpack_text(packed)
