"""Parsers and segmenters: the shipped ones by language, or one from a folder."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from treatise.compose.places import MODELS
from treatise.core.errors import MissingExtraError, SettingsError
from treatise.core.installed import has_large, has_multilingual, large_need
from treatise.settings import ENSEMBLE, LARGE, TRANSITION, Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import ChunkParser, Parser
    from treatise.core.recipe import ParsedBy
    from treatise.parse.by_language import Note, ParsingModel
    from treatise.parse.parser import TextParser
    from treatise.parse.segment import Segmenter

_PARSERS: Final = {"en": "parser-en"}
_LARGE_PARSERS: Final = {"en": "parser-large"}
_SEGMENTERS: Final = {"en": "segmenter-en"}
_LARGE_SEGMENTERS: Final = {"en": "segmenter-large"}
_MULTILINGUAL: Final = "parser-multi"
_MULTILINGUAL_SEGMENTER: Final = "segmenter-multi"
_PAPERS: Final = {"transition": "transition-children", "transition-leaves": "transition-leaves"}
"""Folders of the parsers of DISRetrieval, by ``core.recipe.ParsedBy``."""
_MODEL_FILES: Final = ("*.json", "*.onnx", "*.safetensors")

_Model = TypeVar("_Model")


def open_text_parser(settings: Settings | None = None, *, note: "Note | None" = None) -> "TextParser":
    """The parser from the settings' folder; else the one for each text's language, or the multilingual one with its
    extra. With ``parser = "large"`` English texts are parsed by the one over a larger encoder; with ``"ensemble"`` by
    that one, or if its extra is not installed by the usual one, together with the multilingual one.

    Without a parser, each unit is joined to all that follow, and ``note`` is called with the language.

    Raises:
        SettingsError: If the settings name a folder without a parser.
        MissingExtraError: If they name a parser whose extra is not installed.
        EngineError: If a model cannot be loaded.
    """
    settings = settings or load_settings()
    return _text_parser(settings, note)


def open_segmenter(settings: Settings | None = None, *, note: "Note | None" = None) -> "Segmenter":
    """The segmenter from the settings' folder; else the one for each sentence's language, or the multilingual one with
    its extra.

    Without a segmenter, EDUs are cut by punctuation and connectives, and ``note`` is called with the language.

    Raises:
        SettingsError: If the settings name a folder without a segmenter.
        MissingExtraError: If they name the large one and its extra is not installed.
        EngineError: If a model cannot be loaded.
    """
    settings = settings or load_settings()
    return _segmenter(settings, note)


def open_parser(settings: Settings | None = None) -> "Parser":
    """The parser of documents, over their sentences; see :func:`open_text_parser`."""
    from treatise.parse.parser import DocumentParser

    return DocumentParser(open_text_parser(settings))


def open_paragraph_parser(settings: Settings | None = None) -> "Parser":
    """The parser of English paragraphs, loaded when it is first used."""
    from treatise.parse.parser import DocumentParser

    settings = settings or load_settings()
    return DocumentParser(_text_parser(settings, is_english=True))


def open_papers_parser(name: "ParsedBy", settings: Settings | None = None) -> "Parser":
    """DISRetrieval's parser, over sentences. It is of English, and the settings' parser does not replace it.

    Raises:
        EngineUnavailableError: On the first document, if the model cannot be loaded.
    """
    from treatise.parse.parser import DocumentParser

    return DocumentParser(_transition_parser(MODELS / _PAPERS[name], settings or load_settings()))


def open_chunk_parser(settings: Settings | None = None) -> "ChunkParser":
    """The parser of retrieved chunks, over their EDUs; see :func:`open_text_parser` and :func:`open_segmenter`."""
    from treatise.parse.chunks import EduChunkParser

    settings = settings or load_settings()
    return EduChunkParser(_segmenter(settings), _text_parser(settings))


def _text_parser(settings: Settings, note: "Note | None" = None, *, is_english: bool = False) -> "TextParser":
    from treatise.parse.by_language import ParserByLanguage
    from treatise.parse.parser import TransitionParser
    from treatise.parse.scorer import NullScorer

    if settings.parser in TRANSITION:
        return _transition_parser(MODELS / settings.parser, settings)
    if settings.parser not in ("", ENSEMBLE, LARGE):
        return _from_folder(settings.parser, "parser", PARSER_FOLDERS, settings)
    is_large = _is_large(settings.parser, "the large parser") or (settings.parser == ENSEMBLE and has_large())
    open_one = _ensemble if settings.parser == ENSEMBLE else _span_parser
    folders = _LARGE_PARSERS if is_large else _PARSERS
    parsers = {language: open_one(MODELS / name, settings) for language, name in folders.items()}
    if not is_english and _has(_MULTILINGUAL):
        return ParserByLanguage(parsers, other=_span_parser(MODELS / _MULTILINGUAL, settings))
    return ParserByLanguage(parsers, other=TransitionParser(NullScorer()), note=note)


def _segmenter(settings: Settings, note: "Note | None" = None) -> "Segmenter":
    from treatise.parse.by_language import SegmenterByLanguage
    from treatise.parse.segment import RuleSegmenter

    if settings.segmenter not in ("", LARGE):
        return _from_folder(settings.segmenter, "segmenter", SEGMENTER_FOLDERS, settings)
    folders = _LARGE_SEGMENTERS if _is_large(settings.segmenter, "the large segmenter") else _SEGMENTERS
    segmenters = {language: _token_segmenter(MODELS / name, settings) for language, name in folders.items()}
    if _has(_MULTILINGUAL_SEGMENTER):
        return SegmenterByLanguage(segmenters, other=_token_segmenter(MODELS / _MULTILINGUAL_SEGMENTER, settings))
    return SegmenterByLanguage(segmenters, other=RuleSegmenter(), note=note)


def _is_large(name: str, what: str) -> bool:
    """Whether the large model is named.

    Raises:
        MissingExtraError: If it is, and cannot be read here.
    """
    if name == LARGE and not has_large():
        raise MissingExtraError(large_need(what), LARGE)
    return name == LARGE


def _has(multilingual: str) -> bool:
    """Whether a model of many languages is shipped, and the extra that it needs installed."""
    return has_multilingual() and (MODELS / multilingual).is_dir()


def _from_folder(
    name: str, what: str, kinds: dict[str, Callable[[Path, Settings, str], _Model]], settings: Settings
) -> _Model:
    """The model in a folder; its name contains a hash of its files, so that no two models share an index."""
    folder = Path(name).expanduser()
    for file, opener in kinds.items():
        if (folder / file).is_file():
            return opener(folder, settings, f" {_content_hash(folder)}")
    found = "there is no such folder" if not folder.is_dir() else f"it holds none of {', '.join(kinds)}"
    raise SettingsError(f"{name} is no {what}: {found}. Give a folder that `treatise train` wrote")


def _content_hash(folder: Path) -> str:
    """A hash of the names and bytes of a model's files."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _MODEL_FILES for path in folder.glob(pattern)):
        digest.update(f"{path.name} {path.stat().st_size}\n".encode())
        for block in _blocks(path):
            digest.update(block)
    return digest.hexdigest()[:16]


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            yield block


def _span_parser(folder: Path, settings: Settings, suffix: str = "") -> "ParsingModel":
    """Loads a parser on the first text of its language, so that unused parsers cost neither time nor memory."""
    from treatise.engines.span_parser import load_span_parser, read_config
    from treatise.parse.by_language import ParsingModelOnFirstUse
    from treatise.parse.spans.parser import parser_name

    name = parser_name(read_config(folder)) + suffix
    return ParsingModelOnFirstUse(name, lambda: load_span_parser(folder, threads=settings.threads))


def _ensemble(folder: Path, settings: Settings) -> "TextParser":
    """The parser in a folder and the multilingual one together, loaded on the first text."""
    from treatise.engines.span_parser import load_span_parser, read_config
    from treatise.parse.by_language import ParserOnFirstUse
    from treatise.parse.spans.ensemble import SpanEnsemble
    from treatise.parse.spans.parser import parser_name

    if not has_multilingual():
        raise MissingExtraError("the ensemble of parsers", "multilingual")
    folders = [folder, MODELS / _MULTILINGUAL]
    name = "+".join(parser_name(read_config(one)) for one in folders)
    threads = settings.threads
    return ParserOnFirstUse(name, lambda: SpanEnsemble([load_span_parser(one, threads=threads) for one in folders]))


def _transition_parser(folder: Path, settings: Settings, suffix: str = "") -> "TextParser":
    from treatise.engines.mean_scorer import load_mean_scorer, read_scorer_config
    from treatise.parse.by_language import ParserOnFirstUse
    from treatise.parse.parser import TransitionParser

    name = f"transition/mean/{read_scorer_config(folder).name}{suffix}"
    return ParserOnFirstUse(name, lambda: TransitionParser(load_mean_scorer(folder, threads=settings.threads)))


def _token_segmenter(folder: Path, settings: Settings, suffix: str = "") -> "Segmenter":
    """Loads a segmenter on the first sentence that needs it: parsing sentences needs none."""
    from treatise.engines.span_parser import load_segmenter, read_segmenter_config
    from treatise.parse.by_language import SegmenterOnFirstUse

    name = read_segmenter_config(folder).name + suffix
    return SegmenterOnFirstUse(name, lambda: load_segmenter(folder, threads=settings.threads))


PARSER_FOLDERS: Final[dict[str, Callable[[Path, Settings, str], "TextParser"]]] = {
    "parser.json": _span_parser,
    "scorer.json": _transition_parser,
}
"""Loaders of parsers, by a file in their folders."""

SEGMENTER_FOLDERS: Final[dict[str, Callable[[Path, Settings, str], "Segmenter"]]] = {
    "segmenter.json": _token_segmenter,
    "parser.json": _span_parser,
}
"""Loaders of segmenters, by a file in their folders; a span parser segments too."""
