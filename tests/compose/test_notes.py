"""Settings of notes reach the library."""

from pathlib import Path

import pytest

from treatise.compose import open_library
from treatise.core.errors import EngineUnavailableError, MissingExtraError, SettingsError
from treatise.settings import Settings


def test_a_ceiling_and_prices_reach_the_writer(tmp_path: Path) -> None:
    settings = Settings(
        llm="http://127.0.0.1:9/v1", llm_model="m", max_calls=3, max_cost=0.5, prompt_price=1.0, completion_price=2.0
    )
    library = open_library(settings, store=tmp_path / "a.db", recipe="bisection")
    budget = library.system.budget
    library.close()
    assert budget is not None
    assert (budget.max_calls, budget.max_cost) == (3, 0.5)
    assert budget.price is not None
    assert budget.price.of(1e6, 1e6) == 3.0


def test_a_ceiling_of_cost_without_a_price_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="price"):
        open_library(Settings(max_cost=1.0), store=tmp_path / "a.db")


def test_a_gguf_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises((EngineUnavailableError, MissingExtraError), match=r"gone\.gguf|pip install .*\[local\]"):
        open_library(Settings(llm=str(tmp_path / "gone.gguf")), store=tmp_path / "a.db")


@pytest.mark.parametrize(
    ("settings", "price"),
    [
        (Settings(llm="openai", llm_model="m", prices=(("m", 1.0, 2.0), ("n", 3.0, 4.0))), 3.0),
        (Settings(llm="openai", llm_model="m", prices=(("m", 1.0, 2.0),), prompt_price=5.0), 5.0),
        (Settings(llm="openai", llm_model="free", prices=(("free", 0.0, 0.0),), max_cost=1.0), 0.0),
    ],
)
def test_the_price_is_the_models_unless_one_is_set(tmp_path: Path, settings: Settings, price: float) -> None:
    library = open_library(settings, store=tmp_path / "a.db", recipe="bisection")
    library.close()
    assert library.system.budget.price is not None
    assert library.system.budget.price.of(1e6, 1e6) == price


def test_a_model_that_is_not_in_the_table_has_no_price(tmp_path: Path) -> None:
    settings = Settings(llm="openai", llm_model="x", prices=(("m", 1.0, 2.0),))
    library = open_library(settings, store=tmp_path / "a.db", recipe="bisection")
    library.close()
    assert library.system.budget.price is None
