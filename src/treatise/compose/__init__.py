"""Builds objects from settings: the only place that knows the names of engines, models, stores and servers.

Each file has one table from names to functions that open them; error messages list the table.
"""

from treatise.compose.encoders import BUILT_IN_ENCODER, MULTILINGUAL_ENCODER, open_encoder
from treatise.compose.language_models import SERVERS, open_budget, open_language_model
from treatise.compose.library import engines_for_workers, open_engines, open_library
from treatise.compose.parsers import (
    open_chunk_parser,
    open_parser,
    open_segmenter,
    open_text_parser,
)
from treatise.compose.rerankers import BUILT_IN_RERANKER, LATE_INTERACTION, LISTWISE, open_reranker
from treatise.compose.sectioners import open_sectioners
from treatise.compose.stores import open_store
from treatise.core.installed import MULTILINGUAL_PACKAGES

__all__ = [
    "BUILT_IN_ENCODER",
    "BUILT_IN_RERANKER",
    "LATE_INTERACTION",
    "LISTWISE",
    "MULTILINGUAL_ENCODER",
    "MULTILINGUAL_PACKAGES",
    "SERVERS",
    "engines_for_workers",
    "open_budget",
    "open_chunk_parser",
    "open_encoder",
    "open_engines",
    "open_language_model",
    "open_library",
    "open_parser",
    "open_reranker",
    "open_sectioners",
    "open_segmenter",
    "open_store",
    "open_text_parser",
]
