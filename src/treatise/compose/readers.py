"""The trained readers of passages and of tables, by name or folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.compose.places import MODELS
from treatise.core.errors import MissingExtraError, SettingsError
from treatise.core.installed import has_large, has_multilingual, large_need
from treatise.settings import LARGE, Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import ClaimJudge, PassageReader, TableReader

BUILT_IN_READER: Final = "reader-en"
NO_READER: Final = "none"

_SHIPPED: Final = MODELS / BUILT_IN_READER
_LARGE: Final = MODELS / "reader-large"
_MULTILINGUAL: Final = MODELS / "reader-multi"
_OF_TABLES: Final = MODELS / "tables-en"


def open_reader(name: str | None = None, settings: Settings | None = None) -> "PassageReader | None":
    """The reader with that name or folder; by default the one in the settings, else the shipped one.

    Args:
        name: ``"reader-en"``, ``"large"``, ``"none"``, or a folder that `treatise train span-reader` wrote.
        settings: The source of name and threads; by default those of the settings file and the environment.

    Returns:
        None for ``"none"``, or if nothing is named and none is shipped: answers then quote the best sentences.

    Raises:
        SettingsError: If it is none of these.
        MissingExtraError: If it is the large one, and its extra is not installed.
        EngineError: If it cannot be loaded.
    """
    settings = settings or load_settings()
    name = name or settings.reader or (BUILT_IN_READER if _SHIPPED.is_dir() else NO_READER)
    if name == NO_READER:
        return None
    if name == LARGE and not has_large():
        raise MissingExtraError(large_need("the large reader"), LARGE)
    folder = {BUILT_IN_READER: _SHIPPED, LARGE: _LARGE}.get(name, Path(name))
    if not folder.is_dir():
        known = f"{BUILT_IN_READER!r}, {LARGE!r}, {NO_READER!r}"
        raise SettingsError(f"no reader is named {name!r}: give {known}, or the folder of a reader")
    from treatise.engines.onnx_reader import OnnxReader

    return OnnxReader(folder, threads=settings.threads)


def open_multilingual_reader(settings: Settings | None = None) -> "PassageReader | None":
    """The reader for documents that are not in English; None without the extra ``multilingual``, or if the settings
    name another reader than the shipped ones.

    Raises:
        EngineError: If it cannot be loaded.
    """
    settings = settings or load_settings()
    is_other = settings.reader not in ("", BUILT_IN_READER, LARGE)
    if is_other or not has_multilingual() or not _MULTILINGUAL.is_dir():
        return None
    from treatise.engines.onnx_reader import OnnxReader

    return OnnxReader(_MULTILINGUAL, threads=settings.threads)


def open_judge(reader: "PassageReader | None", settings: Settings) -> "ClaimJudge | None":
    """The reader itself if its weights also judge claims; beside the large one ``reader-en``, which judges better."""
    if reader is None:
        return None
    from treatise.engines.onnx_reader import OnnxReader

    if settings.reader == LARGE:
        reader = open_reader(BUILT_IN_READER, settings)
    return reader if isinstance(reader, OnnxReader) and reader.has_verdicts else None


def open_table_reader(settings: Settings | None = None) -> "TableReader | None":
    """The shipped reader of tables for English questions; None if the settings want no reader, or it is not shipped.

    Raises:
        EngineError: If it cannot be loaded.
    """
    if (settings or load_settings()).reader == NO_READER or not _OF_TABLES.is_dir():
        return None
    from treatise.engines.program_reader import ProgramReader

    return ProgramReader(_OF_TABLES)
