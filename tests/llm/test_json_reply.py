"""JSON in replies: with or without a fence, and an error in place of anything else."""

import pytest

from treatise.core.errors import ModelReplyError
from treatise.core.ports import Reply
from treatise.llm.json_reply import json_list, json_object, parse_json


@pytest.mark.parametrize("text", ['{"a": [1]}', ' {"a": [1]}\n', '```json\n{"a": [1]}\n```', '```\n{"a": [1]}```'])
def test_an_object_is_read_with_or_without_a_fence(text: str) -> None:
    assert json_object(Reply(text, 1, 1)) == {"a": [1]}
    assert json_list(Reply(text, 1, 1), "a") == [1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("Sure!", "not the JSON asked for"),
        ("[1]", "not the JSON asked for"),
        ('{"a": 1', "not the JSON asked for"),
        ('Here: {"a": [1]}', "not the JSON asked for"),
        ("[" * 200_000, "not the JSON asked for"),
        ('{"a": ' * 100_000, "not the JSON asked for"),
    ],
)
def test_anything_else_is_rejected_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ModelReplyError) as found:
        json_object(Reply(text, 1, 1))
    assert found.value.rejection_reason == reason


def test_a_reply_that_was_cut_off_is_rejected_even_if_it_is_json() -> None:
    with pytest.raises(ModelReplyError, match="cut off"):
        json_object(Reply("{}", 1, 1, truncated=True))


@pytest.mark.parametrize("text", ["{}", '{"a": {"b": 1}}', '{"a": null}'])
def test_a_missing_list_is_named(text: str) -> None:
    with pytest.raises(ModelReplyError, match="needs 'a', a list"):
        json_list(Reply(text, 1, 1), "a")


def test_json_nested_too_deeply_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_json("[" * 200_000)
