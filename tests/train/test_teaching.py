"""Texts without trees: a parser learns the probabilities that other parsers give to their spans and labels."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
pytest.importorskip("onnx", reason="exporting needs onnx: pip install 'treatise[train]'")

import treatise.train
from treatise.core.errors import DataError
from treatise.core.tree import RELATIONS, build_tree
from treatise.engines.span_parser import load_span_parser
from treatise.parse.rows import Level, Text
from treatise.parse.segment import RuleSegmenter
from treatise.parse.spans.ensemble import SpanEnsemble
from treatise.parse.spans.model import NUCLEARITIES
from treatise.train.bert import TorchTokens
from treatise.train.config import read_recipe
from treatise.train.parser.data import Document
from treatise.train.parser.export import train_parser
from treatise.train.parser.recipe import ParserRecipe, Teaching
from treatise.train.parser.teaching import Teachers, in_edus, read_texts
from treatise.train.run import Run
from treatise.train.source import random_source, shipped

TREEBANK = Path(__file__).parent.parent / "parse" / "data"
TINY = Path(treatise.train.__file__).parent / "configs" / "parser-tiny.toml"
TEACHING = Teaching(("parser-en",), "segmenter-en", ("texts.jsonl",), weight=0.5)
RAIN = [["Spring came because it rained.", "Rivers rose."], ["Nobody slept, although the dikes held."]]


def write(folder: Path, *texts: Sequence[Sequence[str]], level: Level = Level.SENTENCE) -> None:
    rows = [{"id": f"text {n}", "lang": "en", "level": level, "paragraphs": text} for n, text in enumerate(texts)]
    (folder / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def documents(folder: Path, part: int = 0, n_parts: int = 1, *, n_texts: int = 0) -> list[Document]:
    teachers = Teachers(replace(TEACHING, n_texts=n_texts), folder, n_parts=n_parts, threads=1)
    return list(teachers.documents(part, TorchTokens(random_source())))


def test_the_expected_labels_are_those_of_the_teachers_own_tree_and_sum_to_one(tmp_path: Path) -> None:
    write(tmp_path, RAIN)
    (document,) = documents(tmp_path)
    assert (document.weight, [example.level for example in document.examples]) == (0.5, [Level.EDU, Level.SENTENCE])
    for example in document.examples:
        assert example.expected is not None
        labels = example.expected.labels
        best = labels.reshape(len(labels), -1).argmax(axis=1)
        assert best.tolist() == (example.nuclearity * len(RELATIONS) + example.relation).tolist()
        np.testing.assert_allclose(labels.sum(axis=(1, 2)), 1, rtol=1e-5)
        np.testing.assert_allclose(example.expected.spans.sum(), 2 * len(example.nodes))  # two children a node


def test_a_taught_tree_is_the_one_that_the_teacher_parses(tmp_path: Path) -> None:
    write(tmp_path, RAIN)
    (document,) = documents(tmp_path)
    teacher = SpanEnsemble([load_span_parser(shipped("parser-en"))])
    (tree,) = teacher.parse_texts([Text("text", "en", Level.SENTENCE, tuple(map(tuple, RAIN)))])
    example = document.examples[1]
    labels = [
        (NUCLEARITIES[nuclearity], RELATIONS[relation])
        for nuclearity, relation in zip(example.nuclearity.tolist(), example.relation.tolist(), strict=True)
    ]
    nodes = [(*node, *label) for node, label in zip(example.nodes.tolist(), labels, strict=True)]
    assert build_tree(3, nodes) == tree


def test_a_text_of_one_sentence_is_learned_by_its_edus_alone(tmp_path: Path) -> None:
    write(tmp_path, [["Spring came because it rained."]])
    (document,) = documents(tmp_path)
    edus, sentence = document.examples
    assert len(edus.nodes) == 1
    assert edus.expected is not None
    assert sentence.expected is None
    assert len(sentence.nodes) == 0


def test_each_epoch_reads_other_texts_and_as_many(tmp_path: Path) -> None:
    write(tmp_path, *[RAIN] * 5)
    found = [[document.id for document in documents(tmp_path, part, n_parts=2)] for part in range(2)]
    assert found == [["text 0", "text 1"], ["text 2", "text 3"]]


def test_the_first_texts_alone_are_read_if_a_recipe_says_so(tmp_path: Path) -> None:
    write(tmp_path, *[RAIN] * 3)
    assert [document.id for document in documents(tmp_path, n_texts=2)] == ["text 0", "text 1"]


def test_edus_stay_in_their_paragraphs_and_know_their_sentences() -> None:
    text = Text("text", "en", Level.SENTENCE, tuple(map(tuple, RAIN)))
    edus, sentence_of_unit = in_edus(text, RuleSegmenter())
    assert [" ".join(paragraph) for paragraph in edus.paragraphs] == [" ".join(paragraph) for paragraph in RAIN]
    assert sentence_of_unit == (0, 0, 1, 2, 2)


def test_a_recipe_with_texts_trains_and_names_them_on_the_card(tmp_path: Path) -> None:
    write(tmp_path, RAIN, RAIN)
    (tmp_path / "worship.jsonl").write_bytes((TREEBANK / "worship.jsonl").read_bytes())
    recipe = read_recipe(TINY, ParserRecipe)
    training = replace(recipe.training, loop=replace(recipe.training.loop, epochs=2, score_every=2))
    train_parser(replace(recipe, training=training, teaching=TEACHING), Run(tmp_path, tmp_path / "run", "treatise …"))
    assert "| texts.jsonl |" in (tmp_path / "run" / "model" / "README.md").read_text("utf-8")
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text("utf-8").splitlines()]
    assert lines[1]["loss"]["sentence shape"] > 0
    assert sum(lines[1]["loss"].values()) < sum(lines[0]["loss"].values())


def test_texts_by_edu_are_refused(tmp_path: Path) -> None:
    write(tmp_path, RAIN, level=Level.EDU)
    with pytest.raises(DataError, match="line 1: text 0 is given by edu: expected sentences"):
        list(read_texts(tmp_path / "texts.jsonl"))


def test_texts_without_teachers_are_refused() -> None:
    with pytest.raises(DataError, match="need 'parsers' and a 'segmenter'"):
        Teaching(texts=("texts.jsonl",))
