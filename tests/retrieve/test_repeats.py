"""Passages that several documents have word for word are shown once."""

import numpy as np

from tests.builders import make_indexed
from treatise.core.recipe import Selection
from treatise.retrieve.outline import outline
from treatise.retrieve.repeats import Repeats, repeat_notes
from treatise.retrieve.selection import select

LONG = "The boiler of the northern station was repaired in the spring of 1931."
OTHER = "The boiler of the southern station was replaced in the autumn of 1932."
SHORT = "See the table below."


def selected(*texts: list[str]) -> tuple[list[str], tuple[str, ...]]:
    indexed = [make_indexed([one]) for one in texts]
    repeats = Repeats([one.document for one in indexed])
    scores = [np.ones(one.n_nodes, dtype=np.float32) for one in indexed]
    passages = select(
        indexed,
        [outline(one) for one in indexed],
        scores,
        max_words=1_000,
        selection=Selection(expand=False),
        repeats=repeats,
    )
    return [passage.text for passage in passages], repeat_notes(passages, [one.document for one in indexed])


def test_a_passage_of_two_documents_is_shown_once_and_a_note_says_so() -> None:
    texts, notes = selected([LONG, SHORT], [LONG.upper(), OTHER, SHORT])
    assert texts == [LONG, SHORT, OTHER, SHORT]  # a short one may be the same by chance
    assert len(notes) == 1
    assert notes[0].startswith("“The boiler of the northern station was repaired …” is word for word in ")
    assert notes[0].endswith(" too; shown once")


def test_a_document_may_repeat_itself() -> None:
    texts, notes = selected([LONG, OTHER, LONG], [SHORT])
    assert texts.count(LONG) == 2
    assert notes == ()
