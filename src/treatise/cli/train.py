"""``treatise train``: training of the shipped models from their recipes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar, Unpack

import click

from treatise.cli.options import all_of
from treatise.cli.output import show_figures
from treatise.cli.progress import progress_line
from treatise.cli.train_data import reader_data, translate
from treatise.core.errors import DataError, MissingExtraError

if TYPE_CHECKING:
    from treatise.train.run import Run

_Recipe = TypeVar("_Recipe")

_EPILOG: Final = """\b
Examples:
  treatise train parser --config parser-en-teacher --data data --out runs/teacher
  treatise train distil --data data --out runs/distil             the encoder of the English parser
  treatise train parser --data data --out runs/parser             the shipped English parser
  treatise train parser --config my.toml --data data --out runs/mine
  treatise train translate --to de --input gum.jsonl --output gum-de.jsonl --llm ollama

Start an interrupted run again with the same folder to continue it. The finished model is in OUT/model.
Needs the extra train.
"""


@click.group(epilog=_EPILOG)
def train() -> None:
    """Train the shipped models, or others from your recipe."""


class _Options(TypedDict):
    """The options of every training."""

    config: str
    data: Path
    out: Path
    seed: int | None
    weights: tuple[Path, ...]
    as_json: bool


def _training_options(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return all_of(
        click.option(
            "--config",
            metavar="FILE",
            default=default,
            show_default=True,
            help="The recipe: a TOML file, or the name of a shipped one.",
        ),
        click.option(
            "--data",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            envvar="TREATISE_DATA",
            required=True,
            help="The folder that the recipe's paths are relative to. Default: TREATISE_DATA.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path, file_okay=False),
            required=True,
            help="Folder for checkpoint, log and model.",
        ),
        click.option("--seed", type=int, help="Replaces the seed of the recipe."),
        click.option(
            "--weights",
            type=click.Path(path_type=Path, dir_okay=False, exists=True),
            metavar="FILE",
            multiple=True,
            help="Export these weights (best.safetensors of a run) instead of training; of several, their mean.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text."),
    )


_device_option = click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    default="cpu",
    show_default=True,
    help="Where the encoder is trained: the processor, or a graphics card.",
)

_fraction_option = click.option(
    "--fraction",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="SHARE",
    help="Share of the training documents (learning curves).",
)


@train.command()
@_training_options("parser-en")
@_fraction_option
@_device_option
def parser(*, fraction: float | None, device: str, **options: Unpack[_Options]) -> None:
    """Train the discourse parser and EDU segmenter."""
    _need("train", "torch", "onnx")
    from treatise.train.parser.export import train_parser
    from treatise.train.parser.recipe import ParserRecipe

    _train(train_parser, ParserRecipe, options, fraction, device)


@train.command()
@_training_options("distil-en")
def distil(**options: Unpack[_Options]) -> None:
    """Train a shallow encoder to predict the token vectors of a deeper one."""
    _need("train", "torch", "onnx")
    from treatise.train.distil import DistilRecipe, train_distilled

    _train(train_distilled, DistilRecipe, options)


@train.command()
@_training_options("segmenter-en")
@_fraction_option
@_device_option
def segmenter(*, fraction: float | None, device: str, **options: Unpack[_Options]) -> None:
    """Train the English EDU segmenter, from the parser's teacher."""
    _need("train", "torch", "onnx")
    from treatise.train.segmenter import SegmenterRecipe, train_segmenter

    _train(train_segmenter, SegmenterRecipe, options, fraction, device)


@train.command()
@_training_options("transition-en")
@_fraction_option
def transition(*, fraction: float | None, **options: Unpack[_Options]) -> None:
    """Train the shift-reduce scorer of DISRetrieval, the parser's baseline."""
    _need("train", "torch", "onnx")
    from treatise.train.transition import TransitionRecipe, train_transition

    _train(train_transition, TransitionRecipe, options, fraction)


@train.command()
@_training_options("encoder-en")
@_device_option
def encoder(*, device: str, **options: Unpack[_Options]) -> None:
    """Train the retrieval encoder."""
    _need("train", "torch", "onnx")
    from treatise.train.encoder import EncoderRecipe, train_encoder

    _train(train_encoder, EncoderRecipe, options, device=device)


@train.command()
@_training_options("reranker-en")
def reranker(**options: Unpack[_Options]) -> None:
    """Train the reranker, which reads question and passage together."""
    _need("train", "torch", "onnx")
    from treatise.train.reranker import RerankerRecipe, train_reranker

    _train(train_reranker, RerankerRecipe, options)


@train.command()
@_training_options("reader")
def reader(**options: Unpack[_Options]) -> None:
    """Fine-tune a chat model to answer from passages, with low-rank adapters."""
    _need("reader", "torch", "peft", "transformers")
    from treatise.train.reader import ReaderRecipe, train_reader

    _train(train_reader, ReaderRecipe, options)


@train.command("span-reader")
@_training_options("span-reader-en")
@_device_option
def span_reader(*, device: str, **options: Unpack[_Options]) -> None:
    """Train the extractive reader: spans, yes or no, and whether there is an answer."""
    _need("train", "torch", "onnx")
    from treatise.train.span_reader import SpanReaderRecipe, train_span_reader

    _train(train_span_reader, SpanReaderRecipe, options, device=device)


@train.command("table-reader")
@_training_options("tables-en")
def table_reader(**options: Unpack[_Options]) -> None:
    """Train the reader of tables: which program over a table answers a question."""
    _need("train", "torch")
    from treatise.train.table_reader import TableReaderRecipe, train_table_reader

    _train(train_table_reader, TableReaderRecipe, options)


def _train(
    training: "Callable[[_Recipe, Run], Mapping[str, float]]",
    kind: type[_Recipe],
    options: _Options,
    fraction: float | None = None,
    device: str = "cpu",
) -> None:
    from treatise.train.config import read_recipe
    from treatise.train.run import MODEL, Run, check_device

    check_device(device)
    recipe = _changed(read_recipe(_recipe_file(options["config"]), kind), options["seed"], fraction)
    out = options["out"]
    with progress_line(str(out)) as draw:
        run = Run(
            root=options["data"],
            folder=out,
            command=_command(options, fraction, device),
            weights=options["weights"],
            device=device,
            progress=None if draw is None else lambda done, total: draw("step", done, total),
            report=lambda line: click.echo(line, err=True),
        )
        figures = training(recipe, run)
    show_figures({name: round(value, 2) for name, value in figures.items()}, out / MODEL, as_json=options["as_json"])


def _changed(recipe: Any, seed: int | None, fraction: float | None) -> Any:
    """The recipe with the seed and the share of the data from the command line, if any."""
    if seed is not None:
        loop = replace(recipe.training.loop, seed=seed)
        recipe = replace(recipe, training=replace(recipe.training, loop=loop))
    return recipe if fraction is None else replace(recipe, data=replace(recipe.data, fraction=fraction))


def _command(options: _Options, fraction: float | None, device: str) -> str:
    """The command line for the model card, without the folders of this machine."""
    words = ["treatise", "train", click.get_current_context().info_name or ""]
    words += ["--config", Path(options["config"]).name, "--data", "DATA", "--out", "OUT"]
    given = {"--seed": options["seed"], "--fraction": fraction, "--device": None if device == "cpu" else device}
    words += [word for name, value in given.items() if value is not None for word in (name, str(value))]
    return join([*words, *(word for path in options["weights"] for word in ("--weights", path.name))])


def _recipe_file(config: str) -> Path:
    """The file of that name, or the shipped recipe."""
    if Path(config).is_file():
        return Path(config)
    shipped = Path(str(files("treatise.train") / "configs"))
    if (path := shipped / f"{config}.toml").is_file():
        return path
    names = ", ".join(sorted(path.stem for path in shipped.glob("*.toml")))
    raise DataError(f"{config} is neither a file nor a shipped recipe; shipped: {names}")


def _need(extra: str, *packages: str) -> None:
    """Checks before the imports, so that a missing package gives a message instead of a traceback."""
    if any(find_spec(package) is None for package in packages):
        raise MissingExtraError("training", extra)


train.add_command(reader_data)
train.add_command(translate)
