"""What a written answer rests on: passages to the letter, and of notes the places that they stand for."""

from collections.abc import Iterator, Sequence

from tests.builders import make_document
from treatise.core.answer import Answer, Support
from treatise.core.document import Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.generate.prompted import answer_by_model
from treatise.generate.refined import Writer
from treatise.testing import HashingEncoder, ScriptedModel

SENTENCES = [
    "Anna wants the tall tower.",
    "The council met on Monday.",
    "Ben calls the tower a costly mistake.",
    "The minutes were kept by the clerk.",
    "They meet again in May.",
]
DOCUMENT = make_document([SENTENCES])
SPANS = tuple(Span(at := DOCUMENT.text.index(sentence), at + len(sentence)) for sentence in SENTENCES)
NOTE = Passage(DOCUMENT.id, SPANS[0], "Opinions on the tower differ, and 300 people marched.", 1.0, noted=SPANS)
QUOTE = Passage(DOCUMENT.id, SPANS[4], SENTENCES[4], 0.5)
EVIDENCE = Evidence("What do they think of the tower?", (NOTE, QUOTE), "", 300, 0.9)


def answered(model: LanguageModel, evidence: Evidence = EVIDENCE) -> Answer:
    return answer_by_model(evidence, [DOCUMENT], Writer(model, HashingEncoder()))


def test_a_sentence_that_cites_a_note_shows_the_places_below_it_that_bear_it_out() -> None:
    answer = answered(ScriptedModel(["Ben calls the tower a costly mistake. [1] They meet again in May. [2]"]))
    first, second = answer.statements
    shown = [answer.citations[i].quote for i in first.citations]
    assert SENTENCES[2] in shown
    assert len(shown) <= 3
    assert first.support is Support.QUOTED
    assert [answer.citations[i].quote for i in second.citations] == [SENTENCES[4]]
    assert all(DOCUMENT.quote(one.span.start, one.span.end) == one.quote for one in answer.citations)


def test_a_sentence_without_a_number_cites_the_passage_that_bears_it_out_or_nothing() -> None:
    answer = answered(ScriptedModel(["They meet again in May. The mayor resigned over 300 bribes."]))
    first, second = answer.statements
    assert (first.support, second.support) == (Support.QUOTED, Support.UNVERIFIED)
    assert [answer.citations[i].quote for i in first.citations] == [SENTENCES[4]]
    assert not second.citations


def test_what_a_model_says_again_is_left_out() -> None:
    answer = answered(
        ScriptedModel(["They meet again in May. [2] Ben is angry. They meet again in May. [2] Ben is angry."])
    )
    assert answer.text == "They meet again in May. Ben is angry."
    assert "the model repeated itself: 2 sentences were left out" in answer.notes


def test_what_only_a_note_says_is_not_verified() -> None:
    answer = answered(ScriptedModel(["Opinions on the tower differ, and 300 people marched. [1]"]))
    assert [statement.support for statement in answer.statements] == [Support.UNVERIFIED]
    assert answer.notes[0].startswith("1 of 1 sentence could not be verified: “300” is not in the text")


def test_the_longest_reply_grows_with_the_evidence_and_a_cut_one_says_so() -> None:
    class Endless(ScriptedModel):
        def chat(
            self,
            conversations: Sequence[Sequence[Message]],
            *,
            max_tokens: int,
            schema: dict[str, object] | None = None,
        ) -> Iterator[tuple[int, Reply | Exception]]:
            allowed.append(max_tokens)
            yield 0, Reply("Anna wants the tall tower. [1] Anna wants", 9, max_tokens, truncated=True)

    allowed: list[int] = []
    assert "cut off" in answered(Endless([])).notes[0]
    longer = Passage(DOCUMENT.id, SPANS[0], "word " * 400, 1.0, noted=SPANS)
    answered(Endless([]), Evidence("Why?", (longer,), "", 500, 0.9))
    assert 160 < allowed[0] < 220 < allowed[1] <= 600
