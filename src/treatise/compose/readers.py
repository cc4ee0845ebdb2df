"""The trained reader, by name or folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.compose.places import MODELS
from treatise.core.errors import SettingsError
from treatise.core.installed import has_multilingual
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import ClaimJudge, PassageReader

BUILT_IN_READER: Final = "reader-en"
NO_READER: Final = "none"

_SHIPPED: Final = MODELS / BUILT_IN_READER
_MULTILINGUAL: Final = MODELS / "reader-multi"


def open_reader(name: str | None = None, settings: Settings | None = None) -> "PassageReader | None":
    """The reader with that name or folder; by default the one in the settings, else the shipped one.

    Args:
        name: ``"reader-en"``, ``"none"``, or a folder that `treatise train span-reader` wrote.
        settings: The source of name and threads; by default those of the settings file and the environment.

    Returns:
        None for ``"none"``, or if nothing is named and none is shipped: answers then quote the best sentences.

    Raises:
        SettingsError: If it is none of these.
        EngineError: If it cannot be loaded.
    """
    settings = settings or load_settings()
    name = name or settings.reader or (BUILT_IN_READER if _SHIPPED.is_dir() else NO_READER)
    if name == NO_READER:
        return None
    folder = _SHIPPED if name == BUILT_IN_READER else Path(name)
    if not folder.is_dir():
        raise SettingsError(
            f"no reader is named {name!r}: give {BUILT_IN_READER!r}, {NO_READER!r}, or the folder of a reader"
        )
    from treatise.engines.onnx_reader import OnnxReader

    return OnnxReader(folder, threads=settings.threads)


def open_multilingual_reader(settings: Settings | None = None) -> "PassageReader | None":
    """The reader for documents that are not in English; None without the extra ``multilingual``, or if the settings
    name another reader than the shipped ones.

    Raises:
        EngineError: If it cannot be loaded.
    """
    settings = settings or load_settings()
    is_other = settings.reader not in ("", BUILT_IN_READER)
    if is_other or not has_multilingual() or not _MULTILINGUAL.is_dir():
        return None
    from treatise.engines.onnx_reader import OnnxReader

    return OnnxReader(_MULTILINGUAL, threads=settings.threads)


def judge_in(reader: "PassageReader | None") -> "ClaimJudge | None":
    """The reader itself if its weights also judge claims, else None."""
    if reader is None:
        return None
    from treatise.engines.onnx_reader import OnnxReader

    return reader if isinstance(reader, OnnxReader) and reader.has_verdicts else None
