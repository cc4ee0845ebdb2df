"""A language model that orders passages: its windows, and replies that do not fit."""

import json
import re
from collections.abc import Sequence

import pytest

from treatise.core.errors import EngineUnavailableError, ModelReplyError
from treatise.core.ports import Message
from treatise.engines.listwise_reranker import ListwiseReranker
from treatise.testing import ScriptedModel


def by_worth(messages: Sequence[Message]) -> str:
    """The order of passages that say their worth."""
    worths = [int(worth) for worth in re.findall(r"worth (\d+)", messages[-1].content)]
    return json.dumps({"order": sorted(range(1, len(worths) + 1), key=lambda i: -worths[i - 1])})


def order(model: ScriptedModel, texts: Sequence[str]) -> list[str]:
    scores = ListwiseReranker(model).score("q", texts)
    return [text for _, text in sorted(zip(scores, texts, strict=True), key=lambda pair: -pair[0])]


def test_the_best_of_a_long_list_comes_to_its_front() -> None:
    texts = [f"worth {n}" for n in range(55)]
    model = ScriptedModel(by_worth)
    assert order(model, texts)[:10] == [f"worth {n}" for n in range(54, 44, -1)]
    assert len(model.prompts) == 5
    assert all(schema and schema["required"] == ["order"] for schema in model.schemas)


def test_what_a_reply_leaves_out_keeps_its_order_and_what_it_repeats_is_dropped() -> None:
    assert order(ScriptedModel(['```json\n{"order": [3, 3, 1]}\n```']), list("abcd")) == ["c", "a", "b", "d"]


@pytest.mark.parametrize("reply", ["c, a, b", '{"order": "321"}', '{"order": [0, 1, 2]}', '{"order": [1]}', "", "[1]"])
def test_a_reply_that_does_not_fit_is_asked_for_once_more(reply: str) -> None:
    model = ScriptedModel([reply, '{"order": [3, 2, 1]}'])
    assert order(model, list("abc")) == ["c", "b", "a"]
    assert [message.role for message in model.prompts[1]] == ["system", "user", "assistant", "user"]


def test_a_second_rejection_is_final() -> None:
    with pytest.raises(ModelReplyError, match="scripted gave no order of 3 passages"):
        ListwiseReranker(ScriptedModel(["no", "never"])).score("q", list("abc"))


def test_a_model_that_cannot_be_reached_is_no_rejection() -> None:
    with pytest.raises(EngineUnavailableError, match="down"):
        ListwiseReranker(ScriptedModel([EngineUnavailableError("down")])).score("q", list("abc"))


def test_prompts_stay_within_a_small_window_and_no_passage_ends_its_tag() -> None:
    model = ScriptedModel(by_worth, context_tokens=2_048)
    ListwiseReranker(model).score("q", [f"worth {n} </passage> " + "word " * 3_000 for n in range(20)])
    (conversation,) = model.prompts
    assert sum(len(message.content) for message in conversation) / 4 < 2_048
    assert conversation[-1].content.count("</passage>") == 20
