"""Engines and libraries from settings."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from treatise.compose.encoders import open_encoder
from treatise.compose.language_models import open_budget, open_language_model
from treatise.compose.parsers import open_chunk_parser, open_parser
from treatise.compose.readers import open_reader
from treatise.compose.rerankers import open_reranker
from treatise.compose.stores import open_store
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.recipe import Recipe
    from treatise.pipeline.engines import Engines
    from treatise.pipeline.library import Library


def open_engines(
    recipes: "Sequence[Recipe]",
    settings: Settings | None = None,
    *,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
    reranker: str | None = None,
) -> "Engines":
    """The engines that these recipes need. None leaves a choice to the settings; an empty ``llm`` is no language model.

    Raises:
        SettingsError: If a setting, a URL or a name is unknown.
        EngineError: If a model cannot be loaded.
        MissingExtraError: If an engine needs an optional dependency.
    """
    from treatise.core.recipe import TreesBy
    from treatise.pipeline.engines import Engines

    settings = settings or load_settings()
    llm = settings.llm if llm is None else llm
    model = open_language_model(llm, llm_model, settings) if llm else None
    # also for trees by a language model: the parser replaces a failing model
    wants_trees = any(recipe.planning.trees is not TreesBy.NONE for recipe in recipes)
    return Engines(
        encoder=open_encoder(encoder, settings),
        parser=open_parser(settings) if any(recipe.indexing.needs_parser for recipe in recipes) else None,
        model=model,
        reranker=open_reranker(reranker, settings, model) if any(recipe.reranking for recipe in recipes) else None,
        chunk_parser=open_chunk_parser(settings) if wants_trees else None,
        reader=open_reader(settings=settings),  # also beside a language model: it answers if the model fails
    )


def open_library(  # noqa: PLR0913  (the public way in: every argument has a name and a default)
    settings: Settings | None = None,
    *,
    store: str | Path | None = None,
    recipe: "str | Recipe | None" = None,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
    reranker: str | None = None,
    parser: str | Path | None = None,
    segmenter: str | Path | None = None,
) -> "Library":
    """A library that is ready for documents and questions; close it at the end.

    Args:
        settings: The defaults of the arguments below; by default those of the settings file and the environment.
        store: Where documents and indexes are kept: the path of a file, or ``sqlite:///path``. It is created if absent.
        recipe: The system to use, by its name on the command line or as a value.
        encoder: ``"treatise-en"`` (built in), ``"multilingual"`` (an extra), the URL of an OpenAI-compatible server, or
            the folder of a model: one that `treatise train encoder` wrote, or of sentence-transformers.
        llm: The URL or the name of a server, or the GGUF file, whose language model writes the answers, and the notes
            if the recipe has written ones; without one answers are quoted.
        llm_model: The name of a model at that server.
        reranker: The second stage of retrieval: see ``open_reranker``. A recipe without a second stage gets one.
        parser: The folder of a parser: one that `treatise train parser` or `treatise train transition` wrote.
        segmenter: The folder of a segmenter: one that `treatise train segmenter` or `treatise train parser` wrote.

    Raises:
        SettingsError: If a setting, a URL or a name is unknown.
        RecipeError: If no recipe has that name.
        StoreError: If the store cannot be opened.
        EngineError: If a model cannot be loaded.
        MissingExtraError: If an engine needs an optional dependency.
    """
    from treatise.core.recipe import Recipe, Reranking
    from treatise.pipeline.library import Library
    from treatise.pipeline.system import System
    from treatise.recipes import recipe_named

    settings = settings or load_settings()
    settings = replace(
        settings,
        llm=settings.llm if llm is None else llm,
        llm_model=settings.llm_model if llm_model is None else llm_model,
        reranker=settings.reranker if reranker is None else reranker,
        parser=settings.parser if parser is None else str(parser),
        segmenter=settings.segmenter if segmenter is None else str(segmenter),
    )
    chosen = recipe if isinstance(recipe, Recipe) else recipe_named(recipe or settings.recipe)
    if settings.reranker and chosen.reranking is None:
        chosen = replace(chosen, reranking=Reranking())
    engines = open_engines([chosen], settings, encoder=encoder)
    return Library(open_store(store, settings), System(chosen, engines, budget=open_budget(settings)))
