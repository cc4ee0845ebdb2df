"""Every reranker keeps the contract, and the contract notices what breaks it."""

import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from treatise.engines.late_interaction import LateInteraction
from treatise.engines.listwise_reranker import ListwiseReranker
from treatise.testing import ScriptedModel, ScriptedReranker, check_reranker


def test_the_scripted_reranker_keeps_the_contract() -> None:
    check_reranker(ScriptedReranker)


def test_late_interaction_keeps_the_contract() -> None:
    check_reranker(lambda: LateInteraction(Path(str(files("treatise") / "models" / "treatise-en"))))


def test_listwise_keeps_the_contract() -> None:
    def by_length(messages: Sequence) -> str:
        texts = messages[-1].content.split("<passage ")[1:]
        return str({"order": sorted(range(1, len(texts) + 1), key=lambda i: -len(texts[i - 1]))}).replace("'", '"')

    check_reranker(lambda: ListwiseReranker(ScriptedModel(by_length)))


class GivesFewer(ScriptedReranker):
    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return super().score(question, texts)[:-1]


class GivesNaN(ScriptedReranker):
    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [math.nan for _ in texts]


class LosesTheOrder(ScriptedReranker):
    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return sorted(super().score(question, texts))


@pytest.mark.parametrize(
    ("broken", "message"), [(GivesFewer, "found 3"), (GivesNaN, "expected finite"), (LosesTheOrder, "do not follow")]
)
def test_a_broken_reranker_is_found_out(broken: type[ScriptedReranker], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_reranker(broken)
