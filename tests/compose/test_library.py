"""Settings to objects."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from treatise.compose import SERVERS, engines_for_workers, open_encoder, open_library, open_reranker, open_store
from treatise.core.errors import EngineUnavailableError, RecipeError, SettingsError, StoreError
from treatise.core.recipe import Discourse, Indexing, Reranking
from treatise.pipeline.engines import Engines
from treatise.recipes import BALANCED, TREATISE
from treatise.settings import Settings
from treatise.testing import HashingEncoder, ScriptedModel


def test_arguments_win_over_settings(tmp_path: Path) -> None:
    settings = Settings(store=tmp_path / "a.db", recipe="bisection")
    library = open_library(settings, store=tmp_path / "b.db", recipe="balanced")
    library.close()
    assert library.recipe == BALANCED
    assert (tmp_path / "b.db").exists()
    assert not (tmp_path / "a.db").exists()


def test_settings_decide_what_arguments_leave_open(tmp_path: Path) -> None:
    library = open_library(Settings(store=tmp_path / "a.db", recipe="bisection"))
    library.close()
    assert library.recipe.slug == "bisection"
    assert (tmp_path / "a.db").exists()


def test_workers_have_the_prior_of_the_settings_unless_another_is_named() -> None:
    def prior(**options: str) -> str:
        opener = engines_for_workers(TREATISE, Settings(prior="large", reader="large"), **options)
        settings = opener.args[1]  # type: ignore[attr-defined]  # a partial of open_engines
        assert (settings.reader, settings.threads) == ("none", 1)
        return str(settings.prior)

    assert (prior(), prior(prior="")) == ("large", "")


def _slow_reader(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Makes every reader take a while to load; the list says what happened."""
    happened: list[str] = []

    def load(_engines: Engines) -> None:
        happened.append("begun")
        time.sleep(0.5)
        happened.append("loaded")

    monkeypatch.setattr(Engines, "load_reader", load)
    return happened


def test_no_thread_loads_a_reader_after_the_library_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened = _slow_reader(monkeypatch)
    open_library(Settings(), store=tmp_path / "a.db", answers=True).close()
    assert happened in ([], ["begun", "loaded"])
    time.sleep(0.2)
    assert happened in ([], ["begun", "loaded"])


def test_no_thread_loads_a_reader_if_the_store_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened = _slow_reader(monkeypatch)
    with pytest.raises(StoreError):
        open_library(Settings(), store=tmp_path, answers=True)
    assert happened in ([], ["begun", "loaded"])


def test_the_environment_is_written_before_the_thread_that_loads_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    found: list[bool] = []

    def opened(*_: object, **__: object) -> Engines:
        found.append(os.environ.get("ORT_DISABLE_TELEMETRY") == "1")
        return Engines(HashingEncoder(8))

    monkeypatch.setattr("treatise.compose.library.open_engines", opened)
    open_library(Settings(), store=tmp_path / "a.db").close()
    assert found == [True]


def test_a_recipe_may_be_a_value(tmp_path: Path) -> None:
    mine = replace(TREATISE, name="MINE")
    library = open_library(Settings(), store=tmp_path / "a.db", recipe=mine)
    library.close()
    assert library.recipe is mine


def test_a_parser_is_loaded_only_for_discourse_trees(tmp_path: Path) -> None:
    discourse = replace(BALANCED, name="D", indexing=Indexing(tree=Discourse()))
    parsers = []
    for recipe in (BALANCED, discourse):
        library = open_library(Settings(), store=tmp_path / "a.db", recipe=recipe)
        library.close()
        parsers.append(library.system.engines.parser)
    assert parsers[0] is None
    assert parsers[1] is not None


def test_nothing_is_made_where_something_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="bogus"):
        open_library(Settings(), store=tmp_path / "a.db", recipe="bogus")
    with pytest.raises(SettingsError, match="ollama"):
        open_library(Settings(), store=tmp_path / "a.db", llm="gpt-17")
    with pytest.raises(SettingsError, match="treatise-en"):
        open_encoder("bogus", Settings())
    assert list(tmp_path.iterdir()) == []


def test_servers_are_urls() -> None:
    assert all(url.startswith(("http://localhost:", "https://")) for url in SERVERS.values())


def test_a_store_is_made_where_it_is_missing(tmp_path: Path) -> None:
    open_store(tmp_path / "new" / "a.db").close()
    assert (tmp_path / "new" / "a.db").exists()


def test_a_named_reranker_gives_the_recipe_a_second_stage(tmp_path: Path) -> None:
    library = open_library(Settings(), store=tmp_path / "a.db", reranker="late-interaction")
    library.close()
    assert library.recipe == replace(TREATISE, reranking=Reranking())
    assert library.system.engines.reranker is not None
    assert library.system.engines.reranker.name == "late-interaction treatise-en-3"


def test_rerankers_are_names_urls_and_folders(tmp_path: Path) -> None:
    server = open_reranker("https://example.org/v1", Settings(reranker_model="m", timeout_s=60))
    assert server is not None
    assert server.name == "rerank m at https://example.org/v1"
    listwise = open_reranker("listwise", Settings(), ScriptedModel(["?"]))
    assert listwise is not None
    assert listwise.name == "listwise-1 scripted"
    with pytest.raises(SettingsError, match="--llm"):
        open_reranker("listwise", Settings())
    with pytest.raises(SettingsError, match="no reranker is named 'bogus'"):
        open_reranker("bogus", Settings())
    with pytest.raises(EngineUnavailableError, match=r"no config\.json"):
        open_reranker(str(tmp_path), Settings())


def test_a_server_that_cannot_be_asked_for_its_model_leaves_quoted_answers(tmp_path: Path) -> None:
    library = open_library(store=tmp_path / "t.db", llm="http://127.0.0.1:9/v1")
    library.index("/a.txt", data=b"The bridge was built in 1902 by Hill.")
    answer = library.ask("When was the bridge built?")
    library.close()
    assert "1902" in answer.text
    assert answer.notes[0].startswith("made without the language model, which failed: http://127.0.0.1:9/v1")
