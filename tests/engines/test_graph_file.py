"""A graph without the shared words is, read again, the graph that was cut."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treatise
from treatise.core.errors import EngineUnavailableError
from treatise.engines.graph_file import CUT, PLACE, WHOLE, cut_words, graph_path, read_graph

MODELS = Path(treatise.__file__).parent / "models"
ENGLISH = sorted(path.parent for path in MODELS.glob("*/encoder.json") if (path.parent / "tokenizer.json").is_file())


@given(st.binary(max_size=9), st.binary(min_size=1, max_size=9), st.binary(max_size=9))
def test_a_cut_file_has_the_same_bytes_when_read(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, words: bytes, after: bytes
) -> None:
    models = tmp_path_factory.mktemp("models")
    (folder := models / "m").mkdir()
    (models / "words").mkdir()
    (table := models / "words" / "table").write_bytes(words)
    (folder / WHOLE).write_bytes(before + words + after)
    assert cut_words(folder, table)
    assert not (folder / WHOLE).exists()
    assert read_graph(folder) == before + words + after


def test_a_model_with_words_of_its_own_stays_whole(tmp_path: Path) -> None:
    (tmp_path / "table").write_bytes(b"words")
    (tmp_path / WHOLE).write_bytes(b"other")
    assert not cut_words(tmp_path, tmp_path / "table")
    assert read_graph(tmp_path) == b"other"


def test_a_copy_of_a_shipped_folder_needs_no_copy_of_the_words(tmp_path: Path) -> None:
    for name in (CUT, PLACE):
        (tmp_path / name).write_bytes((MODELS / "treatise-en" / name).read_bytes())
    assert read_graph(tmp_path) == read_graph(MODELS / "treatise-en")


def test_a_table_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / CUT).write_bytes(b"rest")
    (tmp_path / PLACE).write_text('{"table": "gone/table", "at": 2}', "utf-8")
    with pytest.raises(EngineUnavailableError, match="gone/table could not be loaded"):
        read_graph(tmp_path)


@pytest.mark.parametrize("folder", ENGLISH, ids=lambda folder: folder.name)
def test_no_model_ships_words_that_another_has(folder: Path) -> None:
    words = (MODELS / "words-en" / "words.int8").read_bytes()
    assert words not in graph_path(folder).read_bytes(), "run scripts/hash-models"
