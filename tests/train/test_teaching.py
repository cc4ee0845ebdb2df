"""Texts without trees: a parser learns the probabilities that other parsers give to their spans and labels."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
pytest.importorskip("onnx", reason="exporting needs onnx: pip install 'treatise[train]'")

import treatise.train
from treatise.core.errors import DataError
from treatise.core.tree import RELATIONS, build_tree
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.engines.span_parser import load_segmenter, load_span_parser
from treatise.parse.rows import Level, Text
from treatise.parse.segment import RuleSegmenter
from treatise.parse.spans.ensemble import SpanEnsemble
from treatise.parse.spans.model import NUCLEARITIES
from treatise.train.bert import TorchTokens
from treatise.train.config import read_recipe
from treatise.train.parser.data import Document
from treatise.train.parser.export import train_parser
from treatise.train.parser.recipe import BoundaryTeaching, ParserRecipe, Teaching
from treatise.train.parser.teaching import BoundaryTeachers, Teachers, in_edus, read_texts
from treatise.train.run import Run
from treatise.train.segmenter import SegmenterRecipe, train_segmenter
from treatise.train.source import random_source, shipped

TREEBANK = Path(__file__).parent.parent / "parse" / "data"
TINY = Path(treatise.train.__file__).parent / "configs" / "parser-tiny.toml"
TINY_SEGMENTER = TINY.with_name("segmenter-tiny.toml")
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


def test_the_probabilities_of_boundaries_are_those_of_the_segmenters_own_scores(tmp_path: Path) -> None:
    write(tmp_path, RAIN)
    teaching = BoundaryTeaching(("segmenter-en", "parser-en"), ("texts.jsonl",), weight=0.5)
    reader = OnnxTokens(shipped("segmenter-en"))
    (document,) = BoundaryTeachers(teaching, tmp_path, n_parts=1, threads=1).documents(0, reader)
    assert document.sentences is not None
    assert (document.weight, document.examples) == (0.5, ())
    sentences = [sentence for paragraph in RAIN for sentence in paragraph]
    both = (load_segmenter(shipped("segmenter-en")), load_span_parser(shipped("parser-en")).segmenter)
    means = [
        {place: (first[place] + second[place]) / 2 for place in first}
        for first, second in zip(*(segmenter.scores(sentences) for segmenter in both), strict=True)
    ]
    run, expected = document.sentences.run, document.sentences.begins_edu
    for number, (start, end) in enumerate(pairwise(run.units.tolist())):
        probable = {
            int(run.characters[token]): float(expected[token]) for token in range(start, end) if expected[token]
        }
        assert probable == pytest.approx({place: 1 / (1 + np.exp(-score)) for place, score in means[number].items()})


def test_scores_above_zero_are_where_edus_begin() -> None:
    segmenter = load_segmenter(shipped("segmenter-en"))
    sentences = ["Nobody slept, although the dikes held because men had built them well.", "Rivers rose.", ""]
    cuts = [[place for place, score in found.items() if score > 0] for found in segmenter.scores(sentences)]
    edus = segmenter.segment(sentences, "en")
    assert [len(found) + 1 for found in cuts] == [len(of_sentence) for of_sentence in edus]
    assert len(edus[0]) == 3
    assert segmenter.scores([]) == []


def test_a_segmenter_learns_from_texts_without_edus_too(tmp_path: Path) -> None:
    write(tmp_path, RAIN, RAIN)
    (tmp_path / "worship.jsonl").write_bytes((TREEBANK / "worship.jsonl").read_bytes())
    recipe = read_recipe(TINY_SEGMENTER, SegmenterRecipe)
    loop = replace(recipe.training.loop, epochs=2, score_every=2)
    recipe = replace(
        recipe,
        training=replace(recipe.training, loop=loop),
        data=replace(recipe.data, train=("worship.jsonl",), dev=("worship.jsonl",), labels=()),
        teaching=BoundaryTeaching(("segmenter-en",), ("texts.jsonl",)),
    )
    train_segmenter(recipe, Run(tmp_path, tmp_path / "run", "treatise …"))
    assert "| texts.jsonl |" in (tmp_path / "run" / "model" / "README.md").read_text("utf-8")


def test_texts_by_edu_are_refused(tmp_path: Path) -> None:
    write(tmp_path, RAIN, level=Level.EDU)
    with pytest.raises(DataError, match="line 1: text 0 is given by edu: expected sentences"):
        list(read_texts(tmp_path / "texts.jsonl"))


def test_texts_without_teachers_are_refused() -> None:
    with pytest.raises(DataError, match="need 'parsers' and a 'segmenter'"):
        Teaching(texts=("texts.jsonl",))
    with pytest.raises(DataError, match="need 'segmenters'"):
        BoundaryTeaching(texts=("texts.jsonl",))


@pytest.mark.parametrize("wrong", [{"weight": float("nan")}, {"weight": -1.0}, {"weight": 0.0}, {"n_texts": -1}])
def test_a_weight_or_a_number_of_texts_that_is_none_is_refused(wrong: dict[str, float]) -> None:
    for make in (Teaching, BoundaryTeaching):
        with pytest.raises(DataError, match=next(iter(wrong))):
            make(**wrong)  # type: ignore[arg-type]


def test_fewer_texts_than_epochs_are_refused(tmp_path: Path) -> None:
    write(tmp_path, RAIN)
    with pytest.raises(DataError, match="1 texts for 2 epochs"):
        documents(tmp_path, n_parts=2)
