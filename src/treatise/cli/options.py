"""Options shared by several commands, and the library that they open."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, cast

import click

from treatise.cli.output import Output
from treatise.cli.types import ModelType, StoreType

if TYPE_CHECKING:
    from treatise.core.ports import Store
    from treatise.pipeline.library import Library

_Function = TypeVar("_Function", bound=Callable[..., None])


class LibraryOptions(TypedDict, total=False):
    """The options of a command that configure its library; None means the value in the settings."""

    store: Path | str | None
    recipe: str | None
    encoder: str | None
    llm: str | None
    llm_model: str | None
    max_calls: int | None
    max_cost: float | None
    reranker: str | None
    reader: str | None
    prior: str | None
    parser: str | None
    segmenter: str | None


def all_of(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    """Combines options into one decorator, in this order."""

    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def document_option(*, multiple: bool = True) -> Callable[[_Function], _Function]:
    """``--in ID``, as the argument ``documents``: a tuple if ``multiple``."""
    return click.option(
        "--in",
        "documents",
        multiple=multiple,
        metavar="ID",
        shell_complete=complete_document_id,
        help="A document of the library, by id or file" + ("; repeat for several." if multiple else "."),
    )


where_option = click.option(
    "--where",
    default="",
    metavar="FILTER",
    help="Only documents that satisfy a filter, such as \"year >= 2020 and type = 'report'\".",
)


Labels = Mapping[str, tuple[str, ...]]
"""Tags and collections to add."""


def label_option(function: _Function) -> _Function:
    """``--tag`` and ``--collection``, as the argument ``labels``."""

    @wraps(function)
    def command(*, tags: tuple[str, ...], collection: tuple[str, ...], **arguments: Any) -> None:
        function(labels={"tags": tags, "collection": collection}, **arguments)

    tag = click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag the documents; repeat for several.")
    collections = click.option("--collection", multiple=True, metavar="NAME", help="Put them into a collection.")
    return tag(collections(cast(_Function, command)))


@dataclass(frozen=True, slots=True)
class Choice:
    """The documents of the library that a command works on.

    Attributes:
        documents: Ids, as typed; empty for the whole library.
        where: A filter; blank for no filter.
    """

    documents: tuple[str, ...]
    where: str


def choice_options(*, multiple: bool = True) -> Callable[[_Function], _Function]:
    """``--in ID`` and ``--where FILTER``, as the argument ``choice``."""

    def decorate(function: _Function) -> _Function:
        @wraps(function)
        def command(*, documents: tuple[str, ...] | str | None, where: str, **arguments: Any) -> None:
            ids = documents if isinstance(documents, tuple) else tuple(filter(None, (documents,)))
            function(choice=Choice(ids, where.strip()), **arguments)

        return document_option(multiple=multiple)(where_option(cast(_Function, command)))

    return decorate


class FiniteRange(click.FloatRange):
    """A number in a range: no infinity, and not NaN, which is below no ceiling and above none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See ``click.ParamType.convert``."""
        number = float(super().convert(value, param, ctx))
        return number if math.isfinite(number) else self.fail(f"{value!r} is no finite number", param, ctx)


store_option = click.option(
    "--store",
    type=StoreType(path_type=Path, dir_okay=False),
    metavar="PATH|URL",
    help="The library: a file, or a URL: sqlite:///PATH or postgresql://USER@HOST/DATABASE. Default: TREATISE_STORE, "
    "or in your data folder.",
)

parser_options = all_of(
    click.option(
        "--parser",
        type=ModelType(file_okay=False),
        metavar="NAME|FOLDER",
        help="Another discourse parser: 'large' or 'ensemble' (slower, more accurate on English; each is an extra), or "
        "a folder written by treatise train parser or treatise train transition.",
    ),
    click.option(
        "--segmenter",
        type=ModelType(file_okay=False),
        metavar="NAME|FOLDER",
        help="Another EDU segmenter: 'large' (slower, more accurate on English; an extra), or a folder written by "
        "treatise train segmenter or treatise train parser.",
    ),
)

output_options = all_of(
    click.option("--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object instead of text."),
    click.option("--no-color", is_flag=True, help="No colours in a terminal (as NO_COLOR=1)."),
)


def output_option(function: _Function) -> _Function:
    """``--json`` and ``--no-color``, as the argument ``output``."""

    @wraps(function)
    def command(*, as_json: bool, no_color: bool, **arguments: Any) -> None:
        function(output=Output(as_json, no_color), **arguments)

    return output_options(cast(_Function, command))


def answer_output_option(function: _Function) -> _Function:
    """``--verbose``, ``--json`` and ``--no-color``, as the argument ``output``."""

    @wraps(function)
    def command(*, verbose: bool, as_json: bool, no_color: bool, **arguments: Any) -> None:
        function(output=Output(as_json, no_color, verbose), **arguments)

    verbose_option = click.option("--verbose", is_flag=True, help="Also print the characters of each citation.")
    return all_of(verbose_option, output_options)(cast(_Function, command))


def prior_option(note: str) -> Callable[[_Function], _Function]:
    """``--prior``; ``note`` says what a command does with it."""
    return click.option(
        "--prior",
        metavar="NAME",
        help="Tell documents of a library apart by their openings as a larger encoder reads them: large (English; an "
        f"extra). {note}",
    )


library_options = all_of(
    click.option(
        "--recipe", metavar="NAME", help="How to index and answer: treatise (the default), flat-sentence, ..."
    ),
    click.option(
        "--encoder", metavar="URL|FOLDER", help="Another encoder: an OpenAI-compatible URL, or a model folder."
    ),
    prior_option("Index or update them with it first."),
    parser_options,
    store_option,
)

reranker_option = click.option(
    "--reranker",
    metavar="NAME|URL|FOLDER",
    help="Rerank the best passages: late-interaction, listwise (with --llm), a URL with /rerank, or a model folder.",
)

reader_option = click.option(
    "--reader",
    metavar="NAME|FOLDER",
    help="Reader of passages: reader-en (the default; with the extra multilingual, reader-multi for other languages), "
    "large (slower, finds more; an extra), none to quote the best sentences, or a reader's folder.",
)

model_options = all_of(
    click.option(
        "--llm",
        metavar="URL|NAME|FILE",
        help="Language model for answers, and for notes if the recipe has them: an OpenAI-compatible URL, a server's "
        "name such as ollama, or a GGUF file.",
    ),
    click.option("--llm-model", metavar="MODEL", help="The model to use on that server."),
)

ceiling_options = all_of(
    click.option(
        "--max-calls",
        type=click.IntRange(min=0),
        metavar="N",
        help="Maximum requests to the language model for notes. Nodes beyond it quote the text, and are marked.",
    ),
    click.option(
        "--max-cost",
        type=FiniteRange(min=0),
        metavar="COST",
        help="Maximum cost of those requests, at the prices in the settings.",
    ),
)


@dataclass(frozen=True, slots=True)
class RefineOptions:
    """The options of refinement; None keeps the recipe's value."""

    refine: bool
    goal: str | None
    rounds: int | None


_refine_options = all_of(
    click.option("--refine", is_flag=True, help="Let the model criticise and revise its draft, in rounds."),
    click.option(
        "--goal",
        metavar="NAME|TEXT",
        help="Criteria for the critic: answer, summary, meeting, or your own words. Implies --refine.",
    ),
    click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="Maximum revisions. Default: 3."),
)


def refine_option(function: _Function) -> _Function:
    """``--refine``, ``--goal`` and ``--rounds``, as the argument ``refinement``."""

    @wraps(function)
    def command(*, refine: bool, goal: str | None, rounds: int | None, **arguments: Any) -> None:
        function(refinement=RefineOptions(refine, goal, rounds), **arguments)

    return _refine_options(cast(_Function, command))


budget_option = click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="WORDS",
    help="Maximum words of evidence. Default: 300, or the value in the settings.",
)


@contextmanager
def opened_library(*, answers: bool = False, **options: Unpack[LibraryOptions]) -> Iterator["Library"]:
    """Opens the library that the options and the settings describe, and closes it at the end.

    With ``answers`` the reader is loaded at once: a question follows.
    """
    from treatise.compose import open_library
    from treatise.settings import load_settings

    settings = load_settings()
    max_calls, max_cost = options.get("max_calls"), options.get("max_cost")
    settings = replace(
        settings,
        max_calls=settings.max_calls if max_calls is None else max_calls,
        max_cost=settings.max_cost if max_cost is None else max_cost,
    )
    library = open_library(
        settings,
        store=options.get("store"),
        recipe=options.get("recipe"),
        encoder=options.get("encoder"),
        llm=options.get("llm"),
        llm_model=options.get("llm_model"),
        reranker=options.get("reranker"),
        reader=options.get("reader"),
        prior=options.get("prior"),
        parser=options.get("parser"),
        segmenter=options.get("segmenter"),
        answers=answers,
    )
    try:
        _refuse_unused_folders(library, options)
        yield library
    finally:
        library.close()


def _refuse_unused_folders(library: "Library", options: LibraryOptions) -> None:
    engines, slug = library.system.engines, library.recipe.slug
    if options.get("parser") and engines.parser is None and engines.chunk_parser is None:
        raise click.UsageError(
            f"--parser has no effect: the recipe {slug} has no discourse trees, or names its own parser. Choose "
            "another one, such as --recipe summary or disretrieval-pooled"
        )
    if options.get("segmenter") and engines.chunk_parser is None:
        raise click.UsageError(
            f"--segmenter has no effect: the recipe {slug} has no trees over EDUs. Choose one that has, such as "
            "--recipe disco-rag-local"
        )


def with_refinement(library: "Library", options: RefineOptions, *, default_goal: str) -> "Library":
    """The library with a recipe that refines drafts, if the command line says so."""
    from treatise.core.recipe import GOALS, Refinement

    goal, rounds = options.goal, options.rounds
    if not (options.refine or goal or rounds):
        return library
    if library.model is None:
        raise click.UsageError("refinement needs a language model: name one with --llm")
    before = library.recipe.refinement or Refinement(GOALS[default_goal])
    refinement = replace(
        before,
        goal=GOALS.get(goal, goal) if goal else before.goal,
        max_rounds=rounds or before.max_rounds,
        max_calls=max(before.max_calls, 2 * (rounds or 0) + 2),
    )
    return library.with_recipe(replace(library.recipe, refinement=refinement))


@contextmanager
def opened_store(path: Path | str | None, *, read_only: bool = False) -> Iterator["Store"]:
    """Opens the store alone, for commands that need no model, and closes it at the end."""
    from treatise.compose import open_store

    store = open_store(path, read_only=read_only)
    try:
        yield store
    finally:
        store.close()


def default_budget() -> int:
    """Words of evidence without ``--budget``."""
    from treatise.settings import load_settings

    return load_settings().budget


def complete_document_id(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Ids in the default library that start with the typed text, for shell completion."""
    with opened_store(None, read_only=True) as store:
        return [entry.id for entry in store.entries() if entry.id.startswith(incomplete)]


def numbers(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """Parses positive whole numbers, separated by commas."""
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise click.BadParameter(f"{text!r} is not a list of positive numbers, such as 200,300,400")
    return found


def named_files(arguments: Sequence[str]) -> dict[str, Path]:
    """Files by name: ``NAME=FILE``, or the file's own name without its suffix."""
    pairs = [(name, path) if equals else ("", name) for name, equals, path in (one.partition("=") for one in arguments)]
    files = {name or Path(path).stem: Path(path) for name, path in pairs}
    if len(files) < len(arguments):
        raise click.BadParameter("two files share a name: write NAME=FILE", param_hint="FILE")
    return files
