"""Every language model keeps the contract, and the scripted one says what it is told to."""

from collections.abc import Sequence

from treatise.core.errors import EngineUnavailableError, ModelReplyError
from treatise.core.ports import Message, Reply
from treatise.testing import ScriptedModel, check_language_model


def ask(text: str) -> list[Message]:
    return [Message("user", text)]


def test_the_scripted_model_keeps_the_contract() -> None:
    check_language_model(lambda: ScriptedModel(lambda messages: messages[-1].content))


def test_a_list_is_said_in_turn_and_errors_in_it_are_failures() -> None:
    failure = EngineUnavailableError("down")
    model = ScriptedModel(["one two three", failure])
    replies = list(model.chat([ask("a b"), ask("c"), ask("d")], max_tokens=2, schema={"type": "object"}))
    assert replies[:2] == [(0, Reply("one two", 2, 2)), (1, failure)]
    assert isinstance(replies[2][1], ModelReplyError)
    assert model.prompts[0] == (Message("user", "a b"),)
    assert model.schemas == [{"type": "object"}] * 3


def test_a_function_may_fail() -> None:
    def say(messages: Sequence[Message]) -> str:
        raise ModelReplyError("no")

    ((_, reply),) = ScriptedModel(say).chat([ask("a")], max_tokens=5)
    assert isinstance(reply, ModelReplyError)
