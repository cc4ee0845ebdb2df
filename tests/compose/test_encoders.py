"""Engines by name; and an engine of one's own: one file that keeps the contract, and one row of the table."""

from pathlib import Path

import pytest

from treatise.compose import encoders, open_encoder, open_library, rerankers
from treatise.core.errors import SettingsError
from treatise.settings import Settings
from treatise.testing import HashingEncoder, ScriptedReranker, check_encoder, check_reranker


def test_an_encoder_of_ones_own_is_one_file_and_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_encoder(HashingEncoder)
    monkeypatch.setitem(encoders.ENCODERS, "hashing", lambda _settings: HashingEncoder())
    source = tmp_path / "spring.txt"
    source.write_text("Spring came. It rained because the wind was warm.", encoding="utf-8")
    library = open_library(Settings(), store=tmp_path / "a.db", encoder="hashing")
    assert library.ask("Why did it rain?", [source]).evidence.passages
    library.close()
    with pytest.raises(SettingsError, match="'treatise-en', 'multilingual', 'hashing', the URL"):
        open_encoder("bogus", Settings())


def test_a_reranker_of_ones_own_is_one_file_and_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_reranker(ScriptedReranker)
    monkeypatch.setitem(rerankers.RERANKERS, "scripted", lambda _settings, _model: ScriptedReranker())
    library = open_library(Settings(), store=tmp_path / "a.db", reranker="scripted")
    library.close()
    assert library.recipe.reranking is not None
    with pytest.raises(SettingsError, match="'scripted', the URL"):
        rerankers.open_reranker("bogus", Settings())
