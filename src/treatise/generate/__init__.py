"""Evidence to an answer whose every sentence is cited: quoted without a model, or written by one and checked."""

from treatise.generate.conflicts import with_conflicts
from treatise.generate.extracted import answer_by_extraction
from treatise.generate.planned import answer_by_plan
from treatise.generate.prompted import Guidance, answer_by_model

__all__ = ["Guidance", "answer_by_extraction", "answer_by_model", "answer_by_plan", "with_conflicts"]
