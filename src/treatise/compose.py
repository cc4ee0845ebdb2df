"""Settings to objects: the only place that knows the names of engines, models and servers."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import Encoder, LanguageModel, Store
    from treatise.core.recipe import Recipe
    from treatise.engines.openai_client import Endpoint
    from treatise.pipeline import Library

BUILT_IN_ENCODER: Final = "minilm"

SERVERS: Final = {
    "llama.cpp": "http://localhost:8080/v1",
    "lm-studio": "http://localhost:1234/v1",
    "ollama": "http://localhost:11434/v1",
    "openai": "https://api.openai.com/v1",
    "vllm": "http://localhost:8000/v1",
}
"""Where the servers that ``--llm`` knows by name listen, unless they were told otherwise."""

_MODELS: Final = Path(__file__).parent / "models"


def open_library(
    settings: Settings | None = None,
    *,
    store: str | Path | None = None,
    recipe: "str | Recipe | None" = None,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
) -> "Library":
    """A library that is ready for documents and questions; close it at the end.

    Args:
        settings: What the arguments below leave open; by default those of the settings file and the environment.
        store: The file that holds documents and indexes; it is made where it is missing.
        recipe: The system to use, by its name on the command line or as a value.
        encoder: ``"minilm"`` (built in), the URL of an OpenAI-compatible server, or a sentence-transformers folder.
        llm: The URL or the name of a server whose language model writes the answers; without one they are quoted.
        llm_model: Which of that server's models.

    Raises:
        SettingsError: Where a setting, a URL or a name is not one that we know.
        RecipeError: Where no recipe has that name.
        StoreError: Where the store cannot be opened.
        EngineError: Where the encoder cannot be loaded.
        MissingExtraError: Where an engine needs an optional dependency.
    """
    from treatise.core.recipe import Recipe
    from treatise.pipeline import Library
    from treatise.recipes import recipe_named

    settings = settings or load_settings()
    settings = replace(
        settings,
        encoder=encoder or settings.encoder,
        llm=settings.llm if llm is None else llm,
        llm_model=settings.llm_model if llm_model is None else llm_model,
    )
    chosen = recipe if isinstance(recipe, Recipe) else recipe_named(recipe or settings.recipe)
    model = _language_model(settings) if settings.llm else None
    made_encoder = _encoder(settings)
    return Library(store=open_store(store, settings), encoder=made_encoder, recipe=chosen, model=model)


def open_store(path: str | Path | None = None, settings: Settings | None = None) -> "Store":
    """The store at a path; by default the one that the settings name, or the platform's usual place.

    Raises:
        StoreError: Where it cannot be opened.
    """
    from treatise.store import SqliteStore, default_path

    return SqliteStore(path or (settings or load_settings()).store or default_path())


def _encoder(settings: Settings) -> "Encoder":
    if settings.encoder == BUILT_IN_ENCODER:
        from treatise.engines.onnx_encoder import OnnxEncoder

        return OnnxEncoder(_MODELS / BUILT_IN_ENCODER, threads=settings.threads)
    if _is_url(settings.encoder):
        from treatise.engines.openai_embeddings import OpenAIEmbeddings

        return OpenAIEmbeddings(_endpoint(settings, settings.encoder, settings.encoder_model))
    if Path(settings.encoder).is_dir():
        from treatise.engines.sentence_transformers_folder import SentenceTransformersFolder

        return SentenceTransformersFolder(Path(settings.encoder))
    raise SettingsError(
        f"no encoder is named {settings.encoder!r}: give {BUILT_IN_ENCODER!r}, the URL of an OpenAI-compatible "
        "server, or the folder of a sentence-transformers model"
    )


def _language_model(settings: Settings) -> "LanguageModel":
    from treatise.engines.openai_chat import OpenAIChat

    url = settings.llm if _is_url(settings.llm) else SERVERS.get(settings.llm)
    if url is None:
        raise SettingsError(
            f"no language model is named {settings.llm!r}: give the URL of an OpenAI-compatible server, such as "
            f"{SERVERS['ollama']}, or one of the names {', '.join(SERVERS)}"
        )
    return OpenAIChat(_endpoint(settings, url, settings.llm_model))


def _endpoint(settings: Settings, url: str, model: str) -> "Endpoint":
    from treatise.engines.openai_client import Endpoint

    return Endpoint(url, model, settings.api_key, timeout_s=settings.timeout_s)


def _is_url(text: str) -> bool:
    return "://" in text
