"""Test support for users of Treatise: small deterministic parts, and a contract check for each protocol.

>>> check_encoder(HashingEncoder)
>>> check_language_model(lambda: ScriptedModel(lambda conversation: "7"))
>>> check_reranker(ScriptedReranker)
"""

from treatise.testing.candidates_contract import check_candidate_finder
from treatise.testing.claim_judges import ScriptedJudge, check_claim_judge
from treatise.testing.encoder_contract import check_encoder
from treatise.testing.encoders import HashingEncoder
from treatise.testing.language_model_contract import check_language_model
from treatise.testing.language_models import ScriptedModel
from treatise.testing.parser_contract import check_parser, check_scorer, check_segmenter
from treatise.testing.passage_reader_contract import check_passage_reader
from treatise.testing.passage_readers import ScriptedReader
from treatise.testing.reranker_contract import check_reranker
from treatise.testing.rerankers import FailingReranker, ScriptedReranker
from treatise.testing.samples import sample_indexed
from treatise.testing.sectioner_contract import check_sectioner
from treatise.testing.store_contract import check_store, sample_state

__all__ = [
    "FailingReranker",
    "HashingEncoder",
    "ScriptedJudge",
    "ScriptedModel",
    "ScriptedReader",
    "ScriptedReranker",
    "check_candidate_finder",
    "check_claim_judge",
    "check_encoder",
    "check_language_model",
    "check_parser",
    "check_passage_reader",
    "check_reranker",
    "check_scorer",
    "check_sectioner",
    "check_segmenter",
    "check_store",
    "sample_indexed",
    "sample_state",
]
