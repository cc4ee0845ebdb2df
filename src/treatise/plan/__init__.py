"""Retrieved chunks to their rhetorical structure, and to a plan for the answer (Disco-RAG)."""

from treatise.plan.cached import CachedChunkParser
from treatise.plan.graphs import CachedRelator, ModelRelator, all_pairs
from treatise.plan.local import LocalRelator
from treatise.plan.markers import LocalMarkers
from treatise.plan.nuclearity import digest
from treatise.plan.perturb import perturb, sample_places
from treatise.plan.planners import ModelPlanner, plan_before_retrieval
from treatise.plan.rated_sentences import rate_sentences
from treatise.plan.render import render
from treatise.plan.structured import StructuredPlanner, conflicts
from treatise.plan.trees import ModelChunkParser, ModelUnitParser

__all__ = [
    "CachedChunkParser",
    "CachedRelator",
    "LocalMarkers",
    "LocalRelator",
    "ModelChunkParser",
    "ModelPlanner",
    "ModelRelator",
    "ModelUnitParser",
    "StructuredPlanner",
    "all_pairs",
    "conflicts",
    "digest",
    "perturb",
    "plan_before_retrieval",
    "rate_sentences",
    "render",
    "sample_places",
]
