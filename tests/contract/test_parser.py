"""Every parser, segmenter and scorer keeps its contract, and the contracts notice what breaks them."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from treatise.compose import open_parser, open_segmenter
from treatise.core.document import Document
from treatise.core.ports import Progress
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.by_language import ParserByLanguage, SegmenterByLanguage
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig
from treatise.parse.parser import DocumentParser, TransitionParser
from treatise.parse.rows import Text
from treatise.parse.scorer import NullScorer, Score
from treatise.parse.segment import RuleSegmenter
from treatise.parse.transition import Ranges, inventory
from treatise.settings import Settings
from treatise.testing import check_parser, check_scorer, check_segmenter


def mean_scorer() -> MeanScorer:
    """The paper's scorer over the built-in encoder, with random weights."""
    reader = OnnxTokens(Path(str(files("treatise") / "models" / "treatise-en")), threads=1)
    n_actions, dim = len(inventory()), reader.config.dim
    random = np.random.default_rng(0)
    weights = {
        "actions.weight": random.normal(size=(n_actions, 4 * dim)),
        "actions.bias": random.normal(size=n_actions),
    }
    return MeanScorer(MeanScorerConfig("random", dim, window=64), weights, reader)


def test_the_built_in_parser_keeps_the_contract() -> None:
    check_parser(lambda: open_parser(Settings()))


@pytest.mark.parametrize("paragraphs_first", [True, False])
def test_a_transition_parser_keeps_the_contract(paragraphs_first: bool) -> None:
    for scorer in (NullScorer(), mean_scorer()):
        parser = TransitionParser(scorer, paragraphs_first=paragraphs_first)
        check_parser(lambda parser=parser: DocumentParser(parser))


def test_a_parser_by_language_keeps_the_contract() -> None:
    null = TransitionParser(NullScorer())
    check_parser(lambda: DocumentParser(ParserByLanguage({"en": null}, other=null)))


def test_segmenters_keep_the_contract() -> None:
    check_segmenter(lambda: open_segmenter(Settings()))
    check_segmenter(RuleSegmenter)
    check_segmenter(lambda: SegmenterByLanguage({"en": RuleSegmenter()}, other=RuleSegmenter()))


def test_scorers_keep_the_contract() -> None:
    check_scorer(NullScorer)
    check_scorer(mean_scorer)


class DropsTheLastSentence(DocumentParser):
    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        units = sum(map(len, document.readable_sentences()))
        return self.parse_runs([["x"] * max(1, units - 1)], "en")[0]


class LooksAtTheOtherRuns(DocumentParser):
    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        if len(runs) < 2:
            return super().parse_runs(runs, language)
        return super().parse_runs([["x"] * len(runs[0])], language) * len(runs)


class LosesText(RuleSegmenter):
    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        return [[sentence.strip().rstrip(".")] for sentence in sentences]


class GivesEmptyEdus(RuleSegmenter):
    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        return [[*edus, ""] for edus in super().segment(sentences, lang)]


class LooksAtTheOtherStates(NullScorer):
    def read(self, texts: Sequence[Text]) -> list[Score]:
        return [self._numbered] * len(texts)

    def _numbered(self, views: Ranges) -> Floats:
        return np.arange(3.0 * len(views), dtype=np.float32).reshape(-1, 3)


@pytest.mark.parametrize(
    ("broken", "message"),
    [(DropsTheLastSentence, "expected a tree over"), (LooksAtTheOtherRuns, "expected a tree over 1 sent")],
)
def test_a_broken_parser_is_found_out(broken: type[DocumentParser], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_parser(lambda: broken(TransitionParser(NullScorer())))


@pytest.mark.parametrize(("broken", "message"), [(LosesText, "are not its text"), (GivesEmptyEdus, "an empty EDU")])
def test_a_broken_segmenter_is_found_out(broken: type[RuleSegmenter], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_segmenter(broken)


def test_a_broken_scorer_is_found_out() -> None:
    with pytest.raises(AssertionError, match="depends on the states beside it"):
        check_scorer(LooksAtTheOtherStates)
