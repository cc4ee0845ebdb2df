"""``treatise train reader-data`` and ``treatise train translate``: data for training."""

from dataclasses import asdict
from pathlib import Path
from typing import TypedDict, Unpack

import click

from treatise.cli.eval.options import data_option
from treatise.cli.output import show_figures
from treatise.cli.progress import progress_line
from treatise.core.errors import DataError
from treatise.core.plurals import counted

_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
_llm_model_option = click.option("--llm-model", metavar="MODEL", help="The model to use on that server.")


class _ChatOptions(TypedDict):
    """The options of ``treatise train reader-data`` that limit the data, and those that name a language model."""

    limit: int | None
    llm: str | None
    llm_model: str | None


@click.command("reader-data")
@click.option("--dataset", required=True, metavar="NAME", help="qasper, narrativeqa, squality, asqa, ...")
@data_option
@click.option(
    "--recipe", default="disco-rag-local", show_default=True, metavar="NAME", help="The recipe that writes the prompts."
)
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option("--llm", metavar="URL|NAME|FILE", help="Language model for trees, graph and plan, if used.")
@_llm_model_option
@_json_option
def reader_data(
    *,
    dataset: str,
    data: Path | None,
    recipe: str,
    out: Path,
    as_json: bool,
    **options: Unpack[_ChatOptions],
) -> None:
    """Write chats for `treatise train reader`: prompts of a recipe, with the answers of a data set.

    The prompts contain structure (disco-rag-local; disco-rag with --llm) or not (standard-rag).
    """
    from treatise.compose import open_engines
    from treatise.evaluate.data.files import data_file
    from treatise.evaluate.data.registry import dataset_named
    from treatise.evaluate.run.chats import write_chats
    from treatise.evaluate.run.spec import RunSpec
    from treatise.recipes import recipe_named

    recipes = [recipe_named(recipe)]
    with progress_line(dataset) as draw:
        spec = RunSpec(
            dataset=dataset,
            data=data_file(dataset_named(dataset), data),
            out=out,
            engines=open_engines(recipes, llm=options["llm"] or "", llm_model=options["llm_model"]),
            recipes=recipes,
            limit=options["limit"],
            calls=out.with_name(f"{out.name}.calls.db"),
            progress=None if draw is None else lambda done, total: draw("documents", done, total),
        )
        n = write_chats(spec)
    show_figures({"chats": n}, out, as_json=as_json)


class _TranslateOptions(TypedDict):
    """The options of ``treatise train translate``."""

    lang: str
    input_: Path
    output: Path
    llm: str
    llm_model: str | None
    batch: int
    as_json: bool


@click.command()
@click.option("--to", "lang", required=True, metavar="LANG", help="ISO 639-1 code of the target language.")
@click.option("--input", "input_", required=True, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--output", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Lines are appended.")
@click.option("--llm", required=True, metavar="URL|NAME", help="Language model: an OpenAI-compatible URL, or a name.")
@_llm_model_option
@click.option(
    "--batch", type=click.IntRange(min=1), default=30, show_default=True, metavar="N", help="Maximum units per call."
)
@_json_option
def translate(**options: Unpack[_TranslateOptions]) -> None:
    """Translate a treebank, sentence by sentence; its trees stay the same.

    Documents that the output already contains are skipped, and no call is paid for twice.
    """
    from treatise.compose import open_language_model
    from treatise.train.translate import TranslateOptions, translate_treebank
    from treatise.train.treebanks import read_lines

    input_, output = options["input_"], options["output"]
    model = open_language_model(options["llm"], options["llm_model"])
    settings = TranslateOptions(options["lang"], batch_units=options["batch"])
    counts = asdict(translate_treebank(read_lines(input_), output, model, settings, source=str(input_)))
    figures = {name.removeprefix("n_"): count for name, count in counts.items()}
    show_figures(figures, output, as_json=options["as_json"])
    if counts["n_failed"]:
        skipped = counted(counts["n_failed"], "document", "was", "were")
        raise DataError(f"{skipped} skipped: see {output}.failures; run again to retry")
