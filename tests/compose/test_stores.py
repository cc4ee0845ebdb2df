"""Stores by URL; and a store of one's own: one file that keeps the contract, and one row of the table."""

from pathlib import Path

import pytest

from tests.compose.memory_store import MemoryStore
from treatise.compose import open_library, open_store, stores
from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings
from treatise.testing import check_store


def test_a_url_names_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store(f"sqlite:///{tmp_path / 'absolute.db'}").close()
    open_store("sqlite:///relative.db").close()
    open_store(settings=Settings(store="sqlite:///setting.db")).close()
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["absolute.db", "relative.db", "setting.db"]


def test_a_url_in_the_settings_file_stays_a_url(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('store = "sqlite:///my.db"', encoding="utf-8")
    assert load_settings(file, {}).store == "sqlite:///my.db"


@pytest.mark.parametrize("url", ["oracle://me:secret@host/library", "mysql://host/library"])
def test_a_kind_of_store_that_does_not_exist_is_refused_with_those_that_do(url: str) -> None:
    scheme = url.partition(":")[0]
    known = rf"no store for {scheme}:// URLs: give sqlite:///PATH, postgresql://USER@HOST/DATABASE, or"
    with pytest.raises(SettingsError, match=known) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["sqlite://library.db", "sqlite:///", "sqlite://"])
def test_a_url_without_a_file_says_how_to_write_one(url: str) -> None:
    with pytest.raises(SettingsError, match="three or four slashes"):
        open_store(url)


# A store of one's own: docs/design/layout.md


def test_a_store_of_ones_own_is_one_file_and_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_store(MemoryStore)
    monkeypatch.setitem(stores.STORES, "memory", lambda _rest, _read_only: MemoryStore())
    source = tmp_path / "spring.txt"
    source.write_text("Spring came. It rained because the wind was warm.", encoding="utf-8")
    library = open_library(Settings(), store="memory://")
    assert library.ask("Why did it rain?", [source]).citations
    assert [entry.sources for entry in library.documents()] == [(str(source),)]
    library.close()
    assert [path.name for path in tmp_path.iterdir()] == ["spring.txt"]


def test_the_error_for_an_unknown_kind_lists_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(stores.STORES, "memory", lambda _rest, _read_only: MemoryStore())
    with pytest.raises(SettingsError, match="sqlite:///PATH, postgresql://USER@HOST/DATABASE, memory:///PATH"):
        open_store("redis://host")
