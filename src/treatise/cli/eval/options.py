"""Options shared by the commands of ``treatise eval``, and their output of tables."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click

from treatise.cli.options import all_of, model_options, numbers, prior_option, reranker_option
from treatise.cli.output import Output, line
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from treatise.core.recipe import Recipe
    from treatise.evaluate.run.spec import RunSpec

_Command = TypeVar("_Command", bound=Callable[..., None])

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
    help="Read only the first N documents of a data set (questions, if each brings its own documents).",
)

cache_option = click.option(
    "--cache",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep vectors in this file for the next run.",
)

prior_of_run_option = prior_option("It acts on questions that are asked of ten documents or more together.")

baseline_option = click.option(
    "--baseline",
    metavar="NAME",
    help="The recipe or system to compare with. Default: the first, or that of the first results.",
)


def out_option(*, required: bool = True) -> Callable[[_Command], _Command]:
    """``--out``: the result folder."""
    return click.option(
        "--out",
        required=required,
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="The folder for results.",
    )


def show_table(output: Output, record: dict[str, object], table: str) -> None:
    """Prints the record as JSON, or else the table in Markdown; a terminal cuts its rows."""
    output.show(record, (line(row, cut=True) for row in table.splitlines()))


def show_summary(output: Output, summary: "DataclassInstance", out: Path) -> None:
    """Prints a summary as JSON, or else ``summary.md`` of its folder."""
    show_table(output, asdict(summary), (out / "summary.md").read_text(encoding="utf-8"))


def grouped(argument: str, kind: type, *options: Callable[..., Any]) -> Callable[[_Command], _Command]:
    """Passes a command's options as one value: ``argument``, a dataclass of type ``kind``.

    Each option sets the field with its name; other fields keep their defaults.
    """

    def decorate(function: _Command) -> _Command:
        @wraps(function)
        def command(*args: Any, **arguments: Any) -> None:
            values = {one.name: arguments.pop(one.name) for one in fields(kind) if one.name in arguments}
            function(*args, **arguments, **{argument: kind(**values)})

        return cast(_Command, all_of(*options)(command))

    return decorate


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of a run over a data set; options that a command does not offer keep their defaults.

    Attributes:
        dataset: Name of the data set, optionally ``NAME:GROUP``.
        data: Its data file, or the folder of all data sets; None if neither the option nor ``TREATISE_DATA`` is set.
        limit: Maximum number of documents.
        out: The folder for results.
        cache: The file that caches vectors between runs.
        encoder: As for ``compose.open_encoder``.
        recipes: Names, separated by commas.
        budgets: In whitespace words.
        baseline: The recipe or system to compare with.
        reranker: As for ``compose.open_reranker``.
        prior: As for ``compose.open_library``.
        llm, llm_model: As for ``compose.open_language_model``; None for those of the settings.
        questions_each: Maximum number of questions per document.
        open_domain: Whether questions are asked of all documents of the data set together, and not of their own.
    """

    dataset: str
    data: Path | None
    limit: int | None
    out: Path = Path()
    cache: Path | None = None
    encoder: str | None = None
    recipes: str = ""
    budgets: tuple[int, ...] = ()
    baseline: str | None = None
    reranker: str | None = None
    prior: str | None = None
    llm: str | None = None
    llm_model: str | None = None
    questions_each: int | None = None
    open_domain: bool = False

    @property
    def file(self) -> Path:
        """The data set's file.

        Raises:
            DataError: If no data set has that name, or its file is not found.
        """
        from treatise.evaluate.data.files import data_file
        from treatise.evaluate.data.registry import dataset_named

        return data_file(dataset_named(self.dataset), self.data)

    def chosen(self) -> "list[Recipe]":
        """The named recipes.

        Raises:
            RecipeError: If a name is unknown.
            UsageError: If a reranker is named and no recipe has a second stage.
        """
        from treatise.recipes import recipe_named

        chosen = [recipe_named(name) for name in names(self.recipes)]
        if self.reranker and not any(one.reranking for one in chosen):
            raise click.UsageError(
                f"--reranker: none of {self.recipes} has a second stage; add treatise-reranked to --recipes"
            )
        return chosen

    def spec(self, **changes: Any) -> "RunSpec":
        """The spec of the run without recipes and engines; ``changes`` sets further fields."""
        from treatise.evaluate.run.spec import RunSpec

        return RunSpec(
            dataset=self.dataset,
            data=self.file,
            out=self.out,
            budgets=changes.pop("budgets", self.budgets),
            baseline=self.baseline,
            limit=self.limit,
            questions_each=self.questions_each,
            cache=self.cache,
            open_domain=self.open_domain,
            **changes,
        )

    @contextmanager
    def opened_spec(
        self, recipes: "Sequence[Recipe] | None" = None, *, llm: str | None = None, **changes: Any
    ) -> "Iterator[RunSpec]":
        """The spec of the run with recipes, open engines, and a progress line.

        Args:
            recipes: Recipes to use instead of the named ones.
            llm: The language model if none is named; None for the one in the settings, empty for no model.
            changes: Further fields of the spec.
        """
        from treatise.compose import open_engines

        chosen = self.chosen() if recipes is None else recipes
        spec = self.spec(recipes=chosen, **changes)
        engines = open_engines(
            chosen,
            encoder=self.encoder,
            reranker=self.reranker,
            prior=self.prior,
            llm=llm if self.llm is None else self.llm,
            llm_model=self.llm_model,
        )
        with documents_line(self.dataset) as progress:
            yield replace(spec, engines=engines, progress=progress)


_OPTIONAL: Final[dict[str, Callable[..., Any]]] = {
    "out": out_option(),
    "cache": cache_option,
    "encoder": click.option("--encoder", metavar="URL|FOLDER", help="Another encoder: a URL or a model folder."),
    "baseline": baseline_option,
    "reranker": reranker_option,
    "prior": prior_of_run_option,
    "open_domain": click.option(
        "--open-domain",
        is_flag=True,
        help="Ask every question of all documents of the data set as one library, and not of its own.",
    ),
    "model": model_options,
    "questions_each": click.option(
        "--questions-each", type=click.IntRange(min=1), metavar="N", help="Ask only the first N questions of each."
    ),
}


def run_options(
    *optional: str,
    recipes: str = "",
    budgets: str = "",
    datasets: str = "qasper, fairytaleqa, qmsum, policyqa, drcd, ...",
) -> Callable[[_Command], _Command]:
    """Adds the options of a run over a data set, passed as the argument ``options``.

    Args:
        optional: Which of ``out``, ``cache``, ``encoder``, ``baseline``, ``reranker``, ``prior``, ``open_domain``,
            ``model`` and ``questions_each`` the command offers in addition to ``--dataset``, ``--data`` and
            ``--limit``.
        recipes, budgets: The defaults of ``--recipes`` and ``--budgets``; empty for a command without that option.
        datasets: Names of data sets for the help text.
    """
    dataset = click.option("--dataset", required=True, metavar="NAME", help=datasets)
    lists = [*_recipes_option(recipes), *_budgets_option(budgets)]
    return grouped(
        "options", RunOptions, dataset, data_option, *lists, *(_OPTIONAL[name] for name in optional), limit_option
    )


def _recipes_option(default: str) -> list[Callable[..., Any]]:
    if not default:
        return []
    return [click.option("--recipes", default=default, show_default=True, metavar="A,B", help="Names of recipes.")]


def _budgets_option(default: str) -> list[Callable[..., Any]]:
    if not default:
        return []
    return [
        click.option(
            "--budgets",
            callback=numbers,
            default=default,
            show_default=True,
            metavar="N,M",
            help="Words of evidence.",
        )
    ]


def names(text: str) -> list[str]:
    """The names in a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


@contextmanager
def documents_line(dataset: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that shows the number of finished documents; None outside a terminal."""
    with progress_line(dataset) as draw:
        yield None if draw is None else lambda done, total: draw("documents", done, total)
