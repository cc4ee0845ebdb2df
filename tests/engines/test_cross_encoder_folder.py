"""A cross-encoder out of a folder, here with a stand-in for the vendor's package, which takes gigabytes."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from treatise.core.errors import EngineError, EngineUnavailableError, MissingExtraError
from treatise.engines.cross_encoder_folder import CrossEncoderFolder
from treatise.testing import ScriptedReranker, check_reranker


class StandIn:
    """Refuses what does not fit into its window of twelve words."""

    max_length = 12
    n_labels = 1

    def __init__(self, folder: str, *, device: str, local_files_only: bool) -> None:
        assert device == "cpu"
        assert local_files_only
        if (Path(folder) / "config.json").read_text() != "{}":
            raise ValueError("no such architecture")

    def tokenizer(self, question: str, text: str, *, truncation: bool, verbose: bool) -> dict[str, list[str]]:
        return {"input_ids": [*question.split(), *text.split()]}

    def predict(self, pairs: list[tuple[str, str]], **_: Any) -> np.ndarray:
        if any(len(f"{question} {text}".split()) > self.max_length for question, text in pairs):
            raise RuntimeError("cut in silence")
        scores = [ScriptedReranker().score(question, [text])[0] for question, text in pairs]
        return np.array(scores if self.n_labels == 1 else [[score] * self.n_labels for score in scores])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    torch, vendor = ModuleType("torch"), ModuleType("sentence_transformers")
    torch.set_num_threads = lambda n: None  # type: ignore[attr-defined]
    vendor.CrossEncoder = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "sentence_transformers", vendor)
    (tmp_path / "config.json").write_text("{}")
    return tmp_path


def test_it_keeps_the_contract(folder: Path) -> None:
    check_reranker(lambda: CrossEncoderFolder(folder))


def test_of_a_text_in_pieces_the_best_counts(folder: Path) -> None:
    scores = CrossEncoderFolder(folder).score("green tea", ["coffee " * 50 + "green tea " + "coffee " * 50, "tea"])
    assert list(scores) == [2.0, 1.0]


def test_a_classifier_is_no_reranker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandIn, "n_labels", 3)
    with pytest.raises(EngineError, match=r"shape \(1, 3\)"):
        CrossEncoderFolder(folder).score("q", ["a"])


def test_a_model_that_fails_or_cannot_be_loaded_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StandIn, "predict", lambda *_, **__: (_ for _ in ()).throw(RuntimeError("out of memory")))
    with pytest.raises(EngineError, match="out of memory"):
        CrossEncoderFolder(folder).score("q", ["a"])
    (folder / "config.json").write_text("[1]")
    with pytest.raises(EngineUnavailableError, match="could not be loaded: no such architecture"):
        CrossEncoderFolder(folder)


def test_a_folder_without_a_model_is_refused_and_nothing_fetched(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match="not the folder of a sentence-transformers CrossEncoder"):
        CrossEncoderFolder(tmp_path)


def test_without_the_package_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[sentence-transformers\]"):
        CrossEncoderFolder(folder)
