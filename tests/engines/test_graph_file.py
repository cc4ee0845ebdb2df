"""A graph that takes the shared words as input computes what the whole graph computes."""

from pathlib import Path

import pytest

import treatise
from treatise.core.errors import EngineUnavailableError
from treatise.engines.graph_file import CUT, PLACE, WHOLE, cut_words, graph_path, read_whole, words_of
from treatise.engines.onnx_tokens import OnnxTokens

MODELS = Path(treatise.__file__).parent / "models"
ENGLISH = sorted(path.parent for path in MODELS.glob("*/encoder.json") if (path.parent / "tokenizer.json").is_file())
TABLE = MODELS / "words-en" / "words.int8"
ROWS = [[101, 2043, 2106, 1996, 3910, 102], [101, 102]]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A folder with the whole graph of a shipped model."""
    pytest.importorskip("onnx")
    folder = copied(tmp_path / "m", ("encoder.json", "tokenizer.json"))
    (folder / WHOLE).write_bytes(read_whole(MODELS / "parser-en"))
    return folder


def copied(folder: Path, names: tuple[str, ...]) -> Path:
    """A folder with these files of a shipped model."""
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes((MODELS / "parser-en" / name).read_bytes())
    return folder


def vectors(folder: Path) -> list[bytes]:
    return [one.tobytes() for one in OnnxTokens(folder).read(ROWS)]


def test_a_whole_graph_and_a_cut_one_have_the_same_vectors(whole: Path) -> None:
    assert words_of(whole) is None
    before = vectors(whole)
    assert cut_words(whole, TABLE)
    assert not (whole / WHOLE).exists()
    assert vectors(whole) == before == vectors(MODELS / "parser-en")


def test_a_graph_that_was_cut_is_that_of_the_training_again(whole: Path) -> None:
    before = read_whole(whole)
    assert cut_words(whole, TABLE)
    assert read_whole(whole) == before


def test_a_model_with_words_of_its_own_stays_whole(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "table").write_bytes(b"other")
    assert not cut_words(whole, tmp_path / "table")
    assert (whole / WHOLE).exists()


def test_a_copy_of_a_shipped_folder_needs_no_copy_of_the_words(tmp_path: Path) -> None:
    folder = copied(tmp_path / "m", (CUT, PLACE))
    words = words_of(folder)
    assert words is not None
    assert words.shape == (30_522, 384)
    assert words.tobytes() == TABLE.read_bytes()


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ('{"table": "gone/table", "dim": 384}', "gone/table could not be loaded"),
        ('{"table": "words-en/words.int8", "dim": 383}', "words.int8 could not be loaded"),
        ('{"table": "words-en/words.int8"}', "words.json could not be loaded: 'dim' is missing"),
    ],
)
def test_a_table_that_is_missing_or_has_another_shape_is_named(tmp_path: Path, place: str, message: str) -> None:
    (tmp_path / CUT).write_bytes(b"rest")
    (tmp_path / PLACE).write_text(place, "utf-8")
    with pytest.raises(EngineUnavailableError, match=message):
        words_of(tmp_path)


@pytest.mark.parametrize("folder", ENGLISH, ids=lambda folder: folder.name)
def test_no_model_ships_words_that_another_has(folder: Path) -> None:
    words = TABLE.read_bytes()
    assert words not in graph_path(folder).read_bytes(), "run scripts/hash-models"
