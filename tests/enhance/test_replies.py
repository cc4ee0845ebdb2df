"""Replies of a model that were to be JSON, and are something else; whole runs over such models."""

import json
from collections.abc import Sequence

import pytest

from tests.enhance.models import SENTENCES, condense
from treatise.core.errors import ModelReplyError
from treatise.core.note import Origin
from treatise.core.ports import Message, Reply
from treatise.core.recipe import Notes, Summaries
from treatise.enhance import NoteRequest, write_notes
from treatise.enhance.replies import read_note, read_notes
from treatise.llm.runner import LlmRunner
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


STORY = (
    "The harbour of Lisbon was rebuilt in 1755 after an earthquake. Engineers measured the walls and found that those "
    "of brick had cracked. The council ordered walls of stone, and merchants paid for them by a tax on sugar."
)
RULES = "You condense neighbouring parts of a document into one passage that stands for them in a search index."
NO_NOTE = {
    "it is empty": "  \n",
    "it is a refusal": "I'm sorry, I cannot summarise this text.",
    "asked were at most": "The harbour of Lisbon was rebuilt. " * 30,
    "the text that it stands for only": "The harbour walls of Lisbon cracked and were rebuilt of stone. " * 6,
    "it repeats the request": "It says how to condense neighbouring parts of a document into one passage.",
    "it repeats the request ": "<part> The harbour of Lisbon was rebuilt. </part>",
    "another script": "里斯本的港口在地震之后重建了。",
    "another language, or not": "Der Hafen wurde nach dem Erdbeben neu gebaut, und Kaufleute zahlten die Mauern.",
    "another language, or not ": "OK",
    "another language, or not  ": "Sure! Here is your summary:",
}


@pytest.mark.parametrize(("reason", "said"), NO_NOTE.items(), ids=map(str.strip, NO_NOTE))
def test_what_is_no_note_on_the_text_is_refused_with_the_reason(reason: str, said: str) -> None:
    with pytest.raises(ModelReplyError, match=reason.strip()):
        read_note(Reply(said, 0, 0), STORY, 100, RULES)


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("After the earthquake, Lisbon built its harbour anew in stone, paid for by taxing sugar.", STORY),
        ("Stone replaced brick.", STORY),
        ("Yes.", "Was it rebuilt? Yes."),
        ("温度逐年上升。", "研究人员在北京测量了三十年的温度变化,发现温度逐年上升。"),
        ("She left.", "She left. He did not see her go."),
    ],
)
def test_a_paraphrase_is_a_note_however_short(said: str, source: str) -> None:
    assert read_note(Reply(said, 0, 0), source, 100, RULES) == said


def test_what_a_text_says_of_passages_and_parts_is_no_echo() -> None:
    source = f"{RULES} So says the manual. Its example is <part> of it."
    assert read_note(
        Reply("The manual says: you condense neighbouring parts of a document <part> by <part>.", 0, 0),
        source,
        50,
        RULES,
    )


def test_json_in_a_fence_is_read_and_what_was_cut_off_is_not() -> None:
    assert read_notes(Reply(f"```json\n{GOOD}\n```", 0, 0), SOURCES, max_words=20) == ("One.", "Another.")
    with pytest.raises(ModelReplyError, match="cut off"):
        read_notes(Reply(GOOD, 0, 0, truncated=True), SOURCES, max_words=20)


@pytest.mark.parametrize("reply", BAD.values(), ids=BAD)
def test_a_batch_without_its_json_is_written_by_single_calls(reply: str) -> None:
    def careless(conversation: Sequence[Message]) -> str:
        said = condense(conversation)
        return reply if said.startswith("{") else said

    outline = NoteRequest(balanced([4, 4]), SENTENCES[:8])
    writer = LlmRunner(ScriptedModel(careless))
    (notes,) = write_notes([outline], Notes(Summaries.LLM, batch_words=50), writer)
    assert {note.origin for note in notes} == {Origin.LEAF, Origin.SUMMARY}
    assert writer.spending.rejected.total() == 2  # a batch a paragraph
