"""Decoding settings: from the recipe to every request, in names and in records."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_engines import speak
from treatise.core.errors import RecipeError
from treatise.core.recipe import DEFAULT_DECODING, Decoding
from treatise.engines.openai_chat import request_options
from treatise.evaluate.run import generation
from treatise.evaluate.run.spec import RunSpec
from treatise.ingest import read_bytes
from treatise.llm.budget import Budget, Spending
from treatise.llm.decoding import decoded
from treatise.llm.dry_run import DryRunModel
from treatise.llm.metered import MeteredModel
from treatise.pipeline.engines import Engines
from treatise.pipeline.system import System
from treatise.recipes import RETRIEVE_AND_PLAN, STANDARD_RAG
from treatise.testing import HashingEncoder, ScriptedModel

WARM = Decoding(temperature=0.7, top_p=0.9, max_tokens=30, seed=5)


def test_every_call_of_a_recipe_has_its_decoding_settings() -> None:
    model = ScriptedModel(speak)
    system = System(replace(RETRIEVE_AND_PLAN, decoding=WARM), Engines(HashingEncoder(), model=model))
    document = read_bytes(b"Water boils at 100 degrees. Keep the leaves dry.", name="tea.txt")
    system.answer("When does water boil?", system.index([document]))
    assert model.decodings
    assert set(model.decodings) == {WARM}
    assert system.engines.model.name == "scripted seed 5 temperature 0.7 top-p 0.9 max-tokens 30"
    assert system.with_recipe(STANDARD_RAG).engines.model.name == "scripted"


@pytest.mark.parametrize(
    "wrap", [lambda model: MeteredModel(model, Budget(), Spending()), lambda model: DryRunModel(model, Spending())]
)
def test_accounts_and_estimates_pass_the_settings_on(wrap) -> None:
    wrapped = decoded(wrap(ScriptedModel(["yes"])), WARM)
    assert wrapped.name.endswith(WARM.suffix)
    assert decoded(wrapped, WARM) is wrapped


def test_a_request_has_the_settings_and_the_default_sends_no_top_p() -> None:
    assert request_options(100, None) == {"temperature": 0, "seed": 0, "max_tokens": 100}
    assert request_options(100, None, WARM) == {"temperature": 0.7, "seed": 5, "max_tokens": 30, "top_p": 0.9}
    assert request_options(20, None, WARM)["max_tokens"] == 20


def test_a_model_that_cannot_be_told_refuses_other_settings_than_the_default() -> None:
    class Fixed:
        name, context_tokens = "fixed", 0

        def chat(self, conversations, *, max_tokens, schema=None):
            return iter(())

    fixed = Fixed()
    assert decoded(fixed, DEFAULT_DECODING) is fixed
    with pytest.raises(RecipeError, match="decoding of fixed cannot be set"):
        decoded(fixed, WARM)


@pytest.mark.parametrize("wrong", [{"temperature": -1}, {"temperature": 3}, {"top_p": 0}, {"max_tokens": -1}])
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RecipeError, match="decoding needs"):
        Decoding(**wrong)


def test_the_record_of_a_run_tells_the_settings_of_each_recipe(tmp_path: Path) -> None:
    data = write_all(tmp_path / "data")
    warm = replace(STANDARD_RAG, name="WARM", decoding=WARM)
    model = ScriptedModel(speak)
    engines = Engines(HashingEncoder(), model=model)
    spec = RunSpec(
        dataset="scinews",
        data=data / "scinews" / "val.json",
        out=tmp_path / "out",
        engines=engines,
        recipes=[STANDARD_RAG, warm],
        budgets=[0],
    )
    generation.run(spec)
    record = json.loads((tmp_path / "out" / "summary.json").read_text())["record"]
    assert record["decoding"]["warm"] == {"temperature": 0.7, "top_p": 0.9, "max_tokens": 30, "seed": 5}
    assert record["decoding"]["standard-rag"] == {"temperature": 0.0, "top_p": 1.0, "max_tokens": 0, "seed": 0}
    assert model.decodings == [DEFAULT_DECODING, WARM]
