"""Every recipe runs offline, without a language model, on a data set."""

from pathlib import Path
from typing import Any

import pytest

from tests.evaluate.specs import make_spec
from tests.pipeline.test_index import ChainParser
from treatise.core.recipe import Clusters, ParsedBy, ReaderText
from treatise.evaluate.report.summary import Summary
from treatise.evaluate.run import retrieval
from treatise.evaluate.run.results import read_results
from treatise.recipes import RECIPES
from treatise.testing import HashingEncoder, ScriptedReranker

DATA = Path(__file__).parent / "data" / "qasper-excerpt.json"


def run(*parts: Any, **rest: Any) -> Summary:
    return retrieval.run(make_spec(*parts, **rest))


@pytest.mark.parametrize("slug", sorted(RECIPES))
def test_every_recipe_keeps_to_the_budget_without_a_model(slug: str, tmp_path: Path) -> None:
    recipe = RECIPES[slug]
    if isinstance(recipe.indexing.tree, Clusters):
        pytest.importorskip("umap")
    parser = ChainParser()
    engines = {"encoder": HashingEncoder(16), "parser": parser, "reranker": ScriptedReranker()}
    engines["papers_parsers"] = dict.fromkeys(ParsedBy, parser)
    run("qasper", DATA, [recipe], [50], tmp_path, **engines)
    contexts = [retrieved.context for retrieved in read_results(tmp_path / f"{slug}-50.jsonl").values()]
    assert all(contexts)
    if recipe.reader_text is ReaderText.EVIDENCE:
        assert all(len(context.split()) <= 50 for context in contexts)
