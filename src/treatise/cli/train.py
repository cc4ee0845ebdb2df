"""``treatise train``: the shipped models, made again from their recipes."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeVar, Unpack

import click

from treatise.cli.evaluate_options import data_option
from treatise.cli.output import show_json
from treatise.cli.progress import progress_line
from treatise.core.errors import DataError, MissingExtraError

if TYPE_CHECKING:
    from treatise.train.run import Run

_Command = TypeVar("_Command", bound=Callable[..., None])
_Recipe = TypeVar("_Recipe")

_EPILOG: Final = """\b
Examples:
  treatise train parser --config parser-en-teacher --data data --out runs/teacher
  treatise train distil --data data --out runs/distil             what the English parser is made from
  treatise train parser --data data --out runs/parser             the English parser, as it is shipped
  treatise train parser --config my.toml --data data --out runs/mine
  treatise train translate --to de --input gum.jsonl --output gum-de.jsonl --llm ollama

A run that was stopped goes on when it is started again with the same folder. The finished model lies in OUT/model.
Needs: pip install 'treatise[train]'.
"""


@click.group(epilog=_EPILOG)
def train() -> None:
    """Make the shipped models again, or others by your own recipe."""


class _Options(TypedDict):
    """What the three trainings are asked for alike."""

    config: str
    data: Path
    out: Path
    seed: int | None
    weights: Path | None
    as_json: bool


def _training_options(default: str) -> Callable[[_Command], _Command]:
    options = [
        click.option(
            "--config",
            metavar="FILE",
            default=default,
            show_default=True,
            help="A recipe: a TOML file, or the name of one that comes with Treatise.",
        ),
        click.option(
            "--data",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            envvar="TREATISE_DATA",
            required=True,
            help="The folder that the recipe's paths begin at. Default: TREATISE_DATA.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path, file_okay=False),
            required=True,
            help="The run's folder: checkpoint, log and model.",
        ),
        click.option("--seed", type=int, help="Another seed than the recipe's."),
        click.option(
            "--weights",
            type=click.Path(path_type=Path, dir_okay=False, exists=True),
            metavar="FILE",
            help="Export these trained weights, a run's best.safetensors, instead of training.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text."),
    ]

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_fraction_option = click.option(
    "--fraction", type=click.FloatRange(0, 1, min_open=True), help="Share of the training documents, for curves."
)


@train.command()
@_training_options("parser-en")
@_fraction_option
def parser(*, fraction: float | None, **options: Unpack[_Options]) -> None:
    """Train the discourse parser and EDU segmenter."""
    _need("train", "torch", "onnx")
    from treatise.train.parser.export import train_parser
    from treatise.train.parser.recipe import ParserRecipe

    _train(train_parser, ParserRecipe, options, fraction)


@train.command()
@_training_options("distil-en")
def distil(**options: Unpack[_Options]) -> None:
    """Train a shallower encoder to give the token vectors of a deeper one."""
    _need("train", "torch", "onnx")
    from treatise.train.distil import DistilRecipe, train_distilled

    _train(train_distilled, DistilRecipe, options)


@train.command()
@_training_options("segmenter-en")
@_fraction_option
def segmenter(*, fraction: float | None, **options: Unpack[_Options]) -> None:
    """Train the English EDU segmenter, from the parser's teacher."""
    _need("train", "torch", "onnx")
    from treatise.train.segmenter import SegmenterRecipe, train_segmenter

    _train(train_segmenter, SegmenterRecipe, options, fraction)


@train.command()
@_training_options("transition-en")
@_fraction_option
def transition(*, fraction: float | None, **options: Unpack[_Options]) -> None:
    """Train the paper's shift-reduce scorer: the parser's baseline."""
    _need("train", "torch", "onnx")
    from treatise.train.transition import TransitionRecipe, train_transition

    _train(train_transition, TransitionRecipe, options, fraction)


@train.command()
@_training_options("encoder-en")
def encoder(**options: Unpack[_Options]) -> None:
    """Train the retrieval encoder."""
    _need("train", "torch", "onnx")
    from treatise.train.encoder import EncoderRecipe, train_encoder

    _train(train_encoder, EncoderRecipe, options)


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
    """Teach a chat model of yours to read passages, by low-rank adapters."""
    _need("reader", "torch", "peft", "transformers")
    from treatise.train.reader import ReaderRecipe, train_reader

    _train(train_reader, ReaderRecipe, options)


@train.command("span-reader")
@_training_options("span-reader-en")
def span_reader(**options: Unpack[_Options]) -> None:
    """Train the extractive reader: spans, yes or no, and whether there is an answer."""
    _need("train", "torch", "onnx")
    from treatise.train.span_reader import SpanReaderRecipe, train_span_reader

    _train(train_span_reader, SpanReaderRecipe, options)


@train.command("reader-data")
@click.option("--dataset", required=True, metavar="NAME", help="qasper, narrativeqa, squality, asqa, ...")
@data_option
@click.option(
    "--recipe", default="disco-rag-local", show_default=True, metavar="NAME", help="Whose prompts are written."
)
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option("--llm", metavar="URL|NAME|FILE", help="Makes trees, graph and plan where the recipe wants a model's.")
@click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def reader_data(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path | None,
    recipe: str,
    out: Path,
    limit: int | None,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
) -> None:
    """Write chats for `treatise train reader`: a recipe's prompts, with a data set's answers.

    With structure in the prompts (disco-rag-local; disco-rag with --llm) or without (standard-rag).
    """
    from treatise.compose import open_language_model, open_library
    from treatise.evaluate.chats import Listener, write_chats
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.pipeline import Library

    def opened(listener: Listener) -> Library:
        library = open_library(store=out.with_name(f"{out.name}.calls.db"), recipe=recipe)
        library.model = listener
        return library

    with progress_line(dataset) as draw:
        n = write_chats(
            dataset,
            data_file(dataset_named(dataset), data),
            out,
            opened=opened,
            model=open_language_model(llm, llm_model) if llm else None,
            limit=limit,
            progress=None if draw is None else lambda done, total: draw("documents", done, total),
        )
    _show({"chats": n}, out, as_json=as_json)


@train.command()
@click.option("--to", "lang", required=True, metavar="LANG", help="ISO 639-1 code of the language to translate into.")
@click.option("--input", "input_", required=True, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--output", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Grows; see below.")
@click.option(
    "--llm", required=True, metavar="URL|NAME", help="The language model: an OpenAI-compatible URL, or a name."
)
@click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL.")
@click.option("--batch", type=click.IntRange(min=1), default=30, show_default=True, help="Units in one call at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def translate(  # noqa: PLR0913  (click hands over each option as an argument)
    *, lang: str, input_: Path, output: Path, llm: str, llm_model: str | None, batch: int, as_json: bool
) -> None:
    """Translate a treebank, sentence by sentence; its trees stay as they are.

    Documents that the output holds already are passed over, and no call is paid for twice.
    """
    from treatise.compose import open_language_model
    from treatise.train.translate import TranslateOptions, translate_treebank
    from treatise.train.treebanks import read_lines

    model = open_language_model(llm, llm_model)
    options = TranslateOptions(lang, batch_units=batch)
    counts = asdict(translate_treebank(read_lines(input_), output, model, options, source=str(input_)))
    _show({name.removeprefix("n_"): count for name, count in counts.items()}, output, as_json=as_json)
    if counts["n_failed"]:
        raise DataError(f"{counts['n_failed']} documents were left out: {output}.failures says why; run again to retry")


def _train(
    make: "Callable[[_Recipe, Run], Mapping[str, float]]",
    kind: type[_Recipe],
    options: _Options,
    fraction: float | None = None,
) -> None:
    from treatise.train.config import read_recipe
    from treatise.train.run import MODEL, Run

    recipe = _changed(read_recipe(_recipe_file(options["config"]), kind), options["seed"], fraction)
    out = options["out"]
    with progress_line(str(out)) as draw:
        run = Run(
            root=options["data"],
            folder=out,
            command=_command(options, fraction),
            weights=options["weights"],
            progress=None if draw is None else lambda done, total: draw("step", done, total),
            report=lambda line: click.echo(line, err=True),
        )
        figures = make(recipe, run)
    _show({name: round(value, 2) for name, value in figures.items()}, out / MODEL, as_json=options["as_json"])


def _changed(recipe: Any, seed: int | None, fraction: float | None) -> Any:
    """The recipe with another seed or share of the data, where one is given."""
    if seed is not None:
        loop = replace(recipe.training.loop, seed=seed)
        recipe = replace(recipe, training=replace(recipe.training, loop=loop))
    return recipe if fraction is None else replace(recipe, data=replace(recipe.data, fraction=fraction))


def _command(options: _Options, fraction: float | None) -> str:
    """What makes the model again, for its card: without the folders of this machine."""
    words = ["treatise", "train", click.get_current_context().info_name or ""]
    words += ["--config", Path(options["config"]).name, "--data", "DATA", "--out", "OUT"]
    for name, value in (("--seed", options["seed"]), ("--fraction", fraction)):
        words += [] if value is None else [name, str(value)]
    return join([*words, "--weights", options["weights"].name] if options["weights"] else words)


def _recipe_file(config: str) -> Path:
    """A file of that name, or the recipe of that name that comes with the package."""
    if Path(config).is_file():
        return Path(config)
    shipped = Path(str(files("treatise.train") / "configs"))
    if (path := shipped / f"{config}.toml").is_file():
        return path
    names = ", ".join(sorted(path.stem for path in shipped.glob("*.toml")))
    raise DataError(f"{config} is no file, and no recipe of that name comes with Treatise: there are {names}")


def _need(extra: str, *packages: str) -> None:
    """Asks before the imports, so that a missing package is a message and not a trace."""
    if any(find_spec(package) is None for package in packages):
        raise MissingExtraError("training", extra)


def _show(figures: Mapping[str, float], made: Path, *, as_json: bool) -> None:
    if as_json:
        show_json({"output": str(made), **figures})
        return
    width = max(map(len, figures), default=0)
    for name, value in figures.items():
        click.echo(f"{name:{width}}  {value}")
    click.echo(f"written to {made}", file=sys.stderr)
