"""Evidence to an answer or a summary, every sentence cited: quoted without a model, or written by one and checked."""

from treatise.generate.extracted import answer_by_extraction
from treatise.generate.prompted import answer_by_model
from treatise.generate.summarized import Asked, summarize_by_extraction, summarize_by_model

__all__ = ["Asked", "answer_by_extraction", "answer_by_model", "summarize_by_extraction", "summarize_by_model"]
