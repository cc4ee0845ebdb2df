from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import treatise
from treatise import compose
from treatise.core.errors import EngineUnavailableError
from treatise.engines.span_parser import load_segmenter, load_span_parser

MODELS = Path(treatise.__file__).parent / "models"
LOADERS: dict[str, Callable[[Path], Any]] = {"parser-en": load_span_parser, "segmenter-en": load_segmenter}
OVER_A_WHEEL: dict[str, Callable[[Path], Any]] = {"parser-multi": load_span_parser, "segmenter-multi": load_segmenter}
FILES = [(name, path.name) for name in LOADERS for path in sorted((MODELS / name).glob("*.[jos]*"))]


def copied(name: str, folder: Path) -> Path:
    (folder / name).mkdir()
    for path in (MODELS / name).iterdir():
        (folder / name / path.name).symlink_to(path)
    return folder / name


@pytest.mark.parametrize("left", [b"", b"{}"])
@pytest.mark.parametrize("name", OVER_A_WHEEL)
def test_a_damaged_file_beside_an_encoder_in_a_wheel_is_named(name: str, left: bytes, tmp_path: Path) -> None:
    for file in sorted(path.name for path in (MODELS / name).glob("*.[js]*")):
        (tmp_path / file).mkdir()
        folder = copied(name, tmp_path / file)
        (folder / file).unlink()
        (folder / file).write_bytes(left)
        with pytest.raises(EngineUnavailableError) as caught:
            OVER_A_WHEEL[name](folder)
        assert str(caught.value).startswith(f"{folder / file} could not be loaded: ")


@pytest.mark.parametrize("left", [None, b"", b"{}"])
@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_file_that_is_missing_or_damaged_is_named(name: str, file: str, left: bytes | None, tmp_path: Path) -> None:
    folder = copied(name, tmp_path)
    (folder / file).unlink()
    if left is not None:
        (folder / file).write_bytes(left)
    with pytest.raises(EngineUnavailableError) as caught:
        LOADERS[name](folder)
    assert str(caught.value).startswith(f"{folder / file} could not be loaded: ")


def test_a_model_whose_shape_cannot_be_read_is_an_error_of_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compose.parsers, "MODELS", tmp_path)
    with pytest.raises(EngineUnavailableError, match=r"parser-en.parser\.json could not be loaded"):
        compose.open_text_parser()
