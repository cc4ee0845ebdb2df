"""Engines and libraries from settings."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treatise.compose.encoders import cross_lingual_encoder, open_encoder
from treatise.compose.language_models import open_budget, open_language_model
from treatise.compose.openings import open_openings
from treatise.compose.parsers import open_chunk_parser, open_papers_parser, open_paragraph_parser, open_parser
from treatise.compose.readers import open_judge, open_multilingual_reader, open_reader, open_table_reader
from treatise.compose.rerankers import open_reranker
from treatise.compose.stores import open_usable_store
from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import LanguageModel, Store
    from treatise.core.recipe import Recipe
    from treatise.pipeline.engines import Engines
    from treatise.pipeline.library import Library


def open_engines(  # noqa: PLR0913  (one name per kind of engine)
    recipes: "Sequence[Recipe]",
    settings: Settings | None = None,
    *,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
    reranker: str | None = None,
    prior: str | None = None,
    parser: str | None = None,
    metered: "Callable[[LanguageModel], LanguageModel] | None" = None,
) -> "Engines":
    """The engines that these recipes need. None leaves a choice to the settings; an empty ``llm`` is no language model.

    ``metered`` wraps the language model, for every engine that calls it.

    Raises:
        SettingsError: If a setting, a URL or a name is unknown.
        EngineError: If a model cannot be loaded.
        MissingExtraError: If an engine needs an optional dependency.
    """
    from treatise.core.recipe import ParsedBy, TreesBy
    from treatise.pipeline.engines import Engines

    settings = _with(settings or load_settings(), prior=prior, parser=parser)
    llm = settings.llm if llm is None else llm
    model = open_language_model(llm, llm_model, settings) if llm else None
    model = metered(model) if metered and model else model
    # also for trees by a language model: the parser replaces a failing model
    wants_trees = any(recipe.planning.trees is not TreesBy.NONE for recipe in recipes)
    parsed_by = {recipe.indexing.parsed_by for recipe in recipes if recipe.indexing.needs_parser}
    reader = open_reader(settings=settings)  # also beside a language model: it answers if the model fails
    return Engines(
        encoder=open_encoder(encoder, settings),
        parser=open_parser(settings) if ParsedBy.SETTINGS in parsed_by else None,
        papers_parsers={name: open_papers_parser(name, settings) for name in parsed_by - {ParsedBy.SETTINGS}},
        model=model,
        reranker=open_reranker(reranker, settings, model) if any(recipe.reranking for recipe in recipes) else None,
        chunk_parser=open_chunk_parser(settings) if wants_trees else None,
        paragraph_parser=open_paragraph_parser(settings),
        reader=reader,
        multilingual_reader=open_multilingual_reader(settings),
        table_reader=open_table_reader(settings),
        judge=open_judge(reader, settings),
        openings=open_openings(settings),
    )


def engines_for_workers(
    recipe: "Recipe",
    settings: Settings | None = None,
    *,
    encoder: str | None = None,
    prior: str | None = None,
    parser: str | Path | None = None,
    segmenter: str | Path | None = None,
) -> "Callable[[], Engines]":
    """A function that loads the engines that index documents, for processes of one thread each.

    It is pickled by its name and these choices: each machine loads the models of its own installation.
    """
    settings = replace(settings or load_settings(), llm="", threads=1, reader="none")
    settings = _with(settings, prior=prior, parser=parser, segmenter=segmenter)
    indexing_only = replace(recipe, reranking=None)
    return partial(open_engines, [indexing_only], settings, encoder=encoder)


def open_library(  # noqa: PLR0913  (the public way in: every argument has a name and a default)
    settings: Settings | None = None,
    *,
    store: str | Path | None = None,
    recipe: "str | Recipe | None" = None,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
    reranker: str | None = None,
    reader: str | Path | None = None,
    prior: str | None = None,
    parser: str | Path | None = None,
    segmenter: str | Path | None = None,
    answers: bool = False,
) -> "Library":
    """A library that is ready for documents and questions; close it at the end.

    Args:
        settings: The defaults of the arguments below; by default those of the settings file and the environment.
        store: Where documents and indexes are kept: the path of a file, ``sqlite:///path`` or ``postgresql://…``. It is
            created if absent, and opened for reading alone if it cannot be written.
        recipe: The system to use, by its name on the command line or as a value.
        encoder: ``"treatise-en"`` (built in), ``"multilingual"`` (an extra), the URL of an OpenAI-compatible server, or
            the folder of a model: one that `treatise train encoder` wrote, or of sentence-transformers.
        llm: The URL or the name of a server, or the GGUF file, whose language model writes the answers, and the notes
            if the recipe has written ones; without one answers are quoted.
        llm_model: The name of a model at that server.
        reranker: The second stage of retrieval: see ``open_reranker``. A recipe without a second stage gets one.
        reader: The reader of English passages: see ``open_reader``.
        prior: ``"large"`` to tell English documents of a library apart by their openings as a larger encoder reads them
            (an extra): documents are to be indexed, or updated, with it too.
        parser: ``"large"``, ``"ensemble"``, or the folder of a parser: one that `treatise train parser` or `treatise
            train transition` wrote.
        segmenter: ``"large"``, or the folder of a segmenter: one that `treatise train segmenter` or `treatise train
            parser` wrote.
        answers: Load the reader at once, in a thread, instead of at the first question.

    Raises:
        SettingsError: If a setting, a URL or a name is unknown.
        RecipeError: If no recipe has that name.
        StoreError: If the store cannot be opened.
        EngineError: If a model cannot be loaded.
        MissingExtraError: If an engine needs an optional dependency.
    """
    from treatise.core.recipe import Recipe, Reranking
    from treatise.engines.telemetry import turn_off_telemetry
    from treatise.recipes import recipe_named

    if isinstance(settings, str | Path):
        raise SettingsError(f"open_library({str(settings)!r}): write open_library(store={str(settings)!r})")
    named: dict[str, Any] = {
        "llm": llm,
        "llm_model": llm_model,
        "reranker": reranker,
        "reader": reader,
        "prior": prior,
        "parser": parser,
        "segmenter": segmenter,
    }
    again = partial(open_library, settings, recipe=recipe, encoder=encoder, **named)
    settings = _with(settings or load_settings(), **named)
    chosen = recipe if isinstance(recipe, Recipe) else recipe_named(recipe or settings.recipe)
    if settings.reranker and chosen.reranking is None:
        chosen = replace(chosen, reranking=Reranking())
    turn_off_telemetry()
    # Models load outside the interpreter's lock, so a thread has them when the rest of the program is imported.
    loading = ThreadPoolExecutor(1)
    opening = loading.submit(open_engines, [chosen], settings, encoder=encoder)
    if answers:
        loading.submit(_load_reader, opening)
    end_loading = partial(loading.shutdown, cancel_futures=True)
    from treatise.pipeline.library import Library
    from treatise.pipeline.system import System

    try:
        engines = opening.result()
        loading.shutdown(wait=False)
        system = System(chosen, engines, budget=open_budget(settings))
        opened = open_usable_store(store, settings)
    except BaseException:
        end_loading()
        raise
    return Library(
        opened,
        system,
        cross_lingual=cross_lingual_encoder(encoder, settings),
        opened_by=partial(again, store=_place_of(opened) or store),
        before_close=end_loading,
    )


def _with(settings: Settings, **named: str | Path | None) -> Settings:
    """The settings with those that are named; None leaves the choice to them."""
    return replace(settings, **{key: str(value) for key, value in named.items() if value is not None})  # type: ignore[arg-type]


def _load_reader(opening: "Future[Engines]") -> None:
    """Loads the reader, unless the engines cannot be opened or a language model answers."""
    if opening.exception() is None and opening.result().model is None:
        opening.result().load_reader()


def _place_of(store: "Store") -> Path | None:
    """The absolute path of a store in a file."""
    path = getattr(store, "path", None)
    return path.absolute() if isinstance(path, Path) else None
