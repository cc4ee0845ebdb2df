"""The trained reader from names and folders."""

from pathlib import Path

import pytest

from treatise.compose.readers import open_reader
from treatise.core.errors import SettingsError
from treatise.settings import Settings


def test_no_reader_can_be_chosen() -> None:
    assert open_reader("none") is None
    assert open_reader(settings=Settings(reader="none")) is None


def test_an_unknown_reader_is_named() -> None:
    with pytest.raises(SettingsError, match="no reader is named 'nothing-here'"):
        open_reader("nothing-here")


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=str(tmp_path)):
        open_reader(str(tmp_path))
