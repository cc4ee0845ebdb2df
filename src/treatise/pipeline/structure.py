"""Builds the structure of evidence: parsers, relators and planners (Disco-RAG, section 3)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.evidence import Passage
from treatise.core.graph import Chunk, ChunkTree, Link, RhetoricalGraph
from treatise.core.plan import Plan, Structure
from treatise.core.plurals import counted
from treatise.core.ports import CallCache, ChunkParser, Progress, Relator
from treatise.core.recipe import GraphBy, Perturbation, PerturbationKind, PlanBy, TreesBy
from treatise.core.usage import Stage
from treatise.pipeline.query import Run
from treatise.pipeline.structured import EvidenceStructure
from treatise.plan import (
    CachedChunkParser,
    CachedRelator,
    LocalMarkers,
    LocalRelator,
    ModelChunkParser,
    ModelPlanner,
    ModelRelator,
    StructuredPlanner,
    conflicts,
    digest,
    perturb,
    rate_sentences,
    render,
)
from treatise.retrieve import sentences_in

_BY_MODEL: Final = frozenset({GraphBy.SPARSE, GraphBy.LISTWISE, GraphBy.MARKERS})


class Structurer:
    """Builds the structure of chunks by a recipe.

    Args:
        run: The recipe, its engines, and the runner that calls the language model, if there is one.
    """

    def __init__(self, run: Run) -> None:
        self._planning = run.recipe.planning
        self._encoder = run.engines.encoder
        self._meter = run.meter
        self._runner = run.runner
        self._parser = self._chosen_parser(run.engines.chunk_parser, run.cache)
        self._relator = self._chosen_relator(run.engines.relator, run.cache)

    def parse(self, chunks: Sequence[Chunk], progress: Progress | None = None) -> list[ChunkTree | None]:
        """The trees of chunks, None without a parser; cached for later questions."""
        return self._parser.parse_chunks(chunks, progress) if self._parser else [None] * len(chunks)

    def structure(self, question: str, chunks: Sequence[Chunk], plan: Plan | None = None) -> EvidenceStructure:
        """The structure of the chunks for a question; ``plan`` is one made before retrieval, if any."""
        notes: list[str] = []
        structure = Structure(plan=plan)
        if self._planning.trees is not TreesBy.NONE:
            with self._meter.measure(Stage.TREES):
                structure = replace(structure, trees=tuple(self.parse(chunks)))
            notes.append(_without_trees(structure.trees, chunks))
        if self._planning.graph is not GraphBy.NONE:
            with self._meter.measure(Stage.GRAPH):
                graph = self._relator.relate(self._related(chunks, structure))
                structure = replace(structure, graph=_without_self_contradictions(graph, chunks))
            notes.append(_about_graph(structure.graph))
        perturbations = self._planning.perturbations
        structure = perturb(structure, (one for one in perturbations if not _is_of_plans(one)), question)
        structure, note = self._planned(question, chunks, structure)
        structure = perturb(structure, (one for one in perturbations if _is_of_plans(one)), question)
        rendered = render(structure, chunks, self._planning.format)
        return EvidenceStructure(structure, rendered, tuple(filter(None, [*notes, note])))

    def _planned(self, question: str, chunks: Sequence[Chunk], structure: Structure) -> tuple[Structure, str]:
        """The structure with its plan and conflicts, and a note if the model's plan cannot be used."""
        wants, model = self._planning.plan, self._runner is not None
        plan, note = structure.plan, ""
        if wants is PlanBy.LLM and self._runner is not None:
            with self._meter.measure(Stage.PLAN):
                planner = ModelPlanner(self._runner, self._planning.format, self._planning.digest_words)
                plan = planner.plan(question, chunks, structure)
            note = "" if plan or not chunks else "the model gave no plan that could be used: planned by rules"
        by_rules = wants is PlanBy.STRUCTURE or (wants is not PlanBy.NONE and not model) or bool(note)
        if not by_rules and structure.graph is None:
            return replace(structure, plan=plan), note
        with self._meter.measure(Stage.RULES):
            reading = rate_sentences(question, chunks, self._encoder)
            if by_rules:
                plan = StructuredPlanner(reading).plan(question, chunks, structure)
            pairs = conflicts(reading, structure.graph)
        return replace(structure, plan=plan, conflicts=pairs), note

    def _related(self, chunks: Sequence[Chunk], structure: Structure) -> list[str]:
        """The text of each chunk that the relator reads."""
        if self._runner is None or not self._planning.digest_words or self._planning.graph not in _BY_MODEL:
            return [chunk.text for chunk in chunks]
        trees = structure.trees or (None,) * len(chunks)
        return [digest(chunk, tree, self._planning.digest_words) for chunk, tree in zip(chunks, trees, strict=True)]

    def _chosen_parser(self, local: ChunkParser | None, cache: CallCache) -> ChunkParser | None:
        if self._planning.trees is TreesBy.LLM and self._runner is not None:
            return ModelChunkParser(self._runner)
        return CachedChunkParser(local, cache) if local else None

    def _chosen_relator(self, local: Relator | None, cache: CallCache) -> Relator:
        form = self._planning.graph
        if form in _BY_MODEL and self._runner is not None:
            relator = ModelRelator(self._runner, form)
            # A joint reply is cached as a whole by its runner: pairs judged among other chunks are other judgements.
            return CachedRelator(relator, cache) if form is GraphBy.SPARSE else relator
        if form is GraphBy.MARKERS:
            return LocalMarkers(self._encoder)
        return CachedRelator(local or LocalRelator(self._encoder), cache)


def chunks_of(passages: Sequence[Passage], documents: Sequence[Document]) -> list[Chunk]:
    """The passages as chunks; a note counts as one sentence."""
    by_id = {document.id: document for document in documents}
    return [_chunk(passage, by_id[passage.document]) for passage in passages]


def chunks_in(document: Document, units: Sequence[Span]) -> list[Chunk]:
    """The units of a document as chunks, in the form in which they are retrieved."""
    return [_chunk(Passage(document.id, unit, document.quote(unit.start, unit.end), 0.0), document) for unit in units]


def _chunk(passage: Passage, document: Document) -> Chunk:
    if passage.noted:
        return Chunk(passage.text, document.language, (Span(0, len(passage.text)),), document.id)
    start = passage.span.start
    spans = (Span(span.start - start, span.end - start) for span in sentences_in(document, passage.span))
    return Chunk(passage.text, document.language, tuple(spans), document.id)


def _without_self_contradictions(graph: RhetoricalGraph, chunks: Sequence[Chunk]) -> RhetoricalGraph:
    """The graph without uncertain contradictions within one document.

    Chunks of one document describe one subject in similar words, which the local scorer mistakes for a contradiction.
    Certain edges by a language model are kept.
    """
    edges = tuple(
        replace(edge, link=Link.SUPPLEMENTS)
        if edge.link is Link.CONTRADICTS
        and edge.score < 1
        and chunks[edge.source].document == chunks[edge.target].document
        else edge
        for edge in graph.edges
    )
    return replace(graph, edges=edges)


def _is_of_plans(one: Perturbation) -> bool:
    return one.harm in (PerturbationKind.SHUFFLED_STEPS, PerturbationKind.DROPPED_STEPS)


def _without_trees(trees: Sequence[ChunkTree | None], chunks: Sequence[Chunk]) -> str:
    n = sum(tree is None and bool(chunk.text.strip()) for tree, chunk in zip(trees, chunks, strict=True))
    return f"no discourse tree for {n} of {counted(len(chunks), 'passage')}: no valid one was given" if n else ""


def _about_graph(graph: RhetoricalGraph | None) -> str:
    if graph is None or not (graph.n_open or graph.n_refused):
        return ""
    n_pairs = graph.n_chunks * (graph.n_chunks - 1)
    said = [
        f"the model left {graph.n_open} of {n_pairs} pairs of passages open" if graph.n_open else "",
        f"{graph.n_refused} relations that it gave do not fit and were dropped" if graph.n_refused else "",
    ]
    return "; ".join(filter(None, said))
