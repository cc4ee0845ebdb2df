"""The trees of documents' chunks, made before any question."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Progress
from treatise.core.recipe import TreesBy
from treatise.llm.budget import Spending
from treatise.llm.cache import MemoryCache
from treatise.pipeline.query import Run
from treatise.pipeline.reports import ChunkReport
from treatise.pipeline.structure import Structurer, chunks_in

CHUNKS_TOGETHER: Final = 32
"""Chunks parsed and saved per batch, unless a language model parses them."""


def parse_chunks(run: Run, indexed: Iterable[IndexedDocument], progress: Progress | None = None) -> ChunkReport:
    """Makes the tree of every chunk of these documents, if the recipe has trees; finished trees are reused.

    Calls of a model stay within the runner's budget. A chunk beyond it has no tree until a question needs it.

    Raises:
        EngineError: If the model fails; trees that were made are kept.
    """
    if run.recipe.planning.trees is TreesBy.NONE:
        return ChunkReport()
    before = run.runner.spending.copy() if run.runner else Spending()
    chunks = [chunk for one in indexed for chunk in chunks_in(one.document, one.units)]
    structurer, n_trees = Structurer(run), 0
    size, replies = (len(chunks), progress) if run.runner else (CHUNKS_TOGETHER, None)
    for start in range(0, len(chunks), max(1, size)):
        n_trees += sum(tree is not None for tree in structurer.parse(chunks[start : start + size], replies))
        if progress:
            progress(min(start + size, len(chunks)), len(chunks))
    return ChunkReport(len(chunks), n_trees, run.runner.spending.since(before) if run.runner else Spending())


def parse_sample(run: Run, indexed: IndexedDocument) -> None:
    """Makes and discards the trees of a document's chunks that need no language model, to measure the time."""
    if run.recipe.planning.trees is not TreesBy.NONE and not asks_for_trees(run):
        alone = replace(run, runner=None, cache=MemoryCache())
        Structurer(alone).parse(chunks_in(indexed.document, indexed.units))


def asks_for_trees(run: Run) -> bool:
    """Whether a language model makes the trees of chunks."""
    return run.engines.model is not None and run.recipe.planning.trees is TreesBy.LLM
