"""Replacements for recipe parts that need a language model, if there is none; shown in every table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from treatise.core.recipe import GraphBy, PlanBy, Planning, Recipe, TreesBy
from treatise.evaluate.report.summary import Row
from treatise.evaluate.run.spec import RunSpec


def note_stand_ins(rows: Sequence[Row], spec: RunSpec, *, answers: bool) -> list[Row]:
    """The rows with their stand-ins; ``answers`` is whether answers are measured, or only evidence."""
    if spec.opened_engines().model is not None:
        return list(rows)
    found = {recipe.slug: tuple(_stand_ins(recipe, answers=answers)) for recipe in spec.recipes}
    return [replace(row, stand_ins=found.get(row.recipe, ())) for row in rows]


def _stand_ins(recipe: Recipe, *, answers: bool) -> Iterator[str]:
    yield from _of_index(recipe)
    if answers:
        yield from _of_answers(recipe.planning)


def _of_index(recipe: Recipe) -> Iterator[str]:
    if recipe.indexing.asks_model:
        yield "nucleus text for notes"


def _of_answers(planning: Planning) -> Iterator[str]:
    yield "quoted answers"
    if planning.trees is TreesBy.LLM:
        yield "the parser's trees"
    if planning.graph not in (GraphBy.NONE, GraphBy.LOCAL):
        yield "a graph by rules"
    if planning.plan is PlanBy.LLM:
        yield "a plan by rules"
    if planning.plan in (PlanBy.WITH_ANSWER, PlanBy.BEFORE_RETRIEVAL):
        yield "no plan"
