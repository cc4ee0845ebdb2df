"""What the commands of ``treatise eval`` are told alike, and what they print alike."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec

import click

from treatise.cli.options import all_of, numbers
from treatise.cli.output import line, show, show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from treatise.core.recipe import Recipe

_Rest = ParamSpec("_Rest")

data_option = click.option(
    "--data",
    envvar="TREATISE_DATA",
    type=click.Path(path_type=Path),
    metavar="FILE|FOLDER",
    help="The data set's file, gzipped or not, or the folder of all data sets. Default: TREATISE_DATA.",
)

folder_option = click.option(
    "--data",
    envvar="TREATISE_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="The folder of all data sets. Default: TREATISE_DATA.",
)

limit_option = click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N documents of a data set (questions, where each brings its own documents).",
)

cache_option = click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)

baseline_option = click.option(
    "--baseline",
    metavar="NAME",
    help="The recipe or system to compare with. Default: the first, or that of the first results.",
)


def out_option(*, required: bool = True) -> Callable[..., Any]:
    """``--out``: the folder that results are written to."""
    return click.option(
        "--out",
        required=required,
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="For results.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a command is told about its run over a data set.

    Attributes:
        dataset: Its name, and a group's after a colon.
        data: Its file, or the folder of all data sets; None where neither the option nor ``TREATISE_DATA`` is given.
        limit: Most documents; None for all.
        out: The folder for results.
        cache: The file where vectors are kept from run to run.
        encoder: As for ``compose.open_encoder``.
        recipes: Names with commas between them.
        budgets: In whitespace words.
    """

    dataset: str
    data: Path | None
    limit: int | None
    out: Path = Path()
    cache: Path | None = None
    encoder: str | None = None
    recipes: str = ""
    budgets: tuple[int, ...] = ()

    @property
    def file(self) -> Path:
        """The data set's file.

        Raises:
            DataError: Where no data set has that name, or its file is not found.
        """
        from treatise.evaluate.data.files import data_file
        from treatise.evaluate.data.registry import dataset_named

        return data_file(dataset_named(self.dataset), self.data)

    @property
    def chosen(self) -> "list[Recipe]":
        """The recipes that are named.

        Raises:
            RecipeError: Where no recipe has one of the names.
        """
        from treatise.recipes import recipe_named

        return [recipe_named(name) for name in names(self.recipes)]

    def chosen_with(self, reranker: str | None) -> "list[Recipe]":
        """The same, where a named reranker has something to do."""
        chosen = self.chosen
        if reranker and not any(one.reranking for one in chosen):
            raise click.UsageError(
                f"--reranker: none of {self.recipes} has a second stage; add treatise-reranked to --recipes"
            )
        return chosen


_OPTIONAL: Final = {
    "out": out_option(),
    "cache": cache_option,
    "encoder": click.option("--encoder", metavar="URL|FOLDER", help="Another encoder than the built-in one."),
}


def run_options(
    *optional: str,
    recipes: str = "",
    budgets: str = "",
    datasets: str = "qasper, fairytaleqa, qmsum, policyqa, drcd, ...",
) -> Callable[[Callable[Concatenate[RunOptions, _Rest], None]], Callable[_Rest, None]]:
    """The options of a run over a data set, handed to the command together, as its first argument.

    Args:
        optional: Which of ``out``, ``cache`` and ``encoder`` the command has, beside ``--dataset``, ``--data`` and
            ``--limit``, which all have.
        recipes, budgets: The defaults of ``--recipes`` and ``--budgets``; empty where the command has no such option.
        datasets: Names of data sets, for the help.
    """
    told = [click.option("--dataset", required=True, metavar="NAME", help=datasets), data_option]
    if recipes:
        told.append(
            click.option("--recipes", default=recipes, show_default=True, metavar="A,B", help="Names of recipes.")
        )
    if budgets:
        told.append(
            click.option(
                "--budgets",
                callback=numbers,
                default=budgets,
                show_default=True,
                metavar="N,M",
                help="Words of evidence.",
            )
        )
    told += [_OPTIONAL[name] for name in optional] + [limit_option]

    def decorate(command: Callable[Concatenate[RunOptions, _Rest], None]) -> Callable[_Rest, None]:
        @wraps(command)
        def gathering(*args: _Rest.args, **given: _Rest.kwargs) -> None:
            of_run: dict[str, Any] = {one.name: given.pop(one.name) for one in fields(RunOptions) if one.name in given}
            command(RunOptions(**of_run), *args, **given)

        return all_of(*told)(gathering)

    return decorate


def names(text: str) -> list[str]:
    """The names in a text with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]


@contextmanager
def documents_line(dataset: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that draws how many documents of a data set are done; None outside a terminal."""
    with progress_line(dataset) as draw:
        yield None if draw is None else lambda done, total: draw("documents", done, total)


def show_summary(summary: "DataclassInstance", out: Path, *, as_json: bool, no_color: bool) -> None:
    """Prints a summary as JSON, or else the table of it in the folder."""
    if as_json:
        show_json(asdict(summary))
    else:
        show_table((out / "summary.md").read_text(encoding="utf-8"), no_color=no_color)


def show_table(text: str, *, no_color: bool) -> None:
    """Prints a table in Markdown; a terminal cuts its rows."""
    show((line(row, cut=True) for row in text.splitlines()), no_color=no_color)
