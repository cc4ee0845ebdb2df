"""Settings to objects: the only place that knows the names of engines, models and servers."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import ChunkParser, Encoder, LanguageModel, Parser, Store
    from treatise.core.recipe import Recipe
    from treatise.engines.openai_client import Endpoint
    from treatise.enhance import Budget
    from treatise.parse.parser import TextParser
    from treatise.parse.segment import Segmenter
    from treatise.parse.spans import SpanParser
    from treatise.pipeline import Library

BUILT_IN_ENCODER: Final = "treatise-en"

SERVERS: Final = {
    "llama.cpp": "http://localhost:8080/v1",
    "lm-studio": "http://localhost:1234/v1",
    "ollama": "http://localhost:11434/v1",
    "openai": "https://api.openai.com/v1",
    "vllm": "http://localhost:8000/v1",
}
"""Where the servers that ``--llm`` knows by name listen, unless they were told otherwise."""

_MODELS: Final = Path(__file__).parent / "models"
_PARSERS: Final = {"en": "parser-en"}


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
        encoder: ``"treatise-en"`` (built in), the URL of an OpenAI-compatible server, or the
            folder of a model: one that `treatise train encoder` wrote, or of sentence-transformers.
        llm: The URL or the name of a server whose language model writes the answers; without one they are quoted.
        llm_model: Which of that server's models.

    Raises:
        SettingsError: Where a setting, a URL or a name is not one that we know.
        RecipeError: Where no recipe has that name.
        StoreError: Where the store cannot be opened.
        EngineError: Where the encoder cannot be loaded.
        MissingExtraError: Where an engine needs an optional dependency.
    """
    from treatise.core.planning import TreesBy
    from treatise.core.recipe import Recipe, TreeShape
    from treatise.pipeline import Library
    from treatise.recipes import recipe_named

    settings = settings or load_settings()
    settings = replace(
        settings,
        llm=settings.llm if llm is None else llm,
        llm_model=settings.llm_model if llm_model is None else llm_model,
    )
    chosen = recipe if isinstance(recipe, Recipe) else recipe_named(recipe or settings.recipe)
    model = _language_model(settings) if settings.llm else None
    made_encoder = open_encoder(encoder, settings)
    parser = open_parser(settings) if chosen.indexing.tree is TreeShape.DISCOURSE else None
    wants_trees = chosen.planning.trees is TreesBy.PARSER or (chosen.planning.trees is TreesBy.LLM and model is None)
    return Library(
        store=open_store(store, settings),
        encoder=made_encoder,
        recipe=chosen,
        parser=parser,
        model=model,
        budget=_budget(settings),
        chunk_parser=open_chunk_parser(settings) if wants_trees else None,
    )


def open_store(path: str | Path | None = None, settings: Settings | None = None) -> "Store":
    """The store at a path; by default the one that the settings name, or the platform's usual place.

    Raises:
        StoreError: Where it cannot be opened.
    """
    from treatise.store import SqliteStore, default_path

    return SqliteStore(path or (settings or load_settings()).store or default_path())


def open_encoder(name: str | None = None, settings: Settings | None = None) -> "Encoder":
    """The encoder of that name, URL or folder; by default the one that the settings name.

    Raises:
        SettingsError: Where it is none of the three.
        EngineError: Where it cannot be loaded.
        MissingExtraError: Where it needs an optional dependency.
    """
    settings = settings or load_settings()
    name = name or settings.encoder
    folder = _MODELS / name if name == BUILT_IN_ENCODER else Path(name)
    if _is_url(name):
        from treatise.engines.openai_embeddings import OpenAIEmbeddings

        return OpenAIEmbeddings(_endpoint(settings, name, settings.encoder_model))
    if (folder / "encoder.json").is_file():
        from treatise.engines.onnx_encoder import OnnxEncoder

        return OnnxEncoder(folder, threads=settings.threads)
    if folder.is_dir():
        from treatise.engines.sentence_transformers_folder import SentenceTransformersFolder

        return SentenceTransformersFolder(folder, threads=settings.threads)
    raise SettingsError(
        f"no encoder is named {name!r}: give {BUILT_IN_ENCODER!r}, the URL of an OpenAI-compatible server, or the "
        "folder of a model"
    )


def open_text_parser(settings: Settings | None = None) -> "TextParser":
    """The trained parser where one knows the text's language; elsewhere each unit is joined to all that follow.

    Raises:
        EngineError: Where a model cannot be loaded.
    """
    from treatise.parse.by_language import ParserByLanguage
    from treatise.parse.parser import TransitionParser
    from treatise.parse.scorer import NullScorer

    return ParserByLanguage(_span_parsers(settings or load_settings()), other=TransitionParser(NullScorer()))


def open_segmenter(settings: Settings | None = None) -> "Segmenter":
    """What cuts sentences into EDUs: the trained model of their language, else rules of punctuation and connectives.

    Raises:
        EngineError: Where a model cannot be loaded.
    """
    from treatise.parse.by_language import SegmenterByLanguage
    from treatise.parse.segment import RuleSegmenter

    return SegmenterByLanguage(_span_parsers(settings or load_settings()), other=RuleSegmenter())


def open_parser(settings: Settings | None = None) -> "Parser":
    """The parser of documents, over their sentences.

    Raises:
        EngineError: Where a model cannot be loaded.
    """
    from treatise.parse.parser import DocumentParser

    return DocumentParser(open_text_parser(settings))


def open_chunk_parser(settings: Settings | None = None) -> "ChunkParser":
    """The parser of retrieved chunks, over their EDUs.

    Raises:
        EngineError: Where a model cannot be loaded.
    """
    from treatise.parse.by_language import ParserByLanguage, SegmenterByLanguage
    from treatise.parse.chunks import EduChunkParser
    from treatise.parse.parser import TransitionParser
    from treatise.parse.scorer import NullScorer
    from treatise.parse.segment import RuleSegmenter

    models = _span_parsers(settings or load_settings())
    segmenter = SegmenterByLanguage(models, other=RuleSegmenter())
    return EduChunkParser(segmenter, ParserByLanguage(models, other=TransitionParser(NullScorer())))


def open_language_model(name: str, model: str | None = None, settings: Settings | None = None) -> "LanguageModel":
    """The language model of that URL or name; ``model`` names one of that server's.

    Raises:
        SettingsError: Where it is neither.
        MissingExtraError: Where it needs an optional dependency.
    """
    settings = settings or load_settings()
    return _language_model(replace(settings, llm=name, llm_model=settings.llm_model if model is None else model))


def _span_parsers(settings: Settings) -> "dict[str, SpanParser]":
    from treatise.engines.span_parser import load_span_parser

    return {language: load_span_parser(_MODELS / name, threads=settings.threads) for language, name in _PARSERS.items()}


def _language_model(settings: Settings) -> "LanguageModel":
    from treatise.engines.openai_chat import OpenAIChat
    from treatise.engines.pacing import RateLimit

    if settings.llm.endswith(".gguf"):
        from treatise.engines.llama import LlamaChat

        return LlamaChat(Path(settings.llm), context_tokens=settings.llm_window or 4_096, threads=settings.threads)
    url = settings.llm if _is_url(settings.llm) else SERVERS.get(settings.llm)
    if url is None:
        raise SettingsError(
            f"no language model is named {settings.llm!r}: give the URL of an OpenAI-compatible server, such as "
            f"{SERVERS['ollama']}, a file that ends in .gguf, or one of the names {', '.join(SERVERS)}"
        )
    limit = RateLimit(settings.requests_per_minute, settings.tokens_per_minute)
    return OpenAIChat(_endpoint(settings, url, settings.llm_model), settings.llm_window, limit)


def _budget(settings: Settings) -> "Budget":
    from treatise.enhance import Budget, Price

    prices = settings.prompt_price, settings.completion_price
    return Budget(
        max_calls=settings.max_calls if settings.max_calls >= 0 else None,
        max_cost=settings.max_cost if settings.max_cost >= 0 else None,
        price=Price(*prices) if any(prices) else None,
    )


def _endpoint(settings: Settings, url: str, model: str) -> "Endpoint":
    from treatise.engines.openai_client import Endpoint

    return Endpoint(url, model, settings.api_key, timeout_s=settings.timeout_s, concurrency=settings.concurrency)


def _is_url(text: str) -> bool:
    return "://" in text
