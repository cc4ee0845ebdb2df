"""The contract of ``treatise.core.ports.LanguageModel``."""

from collections.abc import Callable

from treatise.core.errors import EngineError
from treatise.core.ports import Decodable, LanguageModel, Message, Reply
from treatise.core.recipe import DEFAULT_DECODING, Decoding

_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}


def check_language_model(make: Callable[[], LanguageModel], n_conversations: int = 5) -> None:
    """Asserts that a language model keeps its contract; ``make`` is called once.

    Args:
        make: Returns a model that works, or fails on some conversations with an ``EngineError``.
        n_conversations: Number of conversations per call.

    Raises:
        AssertionError: Names the first violated rule.
    """
    model = make()
    assert model.name, "the name is empty"
    assert model.context_tokens >= 0, "the window is below 0"
    assert list(model.chat([], max_tokens=10)) == [], "no conversations must give no replies"
    conversations = [_conversation(number) for number in range(n_conversations)]
    for schema in (None, _SCHEMA):
        _assert_replies(list(model.chat(conversations, max_tokens=50, schema=schema)), n_conversations)
    _closing_early_is_harmless(model, conversations)
    if isinstance(model, Decodable):
        _decoding_is_in_the_name(model)


def _decoding_is_in_the_name(model: Decodable) -> None:
    default = model.with_decoding(DEFAULT_DECODING)
    other = model.with_decoding(Decoding(temperature=0.7, top_p=0.9, max_tokens=40, seed=1))
    assert other.name != default.name, "the name does not tell the decoding settings"
    assert isinstance(other, Decodable), "decoding can be set only once"
    assert other.with_decoding(DEFAULT_DECODING).name == default.name, "the default settings do not come back"


def _conversation(number: int) -> list[Message]:
    return [Message("system", "Answer with the number alone."), Message("user", f"Which number is this: {number}?")]


def _assert_replies(replies: list[tuple[int, Reply | Exception]], n_conversations: int) -> None:
    indices = sorted(index for index, _ in replies)
    assert indices == list(range(n_conversations)), f"each conversation has one reply, found indices {indices}"
    for _, reply in replies:
        assert isinstance(reply, Reply | EngineError), f"expected a Reply or an EngineError, found {reply!r}"
        if isinstance(reply, Reply):
            assert isinstance(reply.text, str), "a reply's text is no string"
            assert min(reply.prompt_tokens, reply.completion_tokens) >= 0, "tokens are counted below 0"


def _closing_early_is_harmless(model: LanguageModel, conversations: list[list[Message]]) -> None:
    replies = iter(model.chat(conversations, max_tokens=50))
    next(replies)
    del replies
    assert len(list(model.chat(conversations, max_tokens=50))) == len(conversations), (
        "a broken-off chat spoils the next"
    )
