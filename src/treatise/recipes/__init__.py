"""Every system as one value. A recipe of your own is ``dataclasses.replace`` of one of these.

Where notes are written by a language model and none is at hand, nucleus text stands for them: so every recipe runs
offline. ``*_POOLED`` recipes have no notes at all: the vectors of inner nodes are pooled from those of the leaves.
"""

import re
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from treatise.core.errors import RecipeError
from treatise.core.planning import Format, GraphBy, Perturbation, PerturbationKind, PlanBy, Planning, TreesBy
from treatise.core.recipe import (
    GroupOrder,
    Indexing,
    Layer,
    LengthOf,
    NodeVectors,
    Notes,
    ReaderText,
    Recipe,
    Reranking,
    Scoring,
    Selection,
    Summaries,
    Take,
    Tau,
    TreeShape,
    Units,
    WordsOf,
)

FLAT_SENTENCE: Final = Recipe("FLAT_SENTENCE", Indexing(tree=TreeShape.FLAT), selection=Selection(expand=False))
"""Sentences ranked by cosine, no tree: the baseline of every table."""

FLAT_CHUNK: Final = Recipe(
    "FLAT_CHUNK", Indexing(units=Units.CHUNK, tree=TreeShape.FLAT), selection=Selection(expand=False)
)
"""Chunks of at most 100 words at sentence boundaries, ranked by cosine."""

BM25: Final = Recipe("BM25", Indexing(tree=TreeShape.FLAT), Scoring(dense=0, bm25=1), Selection(expand=False))
"""Sentences ranked by BM25."""

BISECTION_POOLED: Final = Recipe("BISECTION_POOLED", Indexing(tree=TreeShape.BISECTION))
"""Halves over the whole text, vectors pooled, Algorithm 1."""

BALANCED: Final = Recipe("BALANCED", Indexing(tree=TreeShape.BALANCED))
"""Halves within paragraphs, then over those of a section, then over sections; vectors pooled, Algorithm 1."""

RANDOM: Final = Recipe("RANDOM", Indexing(tree=TreeShape.RANDOM))
"""Random splits within paragraphs, sections and text: the control for any claim about shape."""

TREATISE: Final = Recipe(
    "TREATISE",
    Indexing(tree=TreeShape.BALANCED, context_weight=1.0),
    Scoring(bm25=0.3, neighbours=0.5, headings=0.2, path=0.5),
    Selection(leaf_top_k=0, node_words=100, max_share=1 / 8),
)
"""The default: what measured best on papers, stories, meetings and policies alike (RESULTS.md)."""

TREATISE_RERANKED: Final = replace(TREATISE, name="TREATISE_RERANKED", reranking=Reranking(keep=0))
"""The default with a second stage, by whichever reranker is at hand."""

SUMMARY: Final = replace(
    TREATISE,
    name="SUMMARY",
    indexing=replace(TREATISE.indexing, tree=TreeShape.DISCOURSE),
    scoring=replace(TREATISE.scoring, path=0),
)
"""What `treatise summarize` goes by: the default's vectors over discourse trees, which tell nuclei from satellites, and
its scores but for the path.
"""

DISRETRIEVAL: Final = Recipe(
    "DISRETRIEVAL",
    Indexing(tree=TreeShape.DISCOURSE, notes=Notes(Summaries.LLM), node_vectors=NodeVectors.ENCODED),
)
"""DISRetrieval as in the paper: two-phase discourse trees, every inner node summarised (tau 0, its setting for
papers), each node's own text encoded, Algorithm 1 with 5 leaves a node.
"""

DISRETRIEVAL_STORIES: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_STORIES",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.LLM, Tau(50))),
)
"""The paper's setting for QuALITY and NarrativeQA: children of fewer than 50 words together are merged."""

DISRETRIEVAL_CODE: Final = replace(
    DISRETRIEVAL_STORIES,
    name="DISRETRIEVAL_CODE",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.LLM, Tau(50, length_of=LengthOf.LEAVES))),
)
"""The same as the official code has it: tau is compared with the leaves as they stand in the text."""

DISRETRIEVAL_NUCLEI: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_NUCLEI",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.NUCLEUS)),
)
"""No model: the most nuclear sentences below stand for a node."""

DISRETRIEVAL_HYBRID: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_HYBRID",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.HYBRID, max_words=100, nucleus_words=150)),
)
"""Nuclei, rewritten by the model where a subtree has 200 words or more."""

DISRETRIEVAL_THRIFTY: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_THRIFTY",
    indexing=replace(
        DISRETRIEVAL.indexing,
        notes=Notes(
            Summaries.LLM,
            Tau(100, full_sentence=22.8, per_missing_word=6.1, per_level=5),
            max_words=60,
            batch_words=1_200,
        ),
    ),
)
"""Summaries at few calls: short nodes are merged, and one call writes all notes of a subtree of up to 1,200 words."""

DISRETRIEVAL_POOLED: Final = Recipe("DISRETRIEVAL_POOLED", Indexing(tree=TreeShape.DISCOURSE))
"""Discourse trees without notes."""

DISRETRIEVAL_LEARNED: Final = Recipe(
    "DISRETRIEVAL_LEARNED",
    Indexing(
        tree=TreeShape.DISCOURSE,
        satellite_weights=(("evaluation", 0.25), ("organization", 2.0), ("topic", 1.5)),
    ),
)
"""Discourse trees without notes, vectors pooled by weights that were learned on papers (``benchmarks/pooling.py``): a
heading counts twice as much as what it heads, an evaluation a quarter of what it evaluates. Relations left out count 1.
What it is worth stands in ``docs/log/retrieval.md``.
"""

BISECTION: Final = replace(
    DISRETRIEVAL, name="BISECTION", indexing=replace(DISRETRIEVAL.indexing, tree=TreeShape.BISECTION)
)
"""The paper's control: notes, vectors and retrieval of DISRetrieval over halves of the whole text."""

RAPTOR: Final = Recipe(
    "RAPTOR",
    Indexing(
        units=Units.TOKENS,
        chunk_tokens=100,
        tree=TreeShape.CLUSTERS,
        notes=Notes(Summaries.LLM, max_words=75),
        node_vectors=NodeVectors.ENCODED,
    ),
    selection=Selection(take=Take.NOTE, max_nodes=10),
)
"""RAPTOR with its official defaults: leaves of 100 tokens, soft clusters in at most 5 layers, summaries of 100 tokens,
the collapsed tree searched for the 10 best nodes. Needs ``treatise[raptor]``.
"""


HTSIR: Final = Recipe(
    "HTSIR",
    Indexing(
        tree=TreeShape.SECTIONS,
        context_weight=1.0,
        notes=Notes(Summaries.LLM, Tau(50, length_of=LengthOf.LEAVES), max_words=100),
        node_vectors=NodeVectors.ENCODED,
    ),
    Scoring(bm25=0.3, words_of=WordsOf.NOTE),
    Selection(take=Take.NOTE, max_nodes=10, layers=(Layer.LEAF, Layer.GROUP, Layer.SECTION)),
)
"""HTSIR as in the paper (its setting for QASPER: leaves of 100 words, 2 to a group): leaves, summaries of groups and
summaries of sections are searched as one set, and the 10 best give their text; here by both retrievers together.
Without a language model the first sentences stand for a summary.
"""

HTSIR_DENSE: Final = replace(HTSIR, name="HTSIR_DENSE", scoring=Scoring())
"""The same by vectors alone: SBERT in the paper, or DPR where the settings name an encoder of its own for questions."""

HTSIR_BM25: Final = replace(HTSIR, name="HTSIR_BM25", scoring=Scoring(dense=0, bm25=1, words_of=WordsOf.NOTE))
"""The same by BM25 over leaves and summaries."""

HTSIR_TRAVERSAL: Final = replace(HTSIR, name="HTSIR_TRAVERSAL", selection=replace(HTSIR.selection, traverse=10))
"""The same from the sections down, the 10 best of each layer, instead of the collapsed tree."""

HTSIR_OFFLINE: Final = Recipe(
    "HTSIR_OFFLINE",
    replace(HTSIR.indexing, notes=replace(HTSIR.indexing.notes, summaries=Summaries.NUCLEUS)),
    Scoring(bm25=0.3, neighbours=0.5, headings=0.2, path=1.0),
    Selection(leaf_top_k=6),
)
"""Section trees without a language model: the sentences are a fourth layer, a node gains of the scores of the group and
the section that it stands in and of their heading, and an inner node gives its best sentences (Algorithm 1 of
DISRetrieval).
"""

HTSIR_OFFLINE_DENSE: Final = replace(
    HTSIR_OFFLINE, name="HTSIR_OFFLINE_DENSE", scoring=replace(HTSIR_OFFLINE.scoring, bm25=0)
)
"""The same by vectors alone."""

HTSIR_OFFLINE_BM25: Final = replace(
    HTSIR_OFFLINE, name="HTSIR_OFFLINE_BM25", scoring=replace(HTSIR_OFFLINE.scoring, dense=0, bm25=1)
)
"""The same by BM25."""

HTSIR_POOLED: Final = replace(
    HTSIR_OFFLINE,
    name="HTSIR_POOLED",
    indexing=Indexing(tree=TreeShape.SECTIONS, context_weight=1.0),
    scoring=replace(HTSIR_OFFLINE.scoring, path=2.0),
)
"""The same without notes, the vectors of inner nodes pooled from their sentences, and with more weight on where a node
stands: for meetings and other talk, whose first sentences say little.
"""

FLAT_LEAVES: Final = replace(
    HTSIR, name="FLAT_LEAVES", selection=replace(HTSIR.selection, layers=(Layer.LEAF,)), scoring=Scoring(bm25=0.3)
)
"""HTSIR's leaves alone, by both retrievers: what the tree is compared with (x of the paper's table 9)."""

FLAT_LEAVES_DENSE: Final = replace(FLAT_LEAVES, name="FLAT_LEAVES_DENSE", scoring=Scoring())
"""The same by vectors alone."""

FLAT_LEAVES_BM25: Final = replace(FLAT_LEAVES, name="FLAT_LEAVES_BM25", scoring=Scoring(dense=0, bm25=1))
"""The same by BM25."""

FLAT_CHUNK_BM25: Final = replace(FLAT_CHUNK, name="FLAT_CHUNK_BM25", scoring=Scoring(dense=0, bm25=1))
"""Chunks of at most 100 words at sentence boundaries, sections ignored, by BM25."""


def _variant(name: str, selection: Selection) -> Recipe:
    """DISRetrieval with another selection, on the same index: the ablations of the paper."""
    return replace(DISRETRIEVAL, name=f"DISRETRIEVAL_{name}", selection=selection)


VARIANTS: Final = (
    _variant("LEAF_ONLY", Selection(expand=False)),
    _variant("SUMMARY_TEXT", Selection(take=Take.NOTE)),
    _variant("ALL_LEAVES", Selection(leaf_top_k=0)),
    _variant("RANK_ORDER", Selection(group_order=GroupOrder.RANK)),
    _variant("ORIGINAL_ORDER", Selection(group_order=GroupOrder.DOCUMENT)),
    replace(DISRETRIEVAL, name="DISRETRIEVAL_MARKED", reader_text=ReaderText.MARKED_DOCUMENT),
    replace(FLAT_SENTENCE, name="FULL_CONTEXT", reader_text=ReaderText.DOCUMENT),
)
"""Leaves only; summary text; all filtered leaves; the best leaves by rank, or in text order (the default); evidence
marked in the full document; the full document.
"""

_CHUNKS: Final = Indexing(units=Units.ENCODER_TOKENS, chunk_tokens=256, tree=TreeShape.FLAT)


def _top(k: int, chunk_tokens: int = 256) -> Selection:
    """The k best chunks, whole."""
    return Selection(expand=False, max_nodes=k, max_words=k * chunk_tokens)


STANDARD_RAG: Final = Recipe("STANDARD_RAG", _CHUNKS, selection=_top(10))
"""The ten best chunks of 256 tokens by cosine, one after another: what Disco-RAG is compared with."""

DISCO_RAG: Final = replace(
    STANDARD_RAG,
    name="DISCO_RAG",
    planning=Planning(TreesBy.LLM, GraphBy.LISTWISE, PlanBy.LLM, Format.FULL_1),
)
"""Disco-RAG as in the paper: trees, listwise graph and plan by the language model, all of it in the prompt. Without a
model the parser, the local scorer and rules make them, and the answer quotes by plan.
"""

DISCO_RAG_SPARSE: Final = replace(
    STANDARD_RAG,
    name="DISCO_RAG_SPARSE",
    planning=Planning(TreesBy.PARSER, GraphBy.SPARSE, PlanBy.STRUCTURE, Format.COMPACT_1, digest_words=25),
)
"""The same at less cost: the parser's trees, a graph of related pairs from the chunks' nuclei, a plan by rules."""

DISCO_RAG_PLANNED: Final = replace(
    STANDARD_RAG,
    name="DISCO_RAG_PLANNED",
    planning=Planning(TreesBy.PARSER, GraphBy.LOCAL, PlanBy.LLM, Format.COMPACT_1, digest_words=25),
)
"""The parser's trees, a graph without a model, and a plan by the model from that graph and the chunks' nuclei."""

DISCO_RAG_LOCAL: Final = replace(
    STANDARD_RAG,
    name="DISCO_RAG_LOCAL",
    planning=Planning(TreesBy.PARSER, GraphBy.LOCAL, PlanBy.STRUCTURE, Format.COMPACT_1),
)
"""The same without a language model but for the answer, if one is at hand."""

RETRIEVE_AND_PLAN: Final = replace(STANDARD_RAG, name="RETRIEVE_AND_PLAN", planning=Planning(plan=PlanBy.WITH_ANSWER))
"""Standard RAG whose reply begins with a plan."""

PLAN_AND_RETRIEVE: Final = replace(
    STANDARD_RAG, name="PLAN_AND_RETRIEVE", planning=Planning(plan=PlanBy.BEFORE_RETRIEVAL)
)
"""Standard RAG that plans from the question alone, and searches for what the plan needs."""

DISCOURSE_MARKERS: Final = replace(
    STANDARD_RAG, name="DISCOURSE_MARKERS", planning=Planning(graph=GraphBy.MARKERS, format=Format.FULL_1)
)
"""Standard RAG with connectives between the chunks: the paper's appendix F."""


def without(recipe: Recipe, part: str) -> Recipe:
    """The recipe without its ``"tree"``, ``"graph"`` or ``"plan"``: the ablations of the paper's table 4."""
    planning = {
        "tree": replace(recipe.planning, trees=TreesBy.NONE),
        "graph": replace(recipe.planning, graph=GraphBy.NONE),
        "plan": replace(recipe.planning, plan=PlanBy.NONE),
    }
    return replace(recipe, name=f"{recipe.name}_NO_{part.upper()}", planning=planning[part])


def perturbed(recipe: Recipe, harm: PerturbationKind, share: float = 0.3, seed: int = 0) -> Recipe:
    """The recipe with a part of its structure harmed: the paper's figures 3c and 4."""
    percent = f"_{round(100 * share)}" if harm is PerturbationKind.NOISE_CHUNKS else ""
    name = f"{recipe.name}_{harm.upper().replace('-', '_')}{percent}"
    harms = (*recipe.planning.perturbations, Perturbation(harm, share, seed))
    return replace(recipe, name=name, planning=replace(recipe.planning, perturbations=harms))


def with_chunks(recipe: Recipe, *, tokens: int = 256, top_k: int = 10) -> Recipe:
    """The recipe with chunks of another size, or more or fewer of them: the paper's figures 3a and 3b."""
    name = f"{recipe.name}_C{tokens}_K{top_k}"
    indexing = replace(recipe.indexing, chunk_tokens=tokens)
    return replace(recipe, name=name, indexing=indexing, selection=_top(top_k, tokens))


_HARMED: Final = tuple(
    recipe
    for of in (DISCO_RAG, DISCO_RAG_LOCAL)
    for recipe in (
        *(without(of, part) for part in ("tree", "graph", "plan")),
        *(perturbed(of, harm) for harm in PerturbationKind if harm is not PerturbationKind.NOISE_CHUNKS),
        *(perturbed(of, PerturbationKind.NOISE_CHUNKS, share) for share in (0.2, 0.4)),
    )
)
_NOISY: Final = tuple(perturbed(STANDARD_RAG, PerturbationKind.NOISE_CHUNKS, share) for share in (0.2, 0.4))
_SIZES: Final = tuple(
    with_chunks(of, tokens=tokens, top_k=top_k)
    for of in (STANDARD_RAG, DISCO_RAG, DISCO_RAG_LOCAL)
    for tokens, top_k in ((128, 10), (512, 10), (1024, 10), (256, 5), (256, 20), (256, 30), (256, 50))
)

DISCO_RAG_FAMILY: Final = (
    STANDARD_RAG,
    DISCO_RAG,
    DISCO_RAG_SPARSE,
    DISCO_RAG_PLANNED,
    DISCO_RAG_LOCAL,
    RETRIEVE_AND_PLAN,
    PLAN_AND_RETRIEVE,
    DISCOURSE_MARKERS,
    *_HARMED,
    *_NOISY,
    *_SIZES,
)
"""Disco-RAG, what it is compared with, its ablations, perturbations, and sweeps of chunk size and top-k."""

RECIPES: Final = {
    recipe.slug: recipe
    for recipe in (
        TREATISE,
        TREATISE_RERANKED,
        SUMMARY,
        BALANCED,
        RANDOM,
        FLAT_SENTENCE,
        FLAT_CHUNK,
        BM25,
        DISRETRIEVAL,
        DISRETRIEVAL_STORIES,
        DISRETRIEVAL_CODE,
        DISRETRIEVAL_NUCLEI,
        DISRETRIEVAL_HYBRID,
        DISRETRIEVAL_THRIFTY,
        DISRETRIEVAL_POOLED,
        DISRETRIEVAL_LEARNED,
        BISECTION,
        BISECTION_POOLED,
        RAPTOR,
        HTSIR,
        HTSIR_DENSE,
        HTSIR_BM25,
        HTSIR_TRAVERSAL,
        HTSIR_OFFLINE,
        HTSIR_OFFLINE_DENSE,
        HTSIR_OFFLINE_BM25,
        HTSIR_POOLED,
        FLAT_LEAVES,
        FLAT_LEAVES_DENSE,
        FLAT_LEAVES_BM25,
        FLAT_CHUNK_BM25,
        *VARIANTS,
        *DISCO_RAG_FAMILY,
    )
}

_WITH_TAU: Final = re.compile(r"(.+)-tau-(\d{1,6})")


def recipe_named(slug: str) -> Recipe:
    """The recipe of that name in lower case with hyphens, as on the command line.

    ``-tau-WORDS`` after a name sets its tau: ``disretrieval-tau-100``.

    Raises:
        RecipeError: Where there is none; the message gives the nearest names.
    """
    if slug in RECIPES:
        return RECIPES[slug]
    if (named := _WITH_TAU.fullmatch(slug)) and named[1] in RECIPES:
        return RECIPES[named[1]].with_tau(int(named[2]))
    near = get_close_matches(slug, RECIPES)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise RecipeError(f"no recipe is named {slug!r}{hint} (all names: treatise list --recipes)")
