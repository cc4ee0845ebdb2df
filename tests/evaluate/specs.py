"""Runs written in one line."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treatise.core.recipe import Recipe
from treatise.evaluate.run.spec import RunSpec
from treatise.pipeline.engines import Engines

_ENGINES = ("encoder", "parser", "reranker", "model", "papers_parsers")


def make_spec(
    dataset: str, data: Path, recipes: Sequence[Recipe], budgets: Sequence[int], out: Path, **rest: Any
) -> RunSpec:
    """A spec from its usual parts; engines are named one by one."""
    named = {kind: rest.pop(kind) for kind in _ENGINES if kind in rest}
    engines = Engines(**named) if named else None
    return RunSpec(dataset=dataset, data=data, recipes=recipes, budgets=budgets, out=out, engines=engines, **rest)
