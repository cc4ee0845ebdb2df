"""Two things are compared by passages on each; if the document never mentions one, the refusal names it."""

import pytest

from treatise.core.answer import Answer
from treatise.core.document import Document, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate.contrasted import compared_things, refused_unmentioned, side_by_side, speaks_of_all
from treatise.generate.not_found import UNSURE
from treatise.generate.quoted import quoting
from treatise.ingest import read_bytes

LEASE = read_bytes(
    b"# Lease\n\nDogs are not permitted in the house.\n\nDogs of guests may stay for a night.\n\n"
    b"Dogs must be on a lead in the garden.\n\nCats need the consent of the landlord.\n",
    name="lease.md",
)


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Compare dogs and cats.", ("dogs", "cats")),
        ("Could you please compare the old roof with the new one?", ("old roof", "new one")),
        ("Compare and contrast tea to coffee", ("tea", "coffee")),
        ("Explain the differences between rings and wands", ("rings", "wands")),
        ("What is the difference between dogs and cats?", ("dogs", "cats")),
        ("How does the lease compare to the licence?", ("lease", "licence")),
        ("How do dogs and cats differ?", ("dogs", "cats")),
        ("Compare dogs.", ()),
        ("Compare this and that.", ()),
        ("Who compared dogs and cats?", ()),
        ("What is the difference?", ()),
        ("Describe dogs and cats.", ()),
    ],
)
def test_the_things_are_those_that_a_question_asks_to_compare(question: str, things: tuple[str, ...]) -> None:
    assert compared_things(question) == things


def test_each_thing_has_passages_of_its_own() -> None:
    question = "Compare dogs and cats."
    found = [evidence_of(question, "Dogs"), evidence_of(question, "Cats")]
    answer = side_by_side(doubted(question), ("dogs", "cats"), found, LEASE)
    assert [one.text for one in answer.statements] == [
        "Dogs are not permitted in the house.",
        "Dogs of guests may stay for a night.",
        "Cats need the consent of the landlord.",
    ]
    assert len(answer.evidence.passages) == 4
    assert answer.question == answer.evidence.question == question


def test_an_answer_stays_if_one_thing_has_no_passages() -> None:
    question = "Compare dogs and cats."
    found = [evidence_of(question, "Dogs"), evidence_of(question, "Horses")]
    answer = doubted(question)
    assert side_by_side(answer, ("dogs", "cats"), found, LEASE) is answer


def test_what_the_document_never_mentions_is_named() -> None:
    evidence = evidence_of("Compare dogs and horses.", "Dogs")
    refused = refused_unmentioned(("dogs", "horses"), evidence, LEASE)
    assert refused is not None
    assert (refused.found, refused.notes) == (False, ("the document never mentions horses",))
    assert refused_unmentioned(("dogs", "cats"), evidence, LEASE) is None


def test_an_answer_speaks_of_all_if_it_has_a_word_of_each() -> None:
    evidence = evidence_of("Compare dogs and cats.", "")
    of_both = quoting(evidence, [(LEASE, evidence.passages[at].span) for at in (0, 3)])
    of_one = quoting(evidence, [(LEASE, evidence.passages[0].span)])
    assert speaks_of_all(of_both, ("dogs", "a cat"))
    assert not speaks_of_all(of_one, ("dogs", "a cat"))
    assert not speaks_of_all(doubted("Compare dogs and cats."), ("dogs", "a cat"))


def evidence_of(question: str, beginning: str, document: Document = LEASE) -> Evidence:
    """The sentences with this beginning, the first one best."""
    spans = [trim(document.text, one) for one in document.sentences()][1:]
    texts = [document.quote(one.start, one.end) for one in spans]
    passages = (
        Passage(document.id, span, text, 1 - number / 99)
        for number, (span, text) in enumerate(zip(spans, texts, strict=True))
        if text.startswith(beginning)
    )
    return Evidence(question, tuple(passages), "", 300, 0.2)


def doubted(question: str) -> Answer:
    return Answer(question, UNSURE, (), (), evidence_of(question, ""), found=False)
