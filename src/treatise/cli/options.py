"""Options that commands share, and the library that they open."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

import click

if TYPE_CHECKING:
    from treatise.core.ports import Store
    from treatise.pipeline.library import Library

_Function = TypeVar("_Function", bound=Callable[..., None])


class LibraryOptions(TypedDict, total=False):
    """What the options of a command say about its library; None leaves it to the settings."""

    store: Path | str | None
    recipe: str | None
    encoder: str | None
    llm: str | None
    llm_model: str | None
    max_calls: int | None
    max_cost: float | None
    reranker: str | None
    parser: Path | None
    segmenter: Path | None


def all_of(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    """Several options as one decorator, in the order given."""

    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def document_option(*, multiple: bool = True) -> Callable[[_Function], _Function]:
    """``--in ID``, as ``documents``; or ``document`` where it is one alone."""
    return click.option(
        "--in",
        "documents" if multiple else "document",
        multiple=multiple,
        metavar="ID",
        shell_complete=complete_document_id,
        help="A document of the library by its id" + ("; may be given several times." if multiple else "."),
    )


class StoreType(click.Path):
    """The path of a file, or a URL, which stays a string."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See ``click.ParamType.convert``."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


store_option = click.option(
    "--store",
    type=StoreType(path_type=Path, dir_okay=False),
    metavar="PATH|URL",
    help="The file that holds the library, or a URL: sqlite:///PATH. Default: TREATISE_STORE, or your data folder.",
)

parser_options = all_of(
    click.option(
        "--parser",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="Another discourse parser: a folder that treatise train parser or treatise train transition wrote.",
    ),
    click.option(
        "--segmenter",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="FOLDER",
        help="Another EDU segmenter: a folder that treatise train segmenter or treatise train parser wrote.",
    ),
)

output_options = all_of(
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text."),
    click.option("--no-color", is_flag=True, help="No colours in a terminal (as NO_COLOR=1)."),
)

library_options = all_of(
    click.option(
        "--recipe", metavar="NAME", help="The system to use, such as treatise (the default) or flat-sentence."
    ),
    click.option(
        "--encoder", metavar="URL|FOLDER", help="Another encoder: an OpenAI-compatible URL, or a model's folder."
    ),
    parser_options,
    store_option,
)

reranker_option = click.option(
    "--reranker",
    metavar="NAME|URL|FOLDER",
    help="Read the best passages again: late-interaction, listwise (by the --llm), a URL with /rerank, or a folder.",
)

model_options = all_of(
    click.option(
        "--llm",
        metavar="URL|NAME|FILE",
        help="A language model for answers, and for notes where the recipe has some: an OpenAI-compatible URL, a name, "
        "or a GGUF file.",
    ),
    click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL."),
)

ceiling_options = all_of(
    click.option(
        "--max-calls",
        type=click.IntRange(min=0),
        metavar="N",
        help="Most requests to the language model for notes; what is beyond gets sentences of the text, and is marked.",
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0),
        metavar="COST",
        help="The same in money, at the prices of the settings.",
    ),
)

refine_options = all_of(
    click.option("--refine", is_flag=True, help="Have the model's draft criticised and revised, round by round."),
    click.option(
        "--goal",
        metavar="NAME|TEXT",
        help="What the critic holds it against: answer, summary, meeting, or your own words. Implies --refine.",
    ),
    click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="Revisions at most. Default: 3."),
)

budget_option = click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="WORDS",
    help="Most words of evidence. Default: 300, or as in the settings.",
)


@contextmanager
def opened_library(**options: Unpack[LibraryOptions]) -> Iterator["Library"]:
    """The library that the options and the settings describe, closed at the end."""
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
        parser=options.get("parser"),
        segmenter=options.get("segmenter"),
    )
    try:
        yield library
    finally:
        library.close()


def with_refinement(
    library: "Library", *, refine: bool, goal: str | None, rounds: int | None, usual_goal: str
) -> "Library":
    """The library with a recipe that refines drafts, if the command line asks for it."""
    from treatise.core.recipe import GOALS, Refinement

    if not (refine or goal or rounds):
        return library
    if library.model is None:
        raise click.UsageError("a draft is written and refined by a language model: name one with --llm")
    before = library.recipe.refinement or Refinement(GOALS[usual_goal])
    refinement = replace(
        before,
        goal=GOALS.get(goal, goal) if goal else before.goal,
        max_rounds=rounds or before.max_rounds,
        max_calls=max(before.max_calls, 2 * (rounds or 0) + 2),
    )
    return library.with_recipe(replace(library.recipe, refinement=refinement))


@contextmanager
def opened_store(path: Path | str | None, *, read_only: bool = False) -> Iterator["Store"]:
    """The store alone, for commands that need no model; closed at the end."""
    from treatise.compose import open_store

    store = open_store(path, read_only=read_only)
    try:
        yield store
    finally:
        store.close()


def default_budget() -> int:
    """Words of evidence where the command line does not say."""
    from treatise.settings import load_settings

    return load_settings().budget


def complete_document_id(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Ids in the default library that begin with what was typed, for the shell."""
    with opened_store(None, read_only=True) as store:
        return [entry.id for entry in store.entries() if entry.id.startswith(incomplete)]


def numbers(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers above 0 from a text with commas between them."""
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise click.BadParameter(f"{text!r} is not a list of numbers above 0, such as 200,300,400")
    return found


def named_files(given: Sequence[str]) -> dict[str, Path]:
    """Files by name: ``NAME=FILE``, or the file's own name without its ending."""
    pairs = [(name, path) if equals else ("", name) for name, equals, path in (one.partition("=") for one in given)]
    files = {name or Path(path).stem: Path(path) for name, path in pairs}
    if len(files) < len(given):
        raise click.BadParameter("two files have one name: give them as NAME=FILE", param_hint="FILE")
    return files
