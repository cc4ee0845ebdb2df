"""A cross-encoder in ONNX: here one that counts the tokens of the text that stand in the question as well."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from treatise.compose import open_reranker
from treatise.core.errors import EngineUnavailableError
from treatise.engines.onnx_reranker import OnnxReranker
from treatise.settings import Settings
from treatise.testing import check_reranker

onnx = pytest.importorskip("onnx", reason="builds a graph: needs treatise[train]")
TOKENIZER = Path(str(files("treatise") / "models" / "treatise-en" / "tokenizer.json"))


def graph(n_outputs: int = 1) -> bytes:
    """Pairs of equal ids, one of the question (type 0) and one of the text (type 1), special tokens left out."""
    from onnx import TensorProto, helper

    rows = helper.make_node
    nodes = [
        rows("Constant", [], ["special"], value=helper.make_tensor("s", TensorProto.INT64, [], [103])),
        rows("Constant", [], ["two"], value=helper.make_tensor("t", TensorProto.INT64, [1], [2])),
        rows("Constant", [], ["one"], value=helper.make_tensor("o", TensorProto.INT64, [1], [1])),
        rows("Constant", [], ["both"], value=helper.make_tensor("b", TensorProto.INT64, [2], [1, 2])),
        rows("Unsqueeze", ["input_ids", "two"], ["down"]),
        rows("Unsqueeze", ["input_ids", "one"], ["across"]),
        rows("Equal", ["down", "across"], ["equal"]),
        rows("Greater", ["down", "special"], ["word"]),
        rows("Cast", ["token_type_ids"], ["is_text"], to=TensorProto.BOOL),
        rows("Not", ["is_text"], ["is_question"]),
        rows("Unsqueeze", ["is_question", "two"], ["question"]),
        rows("Unsqueeze", ["is_text", "one"], ["text"]),
        rows("And", ["equal", "word"], ["a"]),
        rows("And", ["a", "question"], ["b"]),
        rows("And", ["b", "text"], ["shared"]),
        rows("Cast", ["shared"], ["numbers"], to=TensorProto.FLOAT),
        rows("ReduceSum", ["numbers", "both"], ["flat"], keepdims=0),
        rows("Unsqueeze", ["flat", "one"], ["column"]),
        rows("Concat", ["column"] * n_outputs, ["logits"], axis=1),
    ]
    shape = ["rows", "length"]
    puts = [helper.make_tensor_value_info(n, TensorProto.INT64, shape) for n in ("input_ids", "token_type_ids")]
    out = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", n_outputs])]
    made = helper.make_graph(nodes, "shared", puts, out)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


def folder(path: Path, *, n_outputs: int = 1, window_tokens: int = 32) -> Path:
    (path / "model.onnx").write_bytes(graph(n_outputs))
    (path / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
    (path / "reranker.json").write_text(json.dumps({"name": "shared", "window_tokens": window_tokens}))
    return path


def test_it_keeps_the_contract(tmp_path: Path) -> None:
    check_reranker(lambda: OnnxReranker(folder(tmp_path)))


def test_question_and_text_are_read_together(tmp_path: Path) -> None:
    reranker = OnnxReranker(folder(tmp_path))
    assert list(reranker.score("green tea", ["green tea", "tea", "black coffee", ""])) == [2, 1, 0, 0]
    assert reranker.name == "shared"


def test_of_a_text_longer_than_the_window_the_best_piece_counts(tmp_path: Path) -> None:
    reranker = OnnxReranker(folder(tmp_path, window_tokens=16))
    assert list(reranker.score("tea", ["coffee " * 40 + "tea tea " + "coffee " * 40])) == [2]


def test_a_question_longer_than_the_window_leaves_room_for_the_text(tmp_path: Path) -> None:
    reranker = OnnxReranker(folder(tmp_path, window_tokens=16))
    assert list(reranker.score("tea " * 100, ["tea", "coffee"])) == [8, 0]


def test_two_outputs_are_irrelevant_and_relevant(tmp_path: Path) -> None:
    assert list(OnnxReranker(folder(tmp_path, n_outputs=2)).score("tea", ["tea", "coffee"])) == [0, 0]


def test_an_encoder_is_no_reranker(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match="3 numbers per pair"):
        OnnxReranker(folder(tmp_path, n_outputs=3)).score("tea", ["tea"])


def test_what_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(EngineUnavailableError, match=str(tmp_path)):
        open_reranker(str(tmp_path), Settings())


def test_a_folder_with_a_graph_is_opened_as_one(tmp_path: Path) -> None:
    opened = open_reranker(str(folder(tmp_path)), Settings())
    assert isinstance(opened, OnnxReranker)
