"""Encoders by name, URL or folder."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.compose.places import MODELS, endpoint, is_url
from treatise.core.errors import SettingsError
from treatise.core.installed import has_multilingual
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import Encoder

BUILT_IN_ENCODER: Final = "treatise-en"
MULTILINGUAL_ENCODER: Final = "multilingual"


def open_encoder(name: str | None = None, settings: Settings | None = None) -> "Encoder":
    """The encoder with that name, URL or folder; by default the one in the settings.

    If the settings name a separate encoder or prefixes for questions, both are opened as one ``PairedEncoder``.

    Raises:
        SettingsError: If it is none of the three, or the vectors of two encoders differ in length.
        EngineError: If it cannot be loaded.
        MissingExtraError: If it needs an optional dependency.
    """
    settings = settings or load_settings()
    passages = _one_encoder(name or settings.encoder, settings.encoder_model, settings)
    if not (settings.question_encoder or settings.question_prefix or settings.passage_prefix):
        return passages
    from treatise.engines.paired import PairedEncoder

    separate = settings.question_encoder
    return PairedEncoder(
        passages,
        _one_encoder(separate, settings.question_encoder_model, settings) if separate else passages,
        passage_prefix=settings.passage_prefix,
        question_prefix=settings.question_prefix,
    )


def cross_lingual_encoder(name: str | None, settings: Settings) -> "Callable[[], Encoder] | None":
    """Opens the multilingual encoder; None if another one is chosen or its extra is not installed."""
    if name is not None or settings.encoder != BUILT_IN_ENCODER or not has_multilingual():
        return None
    return partial(_multilingual, settings)


def _one_encoder(name: str, model: str, settings: Settings) -> "Encoder":
    if name in ENCODERS:
        return ENCODERS[name](settings)
    if is_url(name):
        from treatise.engines.openai_embeddings import OpenAIEmbeddings

        return OpenAIEmbeddings(endpoint(settings, name, model))
    folder = Path(name)
    if (folder / "encoder.json").is_file():
        return _onnx(folder, settings)
    if folder.is_dir():
        from treatise.engines.sentence_transformers_folder import SentenceTransformersFolder

        return SentenceTransformersFolder(folder, threads=settings.threads)
    raise SettingsError(
        f"no encoder is named {name!r}: give {', '.join(map(repr, ENCODERS))}, the URL of an OpenAI-compatible server, "
        "or the folder of a model"
    )


def _onnx(folder: Path, settings: Settings) -> "Encoder":
    from treatise.engines.onnx_encoder import OnnxEncoder

    return OnnxEncoder(folder, threads=settings.threads)


def _multilingual(settings: Settings) -> "Encoder":
    from treatise.engines.e5 import open_e5_encoder

    return open_e5_encoder(threads=settings.threads)


ENCODERS: Final[dict[str, Callable[[Settings], "Encoder"]]] = {
    BUILT_IN_ENCODER: lambda settings: _onnx(MODELS / BUILT_IN_ENCODER, settings),
    MULTILINGUAL_ENCODER: _multilingual,
}
"""Encoders by name."""
