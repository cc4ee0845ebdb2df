"""Replies of a model that were to be JSON, and are something else; whole runs over such models."""

import json
from collections.abc import Sequence

import pytest

from tests.enhance.models import SENTENCES, condense
from treatise.core.errors import ModelReplyError
from treatise.core.note import Origin
from treatise.core.ports import Message, Reply
from treatise.core.recipe import Notes, Summaries
from treatise.enhance import Unwritten, Writer, write_notes
from treatise.enhance.replies import read_notes
from treatise.testing import ScriptedModel
from treatise.tree import balanced

SOURCES = ["One source of some words.", "Another source of some words."]
GOOD = json.dumps({"notes": [{"number": 1, "text": "One."}, {"number": 2, "text": "Another."}]})

BAD = {
    "prose": "Here are the two notes that you wanted.",
    "torn JSON": GOOD[:-12],
    "JSON with prose around it": f"Sure! {GOOD}",
    "another object": '{"summaries": []}',
    "no object": "[1, 2]",
    "a number": "7",
    "notes that are no list": '{"notes": "One. Another."}',
    "a note without a number": '{"notes": [{"text": "One."}, {"number": 2, "text": "Another."}]}',
    "a number that is none": '{"notes": [{"number": "one", "text": "One."}, {"number": 2, "text": "Another."}]}',
    "notes that are texts": '{"notes": ["One.", "Another."]}',
    "one too few": '{"notes": [{"number": 1, "text": "One."}]}',
    "out of order": '{"notes": [{"number": 2, "text": "Another."}, {"number": 1, "text": "One."}]}',
    "doubled": '{"notes": [{"number": 1, "text": "One."}, {"number": 1, "text": "One."}]}',
    "an empty note": '{"notes": [{"number": 1, "text": ""}, {"number": 2, "text": "Another."}]}',
    "a refusal inside": '{"notes": [{"number": 1, "text": "I\'m sorry, I cannot."}, {"number": 2, "text": "B."}]}',
    "another script": '{"notes": [{"number": 1, "text": "这是另外一种文字写的。"}, {"number": 2, "text": "B."}]}',
    "one far too long": json.dumps({"notes": [{"number": 1, "text": "a " * 99}, {"number": 2, "text": "B."}]}),
    "nested beyond reason": "[" * 100_000,
}


@pytest.mark.parametrize("reply", BAD.values(), ids=BAD)
def test_what_is_not_the_json_that_was_asked_for_is_refused(reply: str) -> None:
    with pytest.raises(ModelReplyError):
        read_notes(Reply(reply, 0, 0), SOURCES, max_words=20)


def test_json_in_a_fence_is_read_and_what_was_cut_off_is_not() -> None:
    assert read_notes(Reply(f"```json\n{GOOD}\n```", 0, 0), SOURCES, max_words=20) == ("One.", "Another.")
    with pytest.raises(ModelReplyError, match="cut off"):
        read_notes(Reply(GOOD, 0, 0, truncated=True), SOURCES, max_words=20)


@pytest.mark.parametrize("reply", BAD.values(), ids=BAD)
def test_a_batch_without_its_json_is_written_by_single_calls(reply: str) -> None:
    def careless(conversation: Sequence[Message]) -> str:
        said = condense(conversation)
        return reply if said.startswith("{") else said

    outline = Unwritten(balanced([4, 4]), SENTENCES[:8])
    writer = Writer(ScriptedModel(careless))
    (notes,) = write_notes([outline], Notes(Summaries.LLM, batch_words=50), writer)
    assert {note.origin for note in notes} == {Origin.LEAF, Origin.SUMMARY}
    assert writer.spending.n_rejected == 2  # a batch a paragraph
