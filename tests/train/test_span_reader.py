"""The span reader's recipe in its tiny form: it learns, goes on, repeats itself, and what it exports works."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

torch = pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
pytest.importorskip("onnx", reason="exporting needs onnx: pip install 'treatise[train]'")

import treatise.train
from treatise.core.errors import DataError
from treatise.core.span_answer import AnswerSpan, SpanAnswer, SpanAnswerKind
from treatise.engines.onnx_reader import HEAD, OnnxReader
from treatise.read import Head, Layout
from treatise.testing import check_claim_judge, check_passage_reader
from treatise.train.bert import TorchTokens
from treatise.train.config import read_recipe
from treatise.train.run import Run
from treatise.train.source import random_source
from treatise.train.span_reader import SpanReaderNetwork, SpanReaderRecipe, train_span_reader
from treatise.train.span_reader_calibration import fitted
from treatise.train.span_reader_data import Example, LabelledWindow, labelled_windows, read_examples
from treatise.train.span_reader_figures import Gold, area_under_roc, span_f1, token_f1
from treatise.train.span_reader_losses import Targets, inside_losses, kind_losses, span_losses, taught_losses
from treatise.train.span_reader_teacher import SpanReaderTeacher, same_pieces

CONFIGS = Path(treatise.train.__file__).parent / "configs"
DATA = Path(__file__).parent / "data"
PASSAGES = ("Ada was born in Bonn in 1901.", "Bela was born in Oslo in 1920.")


def tiny(**loop: Any) -> SpanReaderRecipe:
    recipe = read_recipe(CONFIGS / "span-reader-tiny.toml", SpanReaderRecipe)
    return replace(recipe, training=replace(recipe.training, loop=replace(recipe.training.loop, **loop)))


def losses(folder: Path) -> list[float]:
    lines = (folder / "log.jsonl").read_text("utf-8").splitlines()
    return [sum(json.loads(line)["loss"].values()) for line in lines]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    figures = train_span_reader(tiny(), Run(DATA, folder, "treatise train span-reader …"))
    assert set(figures) == {"span F1", "no answer AUC", "yes or no"}
    return folder


def test_it_learns(made: Path) -> None:
    found = losses(made)
    assert found[-1] < 0.6 * found[0]


def test_the_exported_folder_keeps_the_contract(made: Path) -> None:
    check_passage_reader(lambda: OnnxReader(made / "model", threads=1))


def test_a_run_that_was_stopped_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole, halted = tmp_path / "whole", tmp_path / "halted"
    train_span_reader(tiny(epochs=2), Run(DATA, whole, "…"))
    seen: list[str] = []

    def stop(line: str) -> None:
        seen.append(line)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_span_reader(tiny(epochs=2), Run(DATA, halted, "…", report=stop))
    train_span_reader(tiny(epochs=2), Run(DATA, halted, "…"))
    assert len(seen) == 1
    assert (whole / "model" / "model.onnx").read_bytes() == (halted / "model" / "model.onnx").read_bytes()


def test_the_exported_weights_may_be_between_the_first_and_the_trained_ones(made: Path, tmp_path: Path) -> None:
    recipe = tiny(epochs=1)
    first = made / "best.safetensors"
    heads = {}
    for share in (0.0, 0.5, 1.0):
        training = replace(recipe.training, first_weights=str(first), share=share)
        folder = tmp_path / str(share)
        train_span_reader(replace(recipe, training=training), Run(DATA, folder, "…"))
        heads[share] = load_file(folder / "model" / HEAD)["weight"]
    assert np.array_equal(heads[0.0], load_file(first)["head.weight"])
    assert np.allclose(heads[0.5], (heads[0.0] + heads[1.0]) / 2)
    assert not np.allclose(heads[1.0], heads[0.0])


def window(example: Example) -> LabelledWindow:
    reader = TorchTokens(random_source())
    layout = Layout.of(reader.start_id, reader.end_id, 64)
    ((found,),) = labelled_windows([example], reader, layout)
    return found


def test_answers_are_found_in_the_tokens() -> None:
    start = PASSAGES[1].index("Oslo")
    found = window(Example("set", "Where?", PASSAGES, ((1, start, start + 4),), Head.SPAN))
    ((first, last),) = found.spans
    assert (found.window.starts[first], found.window.ends[last]) == (start, start + 4)
    assert found.window.passage[first] == 1


def test_a_row_without_the_answers_of_its_example_says_that_there_is_none() -> None:
    reader = TorchTokens(random_source())
    layout = Layout.of(reader.start_id, reader.end_id, 24)
    example = Example("set", "Where?", PASSAGES * 2, ((3, 0, 4),), Head.SPAN)
    ((*others, last),) = labelled_windows([example], reader, layout)
    assert {one.kind for one in others} == {Head.NONE}
    assert last.kind is Head.SPAN
    assert last.spans


def logits_at(found: LabelledWindow, starts: list[int], ends: list[int]) -> torch.Tensor:
    logits = torch.zeros(len(found.window.ids), len(Head))
    logits[starts, Head.START] = 20
    logits[ends, Head.END] = 20
    return logits


def targets(*rows: LabelledWindow) -> Targets:
    return Targets.of(rows, torch.device("cpu"))


def span_loss(logits: torch.Tensor, found: LabelledWindow) -> float:
    return span_losses(logits[None], targets(found)).item()


def inside_loss(logits: torch.Tensor, found: LabelledWindow) -> float:
    return inside_losses(logits[None], targets(found)).item()


def kind_loss(logits: torch.Tensor, found: LabelledWindow) -> float:
    return kind_losses(logits[None], targets(found)).item()


def test_any_accepted_variant_will_do_and_of_a_list_all_are_needed() -> None:
    answers = ((0, 0, 3), (1, 0, 4))
    either = window(Example("set", "Who?", PASSAGES, answers, Head.SPAN))
    both = window(Example("set", "Who?", PASSAGES, answers, Head.LIST))
    (first, last), *_ = either.spans
    one = logits_at(either, [first], [last])
    assert span_loss(one, either) < 1e-3
    assert span_loss(one, both) > 5
    starts, ends = ([span[side] for span in both.spans] for side in (0, 1))
    assert span_loss(logits_at(both, starts, ends), both) == pytest.approx(2 * np.log(2), abs=1e-3)


def test_without_an_answer_the_first_token_is_right() -> None:
    found = window(Example("set", "Who?", PASSAGES, (), Head.NONE))
    assert span_loss(logits_at(found, [0], [0]), found) < 1e-3
    assert span_loss(logits_at(found, [8], [8]), found) > 5


def test_tokens_inside_of_answers_weigh_as_much_as_the_others() -> None:
    found = window(Example("set", "Who?", PASSAGES, ((0, 0, 3),), Head.SPAN))
    logits = torch.zeros(len(found.window.ids), len(Head))
    assert inside_loss(logits, found) == pytest.approx(np.log(2), abs=1e-4)
    logits[:, Head.INSIDE] = -20
    assert inside_loss(logits, found) == pytest.approx(10, abs=0.1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"set": "s", "question": "q", "passages": ["p"], "answers": []}', "documented form"),
        ('{"set": "s", "question": "q", "passages": ["p"], "answers": [[0, 0]], "kind": "span"}', "documented form"),
        ('{"set": "s", "question": "q", "passages": ["p"], "answers": [[0, 0, 2]], "kind": "span"}', "outside"),
        ('{"set": "s", "question": "q", "passages": ["p"], "answers": [[1, 0, 1]], "kind": "span"}', "outside"),
        ("[]", "JSON object"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "bad.jsonl").write_text("\n" + line, "utf-8")
    with pytest.raises(DataError, match=f"bad.jsonl: line 2.*{reason}"):
        read_examples(tmp_path, ["bad.jsonl"])


def test_a_fitted_probability_says_how_often_it_is_so() -> None:
    random = np.random.default_rng(3)
    margins = random.normal(size=4000) * 3
    is_none = random.random(4000) < 1 / (1 + np.exp(1.4 * margins - 0.7))
    found = fitted([(float(m), 0.0, bool(none)) for m, none in zip(margins, is_none, strict=True)])
    assert found.margin == pytest.approx(-1.4, abs=0.15)
    assert found.bias == pytest.approx(0.7, abs=0.15)


def test_figures() -> None:
    assert token_f1("The cat's hat", "cats hat!") == 1
    assert token_f1("red hat", "hat") == pytest.approx(2 / 3)
    assert area_under_roc([0.1, 0.4, 0.4, 0.9], [False, True, False, True]) == 0.875
    gold = Gold(PASSAGES, ((0, 0, 3), (1, 0, 4)), Head.LIST)
    reading = SpanAnswer((AnswerSpan(0, 0, 3, 0.9),), SpanAnswerKind.LIST, p_no_answer=0.0, p_yes=0.5)
    assert span_f1(gold, reading) == pytest.approx(2 / 3)


def with_statements(first_weights: Path, **loop: Any) -> SpanReaderRecipe:
    recipe = tiny(**loop)
    training = replace(recipe.training, verdicts=0.5, first_weights=str(first_weights))
    files = (*recipe.data.train, "statements.jsonl")
    return replace(recipe, training=training, data=replace(recipe.data, train=files, dev=files))


def test_a_run_with_statements_adds_their_columns_to_earlier_weights(made: Path, tmp_path: Path) -> None:
    recipe = with_statements(made / "best.safetensors", epochs=1)
    network = SpanReaderNetwork(random_source(), recipe.training)
    earlier = load_file(made / "best.safetensors")["head.weight"]
    np.testing.assert_array_equal(network.head.weight.detach().numpy()[: len(earlier)], earlier)
    figures = train_span_reader(recipe, Run(DATA, tmp_path, "…"))
    assert {"verdicts", "span F1"} <= set(figures)
    assert not OnnxReader(made / "model").has_verdicts
    check_claim_judge(lambda: OnnxReader(tmp_path / "model", threads=1))


def test_statements_are_refused_without_a_weight_for_verdicts(made: Path, tmp_path: Path) -> None:
    recipe = with_statements(made / "best.safetensors")
    without = replace(recipe, training=replace(recipe.training, verdicts=0.0))
    with pytest.raises(DataError, match=r"statements\.jsonl: statements with verdicts, but 'verdicts' .* is 0"):
        train_span_reader(without, Run(DATA, tmp_path, "…"))


def test_a_run_continues_from_the_weights_of_an_exported_reader(made: Path) -> None:
    training = replace(tiny().training, first_weights=str(made / "model"))
    network = dict(SpanReaderNetwork(random_source(seed=5), training).named_parameters())
    weights = load_file(made / "best.safetensors")
    np.testing.assert_array_equal(network["head.weight"].detach().numpy(), weights["head.weight"])
    for name in (one for one in weights if one.endswith(("query.weight", "dense.weight"))):
        step = np.abs(weights[name]).max(axis=1, keepdims=True) / 127  # of one output, in int8
        assert (np.abs(network[name].detach().numpy() - weights[name]) <= 0.51 * step).all(), name


def test_a_name_of_no_reader_is_refused() -> None:
    with pytest.raises(DataError, match="no model of that name"):
        SpanReaderNetwork(random_source(), replace(tiny().training, first_weights="reader-xx"))


def test_statements_teach_nothing_about_spans() -> None:
    found = window(Example("set", "Ada was born.", PASSAGES, (), Head.SUPPORTED))
    assert not found.knows_spans
    logits = torch.zeros(len(found.window.ids), len(Head))
    logits[0, Head.SUPPORTED] = 20
    logits[0, Head.NONE] = 20
    assert kind_loss(logits, found) < 1e-3


def test_rows_of_several_lengths_have_the_losses_that_each_has_alone() -> None:
    reader = TorchTokens(random_source())
    layout = Layout.of(reader.start_id, reader.end_id, 64)
    examples = [
        Example("set", "Who?", PASSAGES[:1], ((0, 0, 3),), Head.SPAN),
        Example("set", "Who was born, and where?", PASSAGES, ((0, 0, 3), (1, 0, 4)), Head.LIST),
        Example("set", "Why?", PASSAGES, (), Head.NONE),
        Example("set", "Ada was born in Rome.", PASSAGES[:1], (), Head.CONTRADICTED),
    ]
    rows = [one for windows in labelled_windows(examples, reader, layout) for one in windows]
    lengths = [len(one.window.ids) for one in rows]
    assert len(set(lengths)) > 2
    torch.manual_seed(1)
    logits, teacher = torch.randn(2, len(rows), max(lengths), len(Head))
    for of_rows in (span_losses, inside_losses, kind_losses):
        alone = [of_rows(logits[i : i + 1, :n], targets(rows[i])).item() for i, n in enumerate(lengths)]
        assert of_rows(logits, targets(*rows)).tolist() == pytest.approx(alone, rel=1e-4)
    of_teacher = taught_losses(logits, teacher, targets(*rows))
    alone = [
        taught_losses(logits[i : i + 1, :n], teacher[i : i + 1, :n], targets(rows[i])).item()
        for i, n in enumerate(lengths)
    ]
    assert of_teacher.tolist() == pytest.approx(alone, rel=1e-4)
    assert (taught_losses(teacher, teacher, targets(*rows)) < of_teacher).all()


def test_a_pupil_comes_nearer_to_its_teacher(made: Path, tmp_path: Path) -> None:
    recipe = tiny(epochs=6, seed=3)
    taught = replace(recipe.training, teacher=str(made / "model"), taught=1.0)
    train_span_reader(replace(recipe, training=taught), Run(DATA, tmp_path, "…"))
    lines = [json.loads(line)["loss"]["teacher"] for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert lines[-1] < 0.7 * lines[0]


def test_a_teacher_reads_the_ids_of_its_own_vocabulary(made: Path) -> None:
    source = random_source()
    tokenizer = json.loads(source.tokenizer)
    vocabulary = tokenizer["model"]["vocab"]
    shifted = {token: (number + 7) % len(vocabulary) for token, number in vocabulary.items()}
    tokenizer["model"]["vocab"] = shifted
    other = replace(source, tokenizer=json.dumps(tokenizer))
    ids = same_pieces(source, other)
    assert all(ids[vocabulary[token]] == shifted[token] for token in ("the", "of", "[SEP]"))


def test_a_teacher_finds_what_it_finds_as_a_reader(made: Path) -> None:
    windows, expected = OnnxReader(made / "model", threads=1).logits("Where was Ada born?", PASSAGES)
    found = SpanReaderTeacher(str(made / "model"), random_source(), "cpu", n_columns=9).logits(
        [one.ids for one in windows]
    )
    for row, logits in zip(found.numpy(), expected, strict=True):
        np.testing.assert_allclose(row[: len(logits)], logits, atol=0.05 * np.abs(logits).max())


def test_a_teacher_that_judges_statements_can_teach_a_reader_that_does_not() -> None:
    source = random_source()
    rows = [[source.special_id("[CLS]"), source.special_id("[SEP]")]]
    assert SpanReaderTeacher("reader-en", source, "cpu", n_columns=9).logits(rows).shape == (1, 2, 9)


def test_a_teacher_without_verdicts_is_refused_for_a_recipe_with_them(made: Path) -> None:
    with pytest.raises(DataError, match="model has no columns for verdicts on statements: expected a 'teacher' "):
        SpanReaderTeacher(str(made / "model"), random_source(), "cpu", n_columns=12)


def test_a_teacher_of_another_vocabulary_is_refused(made: Path) -> None:
    source = random_source()
    tokenizer = json.loads(source.tokenizer)
    few = {token: number for token, number in tokenizer["model"]["vocab"].items() if token[0] in "[#a"}
    tokenizer["model"]["vocab"] = few
    with pytest.raises(DataError, match="same vocabulary"):
        same_pieces(source, replace(source, tokenizer=json.dumps(tokenizer)))


def test_weights_are_exported_without_the_teacher_that_they_had(made: Path, tmp_path: Path) -> None:
    recipe = tiny(epochs=1)
    taught = replace(recipe, training=replace(recipe.training, teacher="runs/gone/model"))
    figures = train_span_reader(taught, Run(DATA, tmp_path, "…", weights=(made / "best.safetensors",)))
    assert "span F1" in figures
    with pytest.raises(DataError, match="no model of that name"):
        train_span_reader(taught, Run(DATA, tmp_path / "trained", "…"))
