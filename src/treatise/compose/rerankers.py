"""Rerankers by name, URL or folder."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.compose.encoders import BUILT_IN_ENCODER
from treatise.compose.places import MODELS, endpoint, is_url
from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import LanguageModel, Reranker

BUILT_IN_RERANKER: Final = "reranker-en"
LATE_INTERACTION: Final = "late-interaction"
LISTWISE: Final = "listwise"

_TIMEOUT_S: Final = 20.0
"""A reranker only improves an existing order: it is not worth a long wait."""


def open_reranker(
    name: str | None = None, settings: Settings | None = None, model: "LanguageModel | None" = None
) -> "Reranker | None":
    """The reranker with that name, URL or folder; by default the one in the settings, else the shipped one.

    Args:
        name: ``"reranker-en"``, ``"late-interaction"`` over the built-in encoder, ``"listwise"`` by the language model,
            the URL of a server with ``/rerank``, or a folder: an ONNX cross-encoder or one of sentence-transformers.
        settings: The source of names and threads; by default those of the settings file and the environment.
        model: The language model for ``"listwise"``.

    Returns:
        None if nothing is named and none is shipped.

    Raises:
        SettingsError: If it is none of these.
        EngineError: If it cannot be loaded.
        MissingExtraError: If it needs an optional dependency.
    """
    settings = settings or load_settings()
    name = name or settings.reranker
    if not name:
        return _folder(_SHIPPED, settings) if _SHIPPED.is_dir() else None
    if name in _available():
        return RERANKERS[name](settings, model)
    if is_url(name):
        from treatise.engines.rerank_server import RerankServer

        server = endpoint(settings, name, settings.reranker_model)
        return RerankServer(replace(server, timeout_s=min(_TIMEOUT_S, settings.timeout_s), max_retries=1))
    if Path(name).is_dir():
        return _folder(Path(name), settings)
    raise SettingsError(
        f"no reranker is named {name!r}: give {', '.join(map(repr, _available()))}, the URL of a server with /rerank, "
        "or the folder of a cross-encoder"
    )


def _folder(folder: Path, settings: Settings) -> "Reranker":
    if (folder / "model.onnx").is_file() or (folder / "onnx" / "model.onnx").is_file():
        from treatise.engines.onnx_reranker import OnnxReranker

        return OnnxReranker(folder, threads=settings.threads)
    from treatise.engines.cross_encoder_folder import CrossEncoderFolder

    return CrossEncoderFolder(folder, threads=settings.threads)


def _late_interaction(settings: Settings, _model: "LanguageModel | None") -> "Reranker":
    from treatise.engines.late_interaction import LateInteraction

    return LateInteraction(MODELS / BUILT_IN_ENCODER, threads=settings.threads)


def _listwise(_settings: Settings, model: "LanguageModel | None") -> "Reranker":
    from treatise.engines.listwise_reranker import ListwiseReranker

    if model is None:
        raise SettingsError("reranking by list needs a language model: name one with --llm")
    return ListwiseReranker(model)


_SHIPPED: Final = MODELS / BUILT_IN_RERANKER

RERANKERS: Final[dict[str, Callable[[Settings, "LanguageModel | None"], "Reranker"]]] = {
    BUILT_IN_RERANKER: lambda settings, _: _folder(_SHIPPED, settings),
    LATE_INTERACTION: _late_interaction,
    LISTWISE: _listwise,
}
"""Rerankers by name; the built-in one may be missing from an installation."""


def _available() -> list[str]:
    return [name for name in RERANKERS if name != BUILT_IN_RERANKER or _SHIPPED.is_dir()]
