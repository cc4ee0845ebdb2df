"""Evidence to an answer whose every sentence is cited: quoted without a model, or written by one and checked."""

from treatise.generate.extracted import answer_by_extraction
from treatise.generate.prompted import answer_by_model

__all__ = ["answer_by_extraction", "answer_by_model"]
