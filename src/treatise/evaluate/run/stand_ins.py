"""Replacements for parts of a recipe that the engines of a run lack, or failed to give; shown in every table."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from treatise.core.answer import Answer
from treatise.core.indexed import IndexedDocument
from treatise.core.note import Origin
from treatise.core.recipe import (
    GraphBy,
    ParsedBy,
    PlanBy,
    Planning,
    ReaderText,
    Recipe,
    Sectioning,
    Sections,
    Summaries,
    TreesBy,
)
from treatise.core.scripts import UNSPACED_LANGUAGES
from treatise.core.usage import Stage
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.report.summary import Row
from treatise.evaluate.run.spec import RunSpec
from treatise.parse.by_language import is_right_branching, language_code
from treatise.pipeline.engines import Engines

_ASKED: Final[dict[str, str]] = {Stage.GRAPH: "graphs", Stage.PLAN: "plans", Stage.ANSWER: "critics"}
"""What a stage asks for, if its name does not say it."""

_UNSPACED: Final = (*UNSPACED_LANGUAGES, "th", "lo", "my", "km")


def note_stand_ins(
    rows: Sequence[Row], spec: RunSpec, documents: Sequence[LabelledDocument], *, answers: bool
) -> list[Row]:
    """The rows with their stand-ins; ``answers`` is whether answers are measured, or only evidence.

    The result files of the rows must be whole.
    """
    engines = spec.opened_engines()
    languages = languages_of(documents)
    found = {recipe.slug: tuple(stand_ins(recipe, engines, languages, answers=answers)) for recipe in spec.recipes}
    counted = {recipe.slug for recipe in spec.recipes if _counts_words(recipe)}
    return [
        replace(
            row,
            stand_ins=(
                *found.get(row.recipe, ()),
                *(_of_budget(row.budget, languages) if row.recipe in counted else ()),
                *_of_results(spec.out, row.recipe, row.budget),
            ),
        )
        for row in rows
    ]


def _counts_words(recipe: Recipe) -> bool:
    """Whether a budget of the recipe is of whitespace words in every language."""
    return recipe.reader_text is not ReaderText.DOCUMENT and not recipe.selection.count_characters


def _of_budget(budget: int, languages: Sequence[str]) -> Iterator[str]:
    for language in languages if budget else ():
        if language in _UNSPACED:
            yield f"a budget of whitespace words ({language})"


def languages_of(documents: Sequence[LabelledDocument]) -> list[str]:
    """The codes of the documents' languages, without duplicates."""
    return sorted({language_code(one.language) for of in documents for one in of.documents})


def nucleus_notes(indexes: Sequence[IndexedDocument]) -> float:
    """Share of the notes by a language model that are nucleus text, because its replies were rejected."""
    origins = Counter(note.origin for indexed in indexes for note in indexed.notes)
    n_rejected = origins[Origin.REJECTED]
    return n_rejected / (n_rejected + origins[Origin.SUMMARY]) if n_rejected else 0.0


def rejected_replies(answer: Answer) -> dict[str, int]:
    """Requests without a usable reply, by the stage of the answer."""
    found = {stage.value: answer.usage.model(stage).n_given_up for stage in answer.usage.stages}
    return {stage: n for stage, n in found.items() if n}


def notes_replaced(share: float) -> str:
    """The stand-in of notes that were rejected."""
    return f"nucleus text for {100 * share:.0f} % of the notes (replies rejected)"


def _of_results(out: Path, slug: str, budget: int) -> Iterator[str]:
    """What a result file says of replies that could not be used, and of texts that the model's window cut."""
    with (out / f"{slug}-{budget}.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    if share := sum(row.get("nucleus_notes", 0.0) for row in rows) / max(1, len(rows)):
        yield notes_replaced(share)
    if n_cut := sum(bool(row.get("is_cut")) for row in rows):
        yield f"the text cut to the model's window in {n_cut} of {len(rows)} questions"
    counts = sum((Counter(row.get("rejected", {})) for row in rows), Counter())
    for stage, n in counts.items():
        yield f"{n} request{'s' if n > 1 else ''} for {_ASKED.get(stage, stage)} without a usable reply"


def stand_ins(recipe: Recipe, engines: Engines, languages: Iterable[str], *, answers: bool) -> Iterator[str]:
    """What replaces parts of the recipe with these engines, on documents in these languages."""
    if engines.model is None:
        yield from _of_index(recipe)
        if answers:
            has_reader = engines.reader or engines.multilingual_reader
            yield "answers quoted by the trained reader" if has_reader else "quoted answers"
            yield from _of_answers(recipe)
    if recipe.reranking and engines.reranker is None:
        yield "no reranker: the order of the first stage"
    for language in languages:
        yield from _of_language(recipe, engines, language)


def _of_index(recipe: Recipe) -> Iterator[str]:
    if recipe.indexing.notes.summaries in (Summaries.LLM, Summaries.HYBRID):
        yield "nucleus text for notes"
    tree = recipe.indexing.tree
    if isinstance(tree, Sections) and tree.sectioning is Sectioning.LLM:
        yield "sections by cohesion"


def _of_answers(recipe: Recipe) -> Iterator[str]:
    yield from _of_plan(recipe.planning)
    if recipe.refinement:
        yield "no refinement"


def _of_plan(planning: Planning) -> Iterator[str]:
    if planning.trees is TreesBy.LLM:
        yield "the parser's trees"
    if planning.graph not in (GraphBy.NONE, GraphBy.LOCAL):
        yield "a graph by rules"
    if planning.plan is PlanBy.LLM:
        yield "a plan by rules"
    if planning.plan in (PlanBy.WITH_ANSWER, PlanBy.BEFORE_RETRIEVAL):
        yield "no plan"


def _of_language(recipe: Recipe, engines: Engines, language: str) -> Iterator[str]:
    of_documents = engines.parser_for(recipe.indexing) if recipe.indexing.needs_parser else None
    if of_documents and is_right_branching(of_documents.name, language):
        yield f"right-branching trees ({language})"
    if recipe.indexing.parsed_by is not ParsedBy.SETTINGS and language != "en":
        yield f"an English parser ({language})"
    parser = engines.chunk_parser if recipe.planning.trees is TreesBy.PARSER else None
    if parser and is_right_branching(parser.name, language):
        yield f"right-branching trees of passages ({language})"
    if language != "en" and recipe.scoring.dense and engines.encoder.name.startswith("treatise-en"):
        yield f"an English encoder ({language})"
