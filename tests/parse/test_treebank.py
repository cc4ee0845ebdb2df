"""Treebank files become rows, to the letter as published where the data are at hand."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from held import held

from treatise.core.errors import TreeError
from treatise.core.tree import RELATIONS, Nuclearity, build_tree
from treatise.parse.analysis import Analysis
from treatise.parse.relations import CLASSICAL, GUM
from treatise.parse.rows import TreeRow, numbered, read_row, tree_nodes, write_row
from treatise.parse.rs3 import read_rs3, write_rs3, write_rs4
from treatise.parse.treebank import (
    Conversion,
    coarse_tree,
    convert,
    cut,
    in_blocks,
    paragraph_first,
    read_edus,
    read_gcdt,
    read_gum,
    sentence_tree,
)

HERE = Path(__file__).parent / "data"
NS, SN, NN = Nuclearity.NS, Nuclearity.SN, Nuclearity.NN


def test_a_gum_document_gives_the_published_rows() -> None:
    (conversion,) = read_gum(HERE / "gum")
    assert conversion.sentences is not None
    published = [json.loads(line) for line in (HERE / "worship.jsonl").read_text("utf-8").splitlines()]
    assert [json.loads(write_row(row)) for row in (conversion.edus, conversion.sentences)] == published


def test_secondary_edges_and_signals_do_not_touch_the_tree() -> None:
    path = HERE / "gum" / "rs4" / "GUM_news_worship.rs4"
    analysis = read_rs3(path.read_bytes(), path.name)
    assert read_rs3(write_rs4(analysis), "again") == analysis


def folder(path: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(content, "utf-8")
    return path


CHINESE = Analysis(
    ("标题", "甲 & 乙 ，", "丙 。"),
    build_tree(3, [(0, 1, 3, SN, "organization-heading"), (1, 2, 3, NS, "causal-cause")]),
)


def test_a_gcdt_document_has_sentences_by_line_and_paragraphs_by_blank_line_or_tag(tmp_path: Path) -> None:
    files = {
        "rs3/a.rs3": write_rs3(CHINESE),
        "tokenized/a.txt": "标题\n甲 & 乙 ， 丙 。\n",
        "xml/a.xml": '<text id="a">\n标题\n<section>\n甲&amp;乙，\n丙。\n</section>\n</text>',
    }
    (conversion,) = read_gcdt(folder(tmp_path, files))
    assert conversion.edus.text.paragraphs == (("标题",), ("甲&乙，", "丙。"))
    assert conversion.edus.sentence_of_unit == (0, 1, 1)
    assert conversion.sentences is not None
    assert conversion.sentences.text.paragraphs == (("标题",), ("甲&乙，丙。",))
    assert tree_nodes(conversion.sentences.tree)[0]["relation"] == "organization"


def read_rrg(path: Path) -> Iterator[Conversion]:
    return read_edus(path, "ru")


def test_rs3_files_alone_give_edus_in_one_paragraph(tmp_path: Path) -> None:
    (conversion,) = read_edus(folder(tmp_path, {"a.rs3": write_rs3(CHINESE)}), "zh")
    assert conversion.sentences is None
    assert conversion.edus.text.paragraphs == (CHINESE.units,)


def test_a_headline_outside_the_tree_is_joined_to_it(tmp_path: Path) -> None:
    relations = '<header><relations><rel name="e-elaboration" type="rst"/></relations></header>'
    segments = '<segment id="1">In Sorge</segment><segment id="2">A</segment>'
    satellite = '<segment id="3" parent="2" relname="e-elaboration">B</segment>'
    files = {"a.rs3": f"<rst>{relations}<body>{segments}{satellite}</body></rst>"}
    (conversion,) = read_edus(folder(tmp_path, files), "de", inventory=CLASSICAL)
    assert tree_nodes(conversion.edus.tree) == [
        {"start": 0, "split": 1, "end": 3, "nuclearity": "NN", "relation": "joint"},
        {"start": 1, "split": 2, "end": 3, "nuclearity": "NS", "relation": "elaboration"},
    ]


@pytest.mark.parametrize("inventory", [GUM, CLASSICAL])
def test_an_inventory_leads_to_coarse_relations_alone(inventory: Mapping[str, str]) -> None:
    assert set(inventory.values()) == set(RELATIONS)


def test_a_sentence_that_is_no_subtree_is_split_at_the_shallowest_boundary() -> None:
    # EDUs 0 and 1 are the first sentence, yet EDU 1 goes with EDU 2: the root splits the sentence, not the boundary.
    tree = build_tree(4, [(0, 1, 4, NN, "joint"), (1, 3, 4, NS, "causal"), (1, 2, 3, SN, "context")])
    assert tree_nodes(sentence_tree(tree, [0, 0, 1, 2])) == [
        {"start": 0, "split": 2, "end": 3, "nuclearity": "NS", "relation": "causal"},
        {"start": 0, "split": 1, "end": 2, "nuclearity": "SN", "relation": "context"},
    ]


def test_of_two_boundaries_at_one_depth_the_left_one_splits() -> None:
    tree = build_tree(4, [(0, 2, 4, NN, "joint"), (0, 1, 2, NS, "causal"), (2, 3, 4, SN, "context")])
    assert tree_nodes(sentence_tree(tree, [0, 1, 1, 2]))[0]["relation"] == "causal"


def test_every_paragraph_becomes_a_subtree_and_one_that_is_stays() -> None:
    crossing = build_tree(4, [(0, 1, 4, NN, "joint"), (1, 3, 4, NS, "causal"), (1, 2, 3, SN, "context")])
    found = paragraph_first(crossing, [2, 0, 2])
    assert [(node["start"], node["split"], node["end"]) for node in tree_nodes(found)] == [
        (0, 2, 4),
        (0, 1, 2),
        (2, 3, 4),
    ]
    assert paragraph_first(crossing, [1, 3]) == crossing


def test_a_chain_of_fifty_thousand_edus_becomes_sentences_without_recursion() -> None:
    n = 50_000
    chain = build_tree(n, [(i, i + 1, n, NN, "joint") for i in range(n - 1)])
    assert sentence_tree(chain, [i // 2 for i in range(n)]).n_units == n // 2


@pytest.mark.parametrize(
    ("edus", "reason"),
    [
        (["ab c", "d"], "the sentences have 3 characters, the EDUs 4"),
        (["a", "bc"], "EDU 2 is empty or crosses the end of sentence 1: 'bc'"),
        (["", "ab", "c"], "EDU 1 is empty"),
    ],
)
def test_edus_that_do_not_fit_the_sentences_are_refused(edus: list[str], reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        cut(["a b", "c"], edus, "file")


def test_paragraphs_of_another_text_are_refused() -> None:
    with pytest.raises(TreeError, match="file: the sentences have 1 characters, the paragraphs 2"):
        in_blocks(["a"], ["ab"], "file")


def test_a_relation_outside_the_inventory_is_refused_by_name() -> None:
    tree = build_tree(2, [(0, 1, 2, NS, "colour-red")])
    with pytest.raises(TreeError, match="file: units 1 to 2: relation 'colour-red'"):
        coarse_tree(tree, "file")
    with pytest.raises(TreeError):
        convert("file", "en", Analysis(("a", "b"), tree), [["a b"]])


TREEBANKS = held("rst/train/gum")
needs_data = pytest.mark.skipif(TREEBANKS is None, reason="TREATISE_DATA leads to no treebanks (rst/train/gum, …)")


def folder_of(part: str) -> Path:
    assert TREEBANKS is not None
    return TREEBANKS.parents[1] / part


def published(part: str, name: str) -> dict[str, TreeRow]:
    path = folder_of(part) / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {row.text.id: row for row in (read_row(line, where) for line, where in numbered(lines, path.name))}


def converted(part: str, name: str) -> dict[str, TreeRow]:
    corpus, level = name.split(".")
    readers: dict[str, Callable[[Path], Iterator[Conversion]]] = {"gum": read_gum, "gcdt": read_gcdt, "rrg": read_rrg}
    conversions = readers[corpus](folder_of(part) / corpus)
    rows = (conversion.edus if level == "edu" else conversion.sentences for conversion in conversions)
    return {row.text.id: row for row in rows if row}


def solid(row: TreeRow) -> list[list[str]]:
    return [["".join(unit.split()) for unit in paragraph] for paragraph in row.text.paragraphs]


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("part", ["train", "dev"])
@pytest.mark.parametrize("name", ["gum.edu", "gum.sentence", "gcdt.edu", "gcdt.sentence", "rrg.edu"])
def test_the_conversion_is_the_published_one(part: str, name: str) -> None:
    """Trees, paragraphs, sentences and texts; of GUM the texts but for white space (docs/design/treebanks.md)."""
    wanted, found = published(part, name), converted(part, name)
    assert found.keys() - wanted.keys() <= {"gcdt_academic_iconicity"}
    for name_of_text, row in wanted.items():
        ours = found[name_of_text]
        assert ours.tree == row.tree
        assert ours.sentence_of_unit == row.sentence_of_unit
        assert solid(ours) == solid(row)
        assert name.startswith("gum") or ours.text == row.text
