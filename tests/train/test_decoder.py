"""A decoder from a GGUF file as the encoder of a parser that teaches."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
gguf = pytest.importorskip("gguf", reason="decoders need gguf: pip install 'treatise[train]'")

from tokenizers.pre_tokenizers import ByteLevel

import treatise.train
from treatise.core.errors import DataError
from treatise.parse.rows import Level, Text
from treatise.train.config import read_recipe
from treatise.train.decoder import DecoderTokens, read_gguf
from treatise.train.parser.decoder_parser import open_parser
from treatise.train.parser.export import train_parser
from treatise.train.parser.recipe import ParserRecipe
from treatise.train.readers import EncoderConfig
from treatise.train.run import Run

DIM, INNER, N_HEADS, N_KEY_HEADS, N_LAYERS, BASE, EPSILON = 32, 48, 4, 2, 3, 100.0, 1e-5
TREEBANK = Path(__file__).parent.parent / "parse" / "data"
TINY = Path(treatise.train.__file__).parent / "configs" / "parser-tiny.toml"
TEXT = Text("text", "en", Level.SENTENCE, (("Spring came.", "It rained."), ("Rivers rose.",)))

Array = npt.NDArray[np.float32]


@pytest.fixture(scope="module")
def arrays() -> dict[str, Array]:
    random = np.random.default_rng(0)
    of_keys = DIM * N_KEY_HEADS // N_HEADS
    shapes = {"attn_q": (DIM, DIM), "attn_k": (of_keys, DIM), "attn_v": (of_keys, DIM), "attn_output": (DIM, DIM)}
    shapes |= {"ffn_gate": (INNER, DIM), "ffn_up": (INNER, DIM), "ffn_down": (DIM, INNER)}
    found = {f"blk.{n}.{part}.weight": shape for n in range(N_LAYERS) for part, shape in shapes.items()}
    found["token_embd.weight"] = (258, DIM)
    norms = {f"blk.{n}.{part}_norm.weight": (DIM,) for n in range(N_LAYERS) for part in ("attn", "ffn")}
    made = {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in found.items()}
    return made | {name: random.uniform(0.5, 1.5, shape).astype(np.float32) for name, shape in norms.items()}


@pytest.fixture(scope="module")
def path(arrays: dict[str, Array], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("decoder") / "tiny.gguf"
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_name("tiny")
    writer.add_head_count(N_HEADS)
    writer.add_head_count_kv(N_KEY_HEADS)
    writer.add_rope_freq_base(BASE)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(["<|endoftext|>", *sorted(ByteLevel.alphabet()), "Ġt"])
    writer.add_token_merges(["Ġ t"])
    for name, array in arrays.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def tokens(path: Path, n_layers: int = 0) -> DecoderTokens:
    return DecoderTokens(read_gguf(path, n_layers))


def test_a_space_before_a_text_and_single_digits_are_tokens(path: Path) -> None:
    reader = tokens(path)
    (found,) = reader.tokenise([" to 12"])
    assert found.offsets == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    assert (reader.spaced, reader.start_id, reader.end_id) == (True, 0, reader.tokenise(["\n"])[0].ids[0])


def test_one_layer_is_that_of_the_file(path: Path, arrays: dict[str, Array]) -> None:
    row = [0, 5, 70, 5, 9]
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


def test_a_parser_over_a_decoder_is_trained_and_opened_again(path: Path, tmp_path: Path) -> None:
    recipe = read_recipe(TINY, ParserRecipe)
    encoder = EncoderConfig(source=str(path), frozen=True, layers=2)
    loop = replace(recipe.training.loop, epochs=10, score_every=10)
    training = replace(recipe.training, encoder=encoder, loop=loop)
    figures = train_parser(replace(recipe, training=training), Run(TREEBANK, tmp_path, "treatise train …"))
    assert figures["edu span"] > 60
    parser = open_parser(tmp_path / "model", threads=1)
    assert parser.parse_texts([TEXT])[0].n_units == 3


def test_what_is_no_decoder_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUFnot at all, but longer than a header of 24 bytes")
    for name in ("a.gguf", "none.gguf"):
        with pytest.raises(DataError, match="no decoder"):
            read_gguf(tmp_path / name)
