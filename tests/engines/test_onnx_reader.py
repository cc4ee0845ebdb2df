"""The reader through onnxruntime: here one of random weights."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from treatise.core.errors import EngineUnavailableError
from treatise.core.vectors import Floats
from treatise.engines.onnx_reader import OnnxReader, OnnxReaderConfig, read_reader_config
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.read import Calibration, Decoding, Head
from treatise.testing import check_passage_reader

MODELS = Path(str(files("treatise") / "models"))
REPORT = [
    "Cash dividends, total, year ended June 30, 2019, in millions: 1,234",
    "Cash dividends, total, year ended June 30, 2018, in millions: 1,108",
    "The company is led by Maria Lindqvist, who joined it in 2004.",
    "Its factories are in Aalborg, Turku and Gothenburg.",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The encoder of the base install with a random last layer."""
    made = tmp_path_factory.mktemp("reader")
    for name in ("model-without-words.onnx", "words.json", "tokenizer.json", "encoder.json"):
        (made / name).symlink_to(MODELS / "treatise-en" / name)
    random = np.random.default_rng(1)
    weight = random.normal(size=(len(Head), 384)).astype(np.float32)
    save_file({"weight": weight, "bias": np.zeros(len(Head), np.float32)}, made / "head.safetensors")
    (made / "reader.json").write_text(OnnxReaderConfig("random", 96).text(), "utf-8")
    return made


def test_a_reader_of_random_weights_keeps_the_contract(folder: Path) -> None:
    check_passage_reader(lambda: OnnxReader(folder))


def test_one_thread_reads_as_two_do(folder: Path) -> None:
    passages = [sentence * 8 for sentence in REPORT]
    assert OnnxReader(folder, threads=1).read("Who?", passages) == OnnxReader(folder, threads=2).read("Who?", passages)


def test_each_row_is_read_alone_the_longest_first_with_the_vectors_of_a_batch(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = OnnxTokens(folder, threads=1)
    rows = [[101, *range(1_000, 1_000 + n), 102] for n in (5, 60, 20)]
    together, alone = list(tokens.read(rows)), list(tokens.read_apart(rows))
    assert all(map(np.array_equal, alone, together))

    lengths: list[list[int]] = []
    run = OnnxTokens._run

    def noted(read: OnnxTokens, rows: list[list[int]]) -> Floats:
        lengths.append([len(row) for row in rows])
        return run(read, rows)

    monkeypatch.setattr(OnnxTokens, "_run", noted)
    reader = OnnxReader(folder, threads=1)
    reader.read_each("Who?", [[one] for one in REPORT])
    assert all(len(of_run) == 1 for of_run in lengths)
    assert lengths == sorted(lengths, reverse=True)


def test_the_settings_are_read_as_they_were_written() -> None:
    config = OnnxReaderConfig("name", 128, Decoding(n_spans=3, calibration=Calibration(-1.5, -0.25, 0.125)))
    assert read_reader_config(config.text()) == config


def test_a_folder_that_lacks_a_file_is_refused_by_name(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match=r"reader\.json"):
        OnnxReader(tmp_path)
    (tmp_path / "reader.json").write_text(json.dumps({"name": "n", "window_tokens": 96}), "utf-8")
    with pytest.raises(EngineUnavailableError, match=r"reader\.json"):
        OnnxReader(tmp_path)
    (tmp_path / "reader.json").write_text((folder / "reader.json").read_text("utf-8"), "utf-8")
    with pytest.raises(EngineUnavailableError, match=r"head\.safetensors"):
        OnnxReader(tmp_path)
