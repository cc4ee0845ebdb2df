"""A broken treebank file is refused with the file, the node and the reason."""

import re

import pytest

from treatise.core.errors import DataError, TreeError
from treatise.parse.brackets import read_brackets
from treatise.parse.dis import read_dis
from treatise.parse.rows import read_row, read_text
from treatise.parse.rs3 import read_rs3

HEADER = '<header><relations><rel name="causal" type="rst"/><rel name="joint" type="multinuc"/></relations></header>'


def rs3(*elements: str) -> str:
    return f"<rst>{HEADER}<body>{''.join(elements)}</body></rst>"


def segment(name: int, parent: int | None = None, relation: str = "span") -> str:
    link = "" if parent is None else f' parent="{parent}" relname="{relation}"'
    return f'<segment id="{name}"{link}>unit {name}</segment>'


BROKEN_RS3 = {
    "two roots": (rs3(segment(1), segment(2)), "nodes 1, 2 have no parent"),
    "a cycle": (rs3(segment(1), segment(2, 3, "causal"), segment(3, 2, "causal")), "node 2: its parents form a cycle"),
    "only a cycle": (rs3(segment(1, 2, "causal"), segment(2, 1, "causal")), "its parents form a cycle"),
    "its own parent": (rs3(segment(1), segment(2, 2, "causal")), "node 2: its parents form a cycle"),
    "a missing parent": (rs3(segment(1), segment(2, 9, "causal")), "node 2: its parent 9 is not in the file"),
    "an unknown relation": (rs3(segment(1), segment(2, 1, "colour")), "node 2: relation 'colour' is not declared"),
    "an id used twice": (rs3(segment(1), segment(1, 1, "causal")), "without a unique id: 1"),
    "no segment": (rs3(), "there is no segment"),
    "an empty group": (rs3(segment(1), '<group id="2" type="span" parent="1" relname="causal"/>'), "node 2: "),
    "crossing spans": (
        rs3(segment(1), segment(2, 4, "causal"), segment(3, 1, "causal"), segment(4, 1, "causal")),
        "node 4: joins units up to 2 with units from 4",
    ),
    "two spans below one group": (
        rs3(segment(1, 3), segment(2, 3), '<group id="3" type="span"/>'),
        "node 3: .* a span group one span child",
    ),
    "another root element": ("<html/>", "the outermost element is <html>"),
    "broken XML": ("<rst><body>", "not well-formed XML"),
    "no XML at all": ("", "not well-formed XML"),
    "an entity bomb": (
        '<!DOCTYPE rst [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' + rs3('<segment id="1">&b;</segment>'),
        "has a document type",
    ),
    "an external entity": (
        '<!DOCTYPE rst [<!ENTITY a SYSTEM "file:///etc/hostname">]>' + rs3('<segment id="1">&a;</segment>'),
        "has a document type",
    ),
    "ten thousand nested elements": ("<rst>" + "<a>" * 10_000, "not well-formed XML"),
}


@pytest.mark.parametrize("name", BROKEN_RS3)
def test_a_broken_rs3_file_is_refused_by_name_and_reason(name: str) -> None:
    content, reason = BROKEN_RS3[name]
    with pytest.raises(TreeError, match=reason) as caught:
        read_rs3(content, "broken.rs3")
    assert str(caught.value).startswith("broken.rs3: ")


def test_a_file_in_the_encoding_it_declares_is_read() -> None:
    content = '<?xml version="1.0" encoding="ISO-8859-1"?>' + rs3('<segment id="1">naïve</segment>')
    assert read_rs3(content.encode("latin-1"), "old.rs3").units == ("naïve",)


def leaf(number: int, role: str = "Nucleus", relation: str = "joint") -> str:
    return f"( {role} (leaf {number}) (rel2par {relation}) (text _!unit!_) )"


BROKEN_DIS = {
    "an open bracket": ("( Root (leaf 1)", "line 1: this bracket is never closed"),
    "a closed bracket too many": ("( Root (leaf 1) (text _!a!_) ) )", "is outside the tree"),
    "an open text": ("( Root (leaf 1) (text _!a ) )", "this text is never closed"),
    "two roots": (f"( Root (leaf 1) (text _!a!_) ) {leaf(2)}", "expected one outermost Root, found Root in line 1"),
    "nothing": ("", "expected one outermost Root, found nothing"),
    "a leaf left out": (f"( Root (span 1 3)\n{leaf(1)}\n{leaf(3)} )", r"line 3: expected \(leaf 2\)"),
    "a wrong span": (f"( Root (span 1 3) {leaf(1)} {leaf(2)} )", "states span 1 3, its leaves are 1 2"),
    "no nucleus": (f"( Root (span 1 1) {leaf(1, 'Satellite')} )", "it has no nucleus"),
    "no relation": (f"( Root (span 1 2) {leaf(1, relation='span')} {leaf(2)} )", "a child has no"),
    "a nucleus between": (
        f"( Root (span 1 3) {leaf(1)} {leaf(2, 'Satellite')} {leaf(3)} )",
        "joins units up to 1 with units from 3",
    ),
    "an unknown role": ("( Tree (leaf 1) (text _!a!_) )", "a node must be one of Root, Nucleus, Satellite"),
    "no text": ("( Root (leaf 1) )", "leaf 1 has no text"),
    "an empty bracket": ("( Root () )", "an empty bracket"),
}


@pytest.mark.parametrize("name", BROKEN_DIS)
def test_a_broken_dis_file_is_refused_by_name_and_reason(name: str) -> None:
    content, reason = BROKEN_DIS[name]
    with pytest.raises(TreeError, match=reason) as caught:
        read_dis(content, "broken.dis")
    assert str(caught.value).startswith("broken.dis: ")


def test_several_satellites_and_nuclei_are_binarised_to_the_right_and_nearest_first() -> None:
    nuclei = f"( Nucleus (span 2 4) (rel2par span) {leaf(2)} {leaf(3)} {leaf(4)} )"
    satellites = [leaf(1, "Satellite", "a"), leaf(5, "Satellite", "b"), leaf(6, "Satellite", "c")]
    content = f"( Root (span 1 6) {satellites[0]} {nuclei} {satellites[1]} {satellites[2]} )"
    tree = read_dis(content, "file").tree
    assert {(start, split, end, join.relation) for start, split, end, join in tree.joins()} == {
        (1, 2, 4, "joint"),
        (2, 3, 4, "joint"),
        (1, 4, 5, "b"),
        (1, 5, 6, "c"),
        (0, 1, 6, "a"),
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "expected one tree"),
        ('(NS causal "a")', "line 1: an inner node is nuclearity, relation and two children"),
        ('\n(XX causal "a" "b")', "line 2: 'XX' is not a valid Nuclearity"),
        ('(NS causal "a" "b"', "expected one tree"),
        ('(NS causal "a" "b"))', "closing bracket without"),
        ('"a" "b"', "expected one tree"),
        ('(NS causal "a" "b', "line 1: "),
    ],
)
def test_broken_brackets_are_refused_by_line(content: str, reason: str) -> None:
    with pytest.raises(TreeError, match=re.escape(reason)):
        read_brackets(content, "file")


ROW = '{"id": "a", "lang": "en", "level": "sentence", "paragraphs": [["x", "y"]], "tree": %s}'
NODE = '{"start": %s, "split": 1, "end": 2, "nuclearity": "%s", "relation": "joint"}'


@pytest.mark.parametrize(
    ("tree", "error", "reason"),
    [
        ("[]", TreeError, "has 1 inner nodes, found 0"),
        ("null", DataError, "'tree' must be a list"),
        (f"[{NODE % ('0', 'NX')}]", DataError, "node 0: nuclearity must be NS, SN or NN"),
        (f"[{NODE % ('null', 'NS')}]", DataError, "node 0 needs whole start"),
        (f"[{NODE % ('1', 'NS')}]", TreeError, "no node splits units"),
    ],
)
def test_a_row_with_a_broken_tree_is_refused(tree: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=re.escape(reason)) as caught:
        read_row(ROW % tree, "file: line 3")
    assert str(caught.value).startswith("file: line 3: ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "expected a JSON object, found list"),
        ('{"lang": "en", "level": "edu", "paragraphs": [["x"]]}', "'id' must be a string, found None"),
        ('{"id": "a", "lang": "en", "level": "word", "paragraphs": [["x"]]}', "level must be"),
        ('{"id": "a", "lang": "en", "level": "edu", "paragraphs": ["x"]}', "list of lists of strings"),
        ('{"id": "a", "lang": "en", "level": "edu", "paragraphs": [[1]]}', "list of lists of strings"),
        ('{"id": "a", "lang": "en", "level": "edu", "paragraphs": [[], []]}', "a has no unit"),
    ],
)
def test_a_text_that_is_not_of_the_documented_form_is_refused(line: str, reason: str) -> None:
    with pytest.raises(DataError, match=re.escape(reason)):
        read_text(line, "file: line 1")
