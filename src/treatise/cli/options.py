"""Options that commands share, and the library that they open."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

import click

if TYPE_CHECKING:
    from treatise.core.ports import Store
    from treatise.pipeline import Library

_Function = TypeVar("_Function", bound=Callable[..., None])


class LibraryOptions(TypedDict, total=False):
    """What the options of a command say about its library; None leaves it to the settings."""

    store: Path | None
    recipe: str | None
    encoder: str | None
    llm: str | None
    llm_model: str | None


def all_of(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    """Several options as one decorator, in the order given."""

    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


store_option = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PATH",
    help="The file that holds the library. Default: TREATISE_STORE, or your data folder.",
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
    store_option,
)

model_options = all_of(
    click.option(
        "--llm", metavar="URL|NAME", help="A language model to write the answer: an OpenAI-compatible URL, or a name."
    ),
    click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL."),
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

    library = open_library(**options)
    try:
        yield library
    finally:
        library.close()


@contextmanager
def opened_store(path: Path | None) -> Iterator["Store"]:
    """The store alone, for commands that need no model; closed at the end."""
    from treatise.compose import open_store

    store = open_store(path)
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
    with opened_store(None) as store:
        return [entry.id for entry in store.entries() if entry.id.startswith(incomplete)]
