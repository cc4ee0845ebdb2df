"""The specification of a run; every task is called as ``run(spec)``."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError, RecipeError
from treatise.core.ports import LanguageModel
from treatise.core.recipe import Recipe
from treatise.evaluate.metrics.attention import Attention
from treatise.evaluate.metrics.judges import NO_JUDGES, Judges
from treatise.pipeline.engines import Engines
from treatise.recipes import RECIPES

SEED: Final = 0
"""Seed of all random draws in a run."""

OWN_BUDGET: Final = 0
"""The budget value for a recipe's own budget: its number of chunks or words."""

ProgressCallback = Callable[[int, int], None]
"""Called as ``progress(documents done, total documents)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """The input, recipes, engines and output folder of a run.

    Attributes:
        dataset: A name from ``data.registry.DATASETS``, optionally with a group of questions: ``"quality:hard"``.
        data: The data set's file.
        out: The result folder; created if absent.
        engines: Encoder, parser, reranker and language model; None for tasks that run no recipe.
        recipes: Recipes, each reported under its slug.
        budgets: In whitespace words: of evidence, of summaries, or of the text whose indexing is timed.
        baseline: Slug of the recipe to compare with; the first if None.
        limit: Maximum number of documents, from the start of the file.
        questions_each: Maximum number of questions per document.
        cache: A file that caches vectors between runs; created if absent.
        calls: A file that caches language model calls; ``OUT/calls.db`` if None.
        progress: Called after each document.
        judges: Models that score answers in addition to the metrics.
        metrics: Further metrics of answers, beside those reported for the data set.
        with_cost: Whether tokens and seconds of each answer are recorded.
        parser: Folder of the parser to measure; empty for that of the settings. For recipes see ``engines``.
        attention: Reads the language model's attention while it answers; None if it is not measured.
        open_domain: Whether questions are asked of all documents of the data set together, and not of their own.
        model: A language model whose trees are measured too, on a treebank. For recipes see ``engines``.
    """

    dataset: str
    data: Path
    out: Path
    engines: Engines | None = None
    recipes: Sequence[Recipe] = ()
    budgets: Sequence[int] = ()
    baseline: str | None = None
    limit: int | None = None
    questions_each: int | None = None
    cache: Path | None = None
    calls: Path | None = None
    progress: ProgressCallback | None = None
    judges: Judges = NO_JUDGES
    parser: str = ""
    metrics: Sequence[str] = ()
    with_cost: bool = False
    attention: Attention | None = None
    open_domain: bool = False
    model: LanguageModel | None = None

    def opened_engines(self) -> Engines:
        """The engines, for a task that runs recipes.

        Raises:
            ValueError: If the spec has none.
        """
        if self.engines is None:
            raise ValueError("this task runs recipes, so its RunSpec needs engines")
        return self.engines

    def report(self, done: int, total: int) -> None:
        """Passes the number of finished documents to ``progress``."""
        if self.progress:
            self.progress(done, total)


def check_recipes_and_budgets(spec: RunSpec, *, least_words: int = 1) -> None:
    """Rejects recipes and budgets that cannot be compared.

    ``least_words`` is the lowest budget that the task accepts.

    Raises:
        RecipeError: If two recipes share a name, none is the baseline, or a recipe is another one without its
            second stage, and there is no reranker.
        DataError: If there is no budget, or the same one twice.
    """
    _check_recipes(spec)
    budgets = spec.budgets
    if not budgets or min(budgets) < least_words or len(set(budgets)) < len(budgets):
        found = ", ".join(map(str, budgets)) or "none"
        raise DataError(f"expected different budgets of {least_words} words or more, found: {found}")


def _is_another_without(recipe: Recipe) -> bool:
    """Whether the recipe without its second stage is another recipe: its row would be that system's."""
    first_stage = replace(recipe, reranking=None)
    return recipe.reranking is not None and any(
        replace(one, name=recipe.name) == first_stage for one in RECIPES.values()
    )


def _check_recipes(spec: RunSpec) -> None:
    reranker = spec.opened_engines().reranker
    if reranker is None and (without := [recipe.slug for recipe in spec.recipes if _is_another_without(recipe)]):
        raise RecipeError(f"{', '.join(without)}: there is no reranker for the second stage; name one with --reranker")
    slugs = [recipe.slug for recipe in spec.recipes]
    if not slugs or len(set(slugs)) < len(slugs):
        raise RecipeError(f"expected one or more recipes with different names, found: {', '.join(slugs) or 'none'}")
    if spec.baseline is not None and spec.baseline not in slugs:
        raise RecipeError(f"the baseline {spec.baseline!r} is not among the recipes ({', '.join(slugs)})")
