"""Estimates the cost of indexing with a language model: the same calls, none of them sent."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from treatise.core.document import Document
from treatise.core.recipe import Clusters, Recipe, TokenChunks, TreesBy
from treatise.llm.budget import Price, Spending
from treatise.llm.estimate import DryRunRunner, Estimate, Pace, estimate
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_documents
from treatise.pipeline.index_drafts import draft_documents
from treatise.pipeline.query import Run
from treatise.pipeline.structure import Structurer, chunks_in

MAX_TAU: Final = 2_000
"""Highest threshold, in words, tried to stay within a number of calls."""


def estimate_documents(
    run: Run, runner: DryRunRunner | None, documents: Sequence[Document], price: Price | None, pace: Pace
) -> tuple[list[Estimate], Estimate]:
    """The additional cost of each document in order, and the total; zero without a runner."""
    if runner is None:
        return [estimate(Spending(), price, pace) for _ in documents], estimate(Spending(), price, pace)
    spendings = []
    for document in documents:
        before = runner.spending.copy()
        _dry_run(replace(run, runner=runner), document)
        spendings.append(runner.spending.since(before))
    waves = [sum(sizes) for sizes in zip_longest(*(one.waves for one in spendings), fillvalue=0)]
    together = replace(runner.spending, waves=waves)
    return [estimate(one, price, pace) for one in spendings], estimate(together, price, pace)


def _dry_run(run: Run, document: Document) -> None:
    """Every call of indexing a document; other work is done only as far as calls depend on it."""
    indexing, engines = run.recipe.indexing, run.engines
    if isinstance(indexing.tree, Clusters):
        index_documents([document], indexing, encoder=engines.encoder, runner=run.runner)
        return
    encoder = engines.encoder if isinstance(indexing.units, TokenChunks) else None
    parser = engines.parser_for(indexing)
    (draft,) = draft_documents([document], indexing, parser=parser, runner=run.runner, encoder=encoder)
    if run.recipe.planning.trees is TreesBy.LLM:
        Structurer(run).parse(chunks_in(document, draft.units))


def fit_tau(recipe: Recipe, engines: Engines, documents: Sequence[Document], max_calls: int) -> Recipe:
    """The recipe with the lowest tau at which these documents take at most this many calls, by estimate.

    A ceiling alone would spend all calls on the lowest nodes; a higher tau merges these and spends the calls on higher
    nodes. Finished calls count like others, so tau is the same before, during and after a run. Returns the recipe
    itself if it is within the number, or if no tau up to ``MAX_TAU`` is.
    """

    def is_within(words: int) -> bool:
        runner = DryRunRunner(engines.model) if engines.model else None
        draft_documents(documents, recipe.with_tau(words).indexing, parser=parser, runner=runner)
        return runner is None or runner.spending.n_calls <= max_calls

    found = engines.parser_for(recipe.indexing)
    parser = found and RememberingParser(found)
    lowest = recipe.indexing.notes.tau.words
    if is_within(lowest) or not is_within(MAX_TAU):
        return recipe
    return recipe.with_tau(bisect_left(range(MAX_TAU), True, lo=lowest, key=is_within))
