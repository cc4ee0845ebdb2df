"""Disco-RAG, its baselines, ablations and perturbations, and sweeps of chunk size and top-k."""

from dataclasses import replace
from typing import Final

from treatise.core.recipe import (
    Flat,
    Format,
    GraphBy,
    Indexing,
    Perturbation,
    PerturbationKind,
    PlanBy,
    Planning,
    Recipe,
    Selection,
    TokenChunks,
    TreesBy,
)

_CHUNKS: Final = Indexing(TokenChunks(256), Flat())


def _top(k: int, chunk_tokens: int = 256) -> Selection:
    """The k best chunks, whole."""
    return Selection(expand=False, max_nodes=k, max_words=k * chunk_tokens)


STANDARD_RAG: Final = Recipe("STANDARD_RAG", _CHUNKS, selection=_top(10))
"""The ten best chunks of 256 tokens by cosine, one after another: the baseline of Disco-RAG."""

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
"""The same at lower cost: the parser's trees, a graph of related pairs from the chunks' nuclei, a plan by rules."""

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
"""The same without a language model, except for the answer if there is one."""

RETRIEVE_AND_PLAN: Final = replace(STANDARD_RAG, name="RETRIEVE_AND_PLAN", planning=Planning(plan=PlanBy.WITH_ANSWER))
"""Standard RAG whose reply begins with a plan."""

PLAN_AND_RETRIEVE: Final = replace(
    STANDARD_RAG, name="PLAN_AND_RETRIEVE", planning=Planning(plan=PlanBy.BEFORE_RETRIEVAL)
)
"""Standard RAG that plans from the question alone, and searches for the plan's queries."""

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
    """The recipe with a part of its structure damaged: the paper's figures 3c and 4."""
    percent = f"_{round(100 * share)}" if harm is PerturbationKind.NOISE_CHUNKS else ""
    name = f"{recipe.name}_{harm.upper().replace('-', '_')}{percent}"
    harms = (*recipe.planning.perturbations, Perturbation(harm, share, seed))
    return replace(recipe, name=name, planning=replace(recipe.planning, perturbations=harms))


def with_chunks(recipe: Recipe, *, tokens: int = 256, top_k: int = 10) -> Recipe:
    """The recipe with chunks of another size, or more or fewer of them: the paper's figures 3a and 3b."""
    name = f"{recipe.name}_C{tokens}_K{top_k}"
    indexing = replace(recipe.indexing, units=TokenChunks(tokens))
    return replace(recipe, name=name, indexing=indexing, selection=_top(top_k, tokens))


_HARMED: Final = tuple(
    recipe
    for base in (DISCO_RAG, DISCO_RAG_LOCAL)
    for recipe in (
        *(without(base, part) for part in ("tree", "graph", "plan")),
        *(perturbed(base, harm) for harm in PerturbationKind if harm is not PerturbationKind.NOISE_CHUNKS),
        *(perturbed(base, PerturbationKind.NOISE_CHUNKS, share) for share in (0.2, 0.4)),
    )
)

_NOISY: Final = tuple(perturbed(STANDARD_RAG, PerturbationKind.NOISE_CHUNKS, share) for share in (0.2, 0.4))

_SIZES: Final = tuple(
    with_chunks(base, tokens=tokens, top_k=top_k)
    for base in (STANDARD_RAG, DISCO_RAG, DISCO_RAG_LOCAL)
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
"""Disco-RAG, its baselines, its ablations, perturbations, and sweeps of chunk size and top-k."""

RECIPES: Final = DISCO_RAG_FAMILY
