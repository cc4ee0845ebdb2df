"""Every format gives back what was written, whatever the tree and the texts; dis has spaces for line breaks."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.core.errors import TreeError
from treatise.core.tree import RELATIONS, Nuclearity, build_tree
from treatise.parse.analysis import Analysis
from treatise.parse.brackets import read_brackets, write_brackets
from treatise.parse.dis import read_dis, write_dis
from treatise.parse.rows import Level, Text, TreeRow, read_row, read_text, tree_nodes, write_row
from treatise.parse.rs3 import read_rs3, write_rs3, write_rs4

LAW = settings(deadline=None, max_examples=60)
FORMATS = {
    "rs3": (read_rs3, write_rs3),
    "rs4": (read_rs3, write_rs4),
    "dis": (read_dis, write_dis),
    "brackets": (read_brackets, write_brackets),
}
AWKWARD = st.text(alphabet="!_\\\"()<>&'\n\r\t aé漢\u2028", max_size=8)
XML_TEXT = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=8
)


@st.composite
def analyses(draw: st.DrawFn, texts: st.SearchStrategy[str], max_units: int = 9) -> Analysis:
    n_units = draw(st.integers(1, max_units))
    branches, pending = [], [(0, n_units)]
    while pending:
        start, end = pending.pop()
        if end - start > 1:
            split = draw(st.integers(start + 1, end - 1))
            relation = draw(st.sampled_from(RELATIONS[:3]))
            branches.append((start, split, end, draw(st.sampled_from(list(Nuclearity))), relation))
            pending += [(start, split), (split, end)]
    units = draw(st.lists(texts, min_size=n_units, max_size=n_units))
    return Analysis(tuple(units), build_tree(n_units, branches))


def in_lines(analysis: Analysis) -> Analysis:
    """The analysis with a space for each line break of its texts."""
    lines = ((unit + "x").splitlines() for unit in analysis.units)
    return Analysis(tuple(" ".join(rows)[:-1] for rows in lines), analysis.tree)


@pytest.mark.parametrize("name", FORMATS)
@LAW
@given(analysis=analyses(AWKWARD | XML_TEXT))
def test_reading_gives_back_what_was_written(name: str, analysis: Analysis) -> None:
    read, write = FORMATS[name]
    assert read(write(analysis), "file") == (in_lines(analysis) if name == "dis" else analysis)


@pytest.mark.parametrize("name", ["dis", "brackets"])
@LAW
@given(analysis=analyses(st.text(max_size=6)))
def test_text_formats_hold_every_character(name: str, analysis: Analysis) -> None:
    read, write = FORMATS[name]
    assert read(write(analysis), "file") == (in_lines(analysis) if name == "dis" else analysis)


@LAW
@given(analyses(AWKWARD | st.text(max_size=6)))
def test_dis_has_a_line_for_each_bracket_whatever_the_texts(analysis: Analysis) -> None:
    rows = write_dis(analysis).splitlines()
    assert [row for row in rows if not re.match(r" *(\( (Root|Nucleus|Satellite) \(|\))", row)] == []


@LAW
@given(analyses(AWKWARD | XML_TEXT))
def test_rs3_has_a_line_for_each_element_whatever_the_texts(analysis: Analysis) -> None:
    for write in (write_rs3, write_rs4):
        assert [row for row in write(analysis).splitlines() if not re.match(" *</?[a-z]", row)] == []


@LAW
@given(analyses(st.text()), st.data())
def test_a_row_gives_back_its_paragraphs_tree_and_sentences(analysis: Analysis, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(analysis.units)))
    text = Text("id", "en", Level.EDU, (analysis.units[:cut], analysis.units[cut:]))
    row = TreeRow(text, analysis.tree, data.draw(st.sampled_from([(), tuple(range(len(analysis.units)))])))
    assert read_row(write_row(row), "file") == row
    assert read_text(write_row(row), "file") == text


def test_a_lone_surrogate_goes_through_a_utf_8_file() -> None:
    row = TreeRow(Text("id\ud800", "en", Level.EDU, (("\udfff",),)), build_tree(1, []))
    assert read_row(write_row(row).encode("utf-8").decode("utf-8"), "file") == row
    analysis = Analysis(row.text.units, row.tree)
    assert read_brackets(write_brackets(analysis).encode("utf-8").decode("utf-8"), "file") == analysis


@LAW
@given(analyses(st.just("")))
def test_a_tree_over_n_units_has_n_less_one_nodes_and_parents_come_first(analysis: Analysis) -> None:
    nodes = tree_nodes(analysis.tree)
    assert len(nodes) == len(analysis.units) - 1
    seen = {(0, len(analysis.units))}
    for node in nodes:
        assert (node["start"], node["end"]) in seen
        seen |= {(node["start"], node["split"]), (node["split"], node["end"])}


@pytest.mark.parametrize("name", FORMATS)
@LAW
@given(st.text(alphabet='()<>/ _!"\\NSRootleafspan12rel\n', max_size=60))
def test_noise_is_refused_with_the_name_of_the_file(name: str, noise: str) -> None:
    read, _ = FORMATS[name]
    try:
        read(noise, "noise.file")
    except TreeError as error:
        assert "noise.file" in str(error)  # noqa: PT017  noise may by chance be a tree, so no error is fine


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rs3", "dis", "brackets"])
def test_a_chain_of_fifty_thousand_units_needs_no_recursion(name: str) -> None:
    n = 50_000
    chain = build_tree(n, [(i, i + 1, n, Nuclearity.SN, "context") for i in range(n - 1)])
    analysis = Analysis(("x",) * n, chain)
    read, write = FORMATS[name]
    assert read(write(analysis), "file").units == analysis.units


def test_a_row_of_fifty_thousand_units_is_read_and_written() -> None:
    n = 50_000
    chain = build_tree(n, [(0, i, i + 1, Nuclearity.NS, "context") for i in range(1, n)])
    line = write_row(TreeRow(Text("id", "en", Level.SENTENCE, (("x",) * n,)), chain))
    assert len(json.loads(line)["tree"]) == n - 1
    assert read_row(line, "file").tree.nodes == chain.nodes


def _one(relation: str) -> Analysis:
    return Analysis(("a", "b"), build_tree(2, [(0, 1, 2, Nuclearity.NS, relation)]))


@pytest.mark.parametrize(
    ("write", "relation"),
    [
        (write_rs3, "span"),
        (write_rs3, ""),
        (write_dis, "span"),
        (write_dis, "a b"),
        (write_dis, "_!x"),
        (write_brackets, "a)"),
    ],
)
def test_a_relation_that_a_format_cannot_hold_is_refused(write: Callable[[Analysis], str], relation: str) -> None:
    with pytest.raises(TreeError, match=r"does not allow|forbids"):
        write(_one(relation))


def test_a_character_that_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(TreeError, match="unit 1"):
        write_rs3(Analysis(("\x00",), build_tree(1, [])))
