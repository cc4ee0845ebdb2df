"""A decoder from a GGUF file as the encoder of a parser."""

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
pytest.importorskip("gguf", reason="decoders need gguf: pip install 'treatise[train]'")

import treatise.train
from tests.engines.tiny_decoder import tiny_arrays, write_decoder
from treatise.engines.span_parser import load_span_parser
from treatise.parse.rows import Level, Text
from treatise.train.config import read_recipe
from treatise.train.parser.export import train_parser
from treatise.train.parser.recipe import ParserRecipe
from treatise.train.readers import EncoderConfig
from treatise.train.run import Run

TREEBANK = Path(__file__).parent.parent / "parse" / "data"
TINY = Path(treatise.train.__file__).parent / "configs" / "parser-tiny.toml"
TEXT = Text("text", "en", Level.SENTENCE, (("Spring came.", "It rained."), ("Rivers rose.",)))


def test_a_parser_over_a_decoder_is_trained_and_opened_again(tmp_path: Path) -> None:
    path = write_decoder(tmp_path / "tiny.gguf", tiny_arrays())
    recipe = read_recipe(TINY, ParserRecipe)
    encoder = EncoderConfig(source=str(path), frozen=True, layers=2)
    loop = replace(recipe.training.loop, epochs=10, score_every=10)
    training = replace(recipe.training, encoder=encoder, loop=loop)
    figures = train_parser(replace(recipe, training=training), Run(TREEBANK, tmp_path, "treatise train …"))
    assert figures["edu span"] > 60
    parser = load_span_parser(tmp_path / "model", threads=1)
    assert parser.parse_texts([TEXT])[0].n_units == 3
