"""Which sentences make a summary: laws of the limit and the order, the opening, shares of parts, no repeats."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import make_document, make_indexed
from treatise.core.document import ParagraphKind, Section
from treatise.core.indexed import IndexedDocument
from treatise.core.words import n_words
from treatise.generate.parts import MAX_PARTS, parts_of
from treatise.generate.salience import FOR_DOCUMENT, FOR_QUESTION, Weights, salience
from treatise.generate.selection import Selection
from treatise.generate.summarized import SummaryTask, summarize_by_extraction
from treatise.testing import sample_indexed

PLAIN = replace(FOR_DOCUMENT, opens=False, coverage=0.0)


def chosen(indexed: IndexedDocument, scores: list[float], weights: Weights = PLAIN, max_words: int = 1000) -> list[int]:
    return Selection(indexed, np.array(scores, dtype=np.float32), weights, max_words).run()


@settings(deadline=None)
@given(st.integers(0, 20), st.integers(1, 60))
def test_a_summary_is_whole_sentences_within_the_limit_opening_first_the_rest_in_order(seed: int, words: int) -> None:
    indexed = sample_indexed(seed, n_paragraphs=4)
    units = Selection(indexed, salience(indexed, FOR_DOCUMENT), FOR_DOCUMENT, words).run()
    assert units[1:] == sorted(set(units[1:]) - set(units[:1]))
    assert sum(n_words(indexed.document.quote(indexed.units[u].start, indexed.units[u].end)) for u in units) <= words


def test_a_sentence_takes_the_one_that_its_pronoun_stands_for_with_it_or_stays_out() -> None:
    first, second = "The tea of the north grows on hills.", "It is picked by hand in the month of May."
    other = "Coffee comes from the south of the country."
    indexed = make_indexed([[first, second], [other]])
    assert chosen(indexed, [0, 9, 1], max_words=18) == [0, 1]
    assert chosen(indexed, [0, 9, 1], max_words=12) == [2], "both do not fit, and the second is no use alone"
    lost = make_indexed([["What is picked in the month of May?", second], [other]])
    assert chosen(lost, [0, 9, 1]) == [2], "the sentence before it cannot be quoted"


def test_no_sentence_repeats_another_in_other_words() -> None:
    texts = ["We present a corpus of simplified German texts.", "The paper introduces simple German writings in a set.",
             "The corpus of simplified German texts is for teaching.", "It holds seven hundred books in 2019.",
             "The corpus has four thousand pages of text."]  # fmt: skip
    cosines = [[1, 0, 0], [0.95, 0.31, 0], [0.7, 0, 0.71], [0.99, 0.14, 0], [0, 0.3, 0.95]]
    indexed = make_indexed(
        [[texts[0]], [texts[1]], [texts[2]], ["Tea grows on all of the hills.", texts[3]], [texts[4]]]
    )
    rows = np.array([*cosines[:3], [0, 1, 0], *cosines[3:]])
    indexed = replace(indexed, vectors=_placed(indexed, rows))
    assert chosen(indexed, [5, 4, 4, 1, 1, 3]) == [0, 3, 4, 5], "near by vector, near by words; a new number is new"


def test_a_long_enough_summary_is_not_filled_up_with_what_is_below_the_average() -> None:
    first = "The tea of the north grows on the green hills, and the tea of the south grows on the plains."
    indexed = make_indexed([[first], ["The lamp stood in the old room for years."]])
    assert n_words(first) == 20
    assert chosen(indexed, [2, -1], max_words=30) == [0]
    assert chosen(indexed, [2, 1], max_words=30) == [0, 1]
    assert chosen(indexed, [2, -1], max_words=40) == [0, 1]


def _placed(indexed: IndexedDocument, rows: np.ndarray) -> np.ndarray:
    placed = np.zeros((len(indexed.tree.nodes), rows.shape[1]), dtype=np.float16)
    placed[indexed.tree.leaf_nodes] = rows
    return placed


def test_a_summary_begins_with_what_the_document_is() -> None:
    texts = ["Tea has been drunk for many hundred years.", "Many people drink tea each and every morning.",
             "This report describes the trade in tea of the year 2019.",
             "Tea was sold in all of the forty countries."]  # fmt: skip
    indexed = make_indexed([[text] for text in texts])
    opens = replace(PLAIN, opens=True)
    assert chosen(indexed, [1, 2, 0, 3], opens) == [2, 0, 1, 3]
    assert chosen(indexed, [1, 2, 0, 3], opens, max_words=11) == [2]
    assert chosen(indexed, [1, 2, 0, 3], PLAIN) == [0, 1, 2, 3]


def test_without_a_sentence_that_says_so_an_early_one_is_quoted_in_its_place() -> None:
    texts = [f"The king of the {place} had tea with a cat." for place in ("north", "south", "west", "east")]
    texts += [f"Some {thing}{thing} stood in the old room for years." for thing in "abcdefghijklmnopqrstuvwxyz"]
    scores = [4.0, 0.0, 5.0, 0.0, *[0.0] * 26]
    assert chosen(make_indexed([[text] for text in texts]), scores, replace(PLAIN, opens=True), max_words=20) == [0, 2]


def sectioned(*sizes: int) -> IndexedDocument:
    """Sections of so many sentences, each under a heading."""
    paragraphs = [
        group
        for part, size in enumerate(sizes)
        for group in (
            [f"Part {part}"],
            [f"Sentence {i} of the chapter {part} says new things of equal length." for i in range(size)],
        )
    ]
    document = make_document(paragraphs, headings=tuple(range(0, 2 * len(sizes), 2)))
    return replace(make_indexed(paragraphs), document=document)


def test_the_parts_of_a_document_are_covered_in_proportion() -> None:
    indexed = sectioned(12, 6, 6)
    assert set(parts_of(indexed).tolist()) == {0, 1, 2}
    scores = [float(unit < 14) for unit in range(len(indexed.units))]  # the first section is the most salient
    of_first = [unit < 14 for unit in chosen(indexed, scores, max_words=48)]
    assert all(of_first)
    covered = chosen(indexed, scores, replace(PLAIN, coverage=4.0), max_words=48)
    assert np.bincount(parts_of(indexed)[covered]).tolist() == [2, 1, 1]


def test_parts_are_sections_or_stretches_and_never_too_many() -> None:
    assert len(set(parts_of(sectioned(*[3] * 40)).tolist())) <= MAX_PARTS
    flat = make_indexed([[f"Sentence {i} says new things." for i in range(60)]])
    assert np.bincount(parts_of(flat)).tolist() == [10] * 6
    assert parts_of(make_indexed([["One sentence."]])).tolist() == [parts_of(make_indexed([["One sentence."]]))[0]]
    titled = replace(flat, document=replace(flat.document, sections=(Section("All", 1, 0),)))
    assert len(set(parts_of(titled).tolist())) == 6, "a single section is no division"


def test_a_summary_is_not_padded_with_what_cannot_be_quoted() -> None:
    texts = [
        "Tea grows over there on the green hills.",
        "Tea, milk, water and more of all that",
        "Copyright (c) 2001 Tea.",
    ]
    indexed = make_indexed([[text] for text in texts])
    assert chosen(indexed, [0, 9, 9]) == [0]
    assert chosen(make_indexed([["Why is that so?"]]), [0]) == [0], "something is better than nothing"


def test_the_rules_hold_for_a_question_too() -> None:
    indexed = make_indexed(
        [["The tea of the north grows on hills.", "It is picked by hand in May."], ["See Table 3 for tea."]]
    )
    answer = summarize_by_extraction(indexed, SummaryTask("When?", 40, np.array([0, 9, 5], dtype=np.float32)))
    assert [s.text for s in answer.statements] == [
        "The tea of the north grows on hills.",
        "It is picked by hand in May.",
    ]
    assert [indexed.document.quote(c.span.start, c.span.end) for c in answer.citations] == [
        s.text for s in answer.statements
    ]
    assert FOR_QUESTION.opens is False


def test_a_transcript_is_quoted_to_the_letter_and_shown_with_its_speakers() -> None:
    turns = ["Manager: {vocalsound} We decided that the new pot should cost ten euros in every shop .",
             "Marketing: The colour of the pot should be a bright yellow in every shop ."]  # fmt: skip
    answer = summarize_by_extraction(make_indexed([[turn] for turn in turns]), SummaryTask("", 60))
    assert answer.citations[0].quote == turns[0]
    assert answer.statements[0].text == turns[0].replace("{vocalsound} ", "").replace(" .", ".")
    assert answer.text == " ".join(statement.text for statement in answer.statements)


def test_a_title_that_the_text_only_mentions_does_not_begin_the_summary() -> None:
    texts = ["Tea has been drunk for many hundred years.", "Coffee is drunk in the morning in the north."]
    indexed = make_indexed([[f"{text}\n"] for text in texts])
    named = replace(indexed, document=replace(indexed.document, title="Tea"))
    assert [one.text for one in summarize_by_extraction(named, SummaryTask("", 60)).statements] == texts
    headed = make_indexed([["Tea\n"], *[[f"{text}\n"] for text in texts]])
    headed = replace(headed, document=replace(headed.document, title="Tea"))
    assert summarize_by_extraction(headed, SummaryTask("", 60)).text.startswith("Tea. Tea has been")


def test_a_document_of_tables_only_is_quoted_from_its_first_row_each_row_once_and_says_so() -> None:
    rows = ["Tea | Price", "Green | 1", "Black | 2", "Green | 1", "White | 3"]
    indexed = make_indexed([[row] for row in rows])
    paragraphs = tuple(replace(one, kind=ParagraphKind.TABLE) for one in indexed.document.paragraphs)
    answer = summarize_by_extraction(
        replace(indexed, document=replace(indexed.document, paragraphs=paragraphs)), SummaryTask("", 12)
    )
    assert [one.text for one in answer.statements] == [*rows[:3], rows[4]]
    assert any("no sentences" in note for note in answer.notes)
    prose = summarize_by_extraction(make_indexed([["The tea of the north grows on hills."]]), SummaryTask("", 12))
    assert not prose.notes
