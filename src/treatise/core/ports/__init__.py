"""The protocols. Each docstring is the contract that ``treatise.testing`` checks on every implementation."""

from treatise.core.ports.call_cache import CallCache
from treatise.core.ports.candidates import CandidateFinder
from treatise.core.ports.claim_judge import ClaimJudge
from treatise.core.ports.encoder import Encoder, TokenCounter
from treatise.core.ports.language_model import Decodable, LanguageModel, Message, Reply
from treatise.core.ports.parser import ChunkParser, Parser
from treatise.core.ports.passage_reader import PassageReader
from treatise.core.ports.progress import Progress, counted_off
from treatise.core.ports.relator import Relator
from treatise.core.ports.reranker import Reranker
from treatise.core.ports.sectioner import Sectioner
from treatise.core.ports.store import Entry, HasLeafIndex, SourceState, Store
from treatise.core.ports.table_reader import TableReader

__all__ = [
    "CallCache",
    "CandidateFinder",
    "ChunkParser",
    "ClaimJudge",
    "Decodable",
    "Encoder",
    "Entry",
    "HasLeafIndex",
    "LanguageModel",
    "Message",
    "Parser",
    "PassageReader",
    "Progress",
    "Relator",
    "Reply",
    "Reranker",
    "Sectioner",
    "SourceState",
    "Store",
    "TableReader",
    "TokenCounter",
    "counted_off",
]
