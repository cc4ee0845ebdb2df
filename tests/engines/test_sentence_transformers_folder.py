"""An encoder out of a folder, here with a stand-in for the vendor's package, which takes gigabytes."""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from treatise.core.errors import EngineError, EngineUnavailableError, MissingExtraError
from treatise.engines.sentence_transformers_folder import SentenceTransformersFolder
from treatise.testing import HashingEncoder, check_encoder


class StandIn:
    """Cuts a text at eight words without a word, as the vendor's does at its window."""

    max_seq_length = 8
    fails = False

    def __init__(self, folder: str, *, device: str, local_files_only: bool) -> None:
        assert device == "cpu"
        assert local_files_only
        if (Path(folder) / "modules.json").read_text() != "[]":
            raise ValueError("no such architecture")

    def tokenizer(self, text: str, *, truncation: bool, verbose: bool) -> dict[str, list[str]]:
        return {"input_ids": text.split()}

    def encode(self, texts: list[str], **_: Any) -> np.ndarray:
        if self.fails:
            raise RuntimeError("out of memory")
        return HashingEncoder(16).encode([" ".join(text.split()[: self.max_seq_length]) for text in texts])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    torch, vendor = ModuleType("torch"), ModuleType("sentence_transformers")
    torch.set_num_threads = lambda n: None  # type: ignore[attr-defined]
    vendor.SentenceTransformer = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "sentence_transformers", vendor)
    (tmp_path / "modules.json").write_text("[]")
    return tmp_path


def test_it_keeps_the_contract(folder: Path) -> None:
    check_encoder(lambda: SentenceTransformersFolder(folder))


def test_a_long_text_is_read_whole(folder: Path) -> None:
    seen: list[str] = []

    class Watched(SentenceTransformersFolder):
        def _rows(self, pieces: Sequence[str]) -> Any:
            seen.extend(pieces)
            return super()._rows(pieces)

    words = [f"word{number}" for number in range(100)]
    encoder = Watched(folder)
    seen.clear()
    encoder.encode([" ".join(words)])
    assert " ".join(seen).split() == words
    assert max(len(piece.split()) for piece in seen) <= StandIn.max_seq_length


def test_a_name_that_is_no_folder_is_refused_and_nothing_fetched() -> None:
    with pytest.raises(EngineUnavailableError, match="not the folder of a sentence-transformers SentenceTransformer"):
        SentenceTransformersFolder("sentence-transformers/all-MiniLM-L6-v2")


def test_a_model_that_cannot_be_loaded_is_named(folder: Path) -> None:
    (folder / "modules.json").write_text("[1]")
    with pytest.raises(EngineUnavailableError, match="could not be loaded: no such architecture"):
        SentenceTransformersFolder(folder)


def test_a_model_that_fails_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = SentenceTransformersFolder(folder)
    monkeypatch.setattr(StandIn, "fails", True)
    with pytest.raises(EngineError, match="failed: out of memory"):
        encoder.encode(["a"])


def test_without_the_package_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[sentence-transformers\]"):
        SentenceTransformersFolder(folder)
