"""Which sentences a summary may quote, and how it shows them."""

from dataclasses import replace

import pytest

from tests.builders import make_indexed
from treatise.core.document import ParagraphKind, Section
from treatise.core.indexed import IndexedDocument
from treatise.generate.quotable import Quotable, is_boilerplate
from treatise.generate.speech import fluent

BOILERPLATE = [
    "Copyright (C) 2007 Free Software Foundation, Inc.",
    "All rights reserved by the company and its partners worldwide.",
    "* Includes the costs of the tea that was sold in May.",
    "[3] The figures include the costs of the tea sold.",
    "Table 3 shows the teas that were sold in this year.",
    "Tea grows faster than coffee, as can be seen in Figure 2 of it.",
    "Crucially, none of the teas summarized in Table TABREF20 are green.",
    "For more information on tea, read the second volume.",
    "See the annual report for the details of the tea trade.",
    "Department of Tea, University of Green Hills, Tea City, Tealand.",
    "Please write to the author at tea@example.org about this.",
    "This release contains forward-looking statements about the tea trade.",
    "Introduction . . . . . . . . . . . . . . . 12 and the rest of it",
    "2019 1,204 3,108 2018 1,100 2,900 of the tea sold.",
    "Section 3 describes how the tea is made and sold.",
    "有关控制文件的内容的细节，请阅读政策手册的第 5 节。",
]


@pytest.mark.parametrize("text", BOILERPLATE)
def test_notes_notices_pointers_and_addresses_are_not_quoted(text: str) -> None:
    assert is_boilerplate(text)


@pytest.mark.parametrize(
    "text",
    [
        "The GNU General Public License is a free, copyleft license for software and other kinds of works.",
        "Net sales increased 18.2% to $3.2 billion compared to $2.7 billion in the fourth quarter of fiscal 2021.",
        "The Project Leader is elected by the Developers.",
        "软件包通常包括了实现一组互相关联的命令或功能所需要的一切文件。",
    ],
)
def test_sentences_of_the_text_are_quoted(text: str) -> None:
    assert not is_boilerplate(text)
    assert Quotable(make_indexed([[text]]), 4).can_quote(0)


def with_kind(indexed: IndexedDocument, kinds: list[ParagraphKind]) -> IndexedDocument:
    paragraphs = tuple(replace(p, kind=k) for p, k in zip(indexed.document.paragraphs, kinds, strict=True))
    return replace(indexed, document=replace(indexed.document, paragraphs=paragraphs))


def test_tables_headings_and_code_are_not_quoted() -> None:
    text = "Tea grows on the green hills of the north."
    kinds = [ParagraphKind.TABLE, ParagraphKind.HEADING, ParagraphKind.CODE, ParagraphKind.PROSE]
    quotable = Quotable(with_kind(make_indexed([[text]] * 4), kinds), 4)
    assert [quotable.can_quote(unit) for unit in range(4)] == [False, False, False, True]


def test_a_line_of_a_table_of_contents_is_not_quoted() -> None:
    indexed = make_indexed([["Tea grows on the green hills of the north."], ["Milk comes from the cows of the south."]])
    sections = (Section("Tea grows on the green hills of the north. Why is that so?", 1, 0),)
    indexed = replace(indexed, document=replace(indexed.document, sections=sections))
    assert [Quotable(indexed, 4).can_quote(unit) for unit in (0, 1)] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        '"Yes, the tea of the north is the best of all.',
        "“The tea of the north is the best of all, he said.",
        "The tea of the north) is the best tea of all.",
    ],
)
def test_half_of_a_quotation_or_bracket_is_not_quoted(text: str) -> None:
    assert not Quotable(make_indexed([[text]]), 4).can_quote(0)


def test_an_item_that_continues_the_line_before_its_list_is_not_quoted() -> None:
    items = [
        "The Secretary of the Tea Project has these powers:",
        "1. Takes votes among all of the Developers.",
        "2. Counts all of the votes of the Developers.",
        "The Secretary is appointed by the Leader of the Tea Project.",
    ]
    kinds = [ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.LIST, ParagraphKind.PROSE]
    quotable = Quotable(with_kind(make_indexed([[item] for item in items]), kinds), 4)
    assert [quotable.can_quote(unit) for unit in range(4)] == [False, False, False, True]
    plain = Quotable(with_kind(make_indexed([["The Leader leads."], *([item] for item in items[1:])]), kinds), 4)
    assert plain.can_quote(2)
    assert plain.shown(2) == "Counts all of the votes of the Developers."


def test_speech_and_items_of_lists_are_worth_less_than_prose() -> None:
    texts = ['"I am the best tea of all the teas," said the cup.', "The cup stood on the table of the king.",
             "2. The cup stands on the table of the king."]  # fmt: skip
    speech, prose, item = (Quotable(make_indexed([[text]]), 4).bonus(0) for text in texts)
    assert speech < item < prose == 0


def test_conclusions_are_worth_more_and_related_work_less() -> None:
    text = "We show that the tea of the north is better than all."
    plain = "The tea of the north grows on all of the green hills."
    found = make_indexed([[text], [plain], [plain]])
    sections = (Section("", 0, 0), Section("2 Related Work", 1, found.units[2].start))
    quotable = Quotable(replace(found, document=replace(found.document, sections=sections)), 4)
    assert quotable.bonus(0) > quotable.bonus(1) == 0 > quotable.bonus(2)


TURNS = [
    ["Manager: Okay . So this is the first meeting of the tea project ."],
    ["Marketing: {vocalsound} Um yeah ."],
    ["Manager: {vocalsound} We decided that the new pot {disfmarker} should cost ten euros in every shop .",
     "We will sell the pot in every shop of the country ."],
    ["Marketing: and the colour of the pot was something that people did like ."],
    ["Marketing: The colour of the pot {disfmarker}"],
    ["Marketing: Is a bit more impressive than the old pot of the shop ."],
    ["Manager: The weather in the country was quite nice for days on end ."],
]  # fmt: skip


def test_turns_of_a_transcript_are_shown_with_their_speaker_and_without_marks() -> None:
    quotable = Quotable(make_indexed(TURNS), 4)
    assert quotable.is_transcript
    assert quotable.shown(2) == "Manager: We decided that the new pot should cost ten euros in every shop."
    assert quotable.shown(3) == "Manager: We will sell the pot in every shop of the country."


def test_fillers_and_broken_turns_are_not_quoted_and_decisions_are_worth_more() -> None:
    quotable = Quotable(make_indexed(TURNS), 4)
    assert [quotable.can_quote(unit) for unit in range(1, 8)] == [False, True, True, False, False, False, True]
    assert quotable.bonus(2) > 0 == quotable.bonus(7)


def test_a_sentence_needs_the_one_before_it_in_its_paragraph() -> None:
    quotable = Quotable(make_indexed([["Tea grows on the hills.", "It is green."], ["It is hot."]]), 3)
    assert [quotable.needed(unit) for unit in range(3)] == [None, 0, -1]


def test_speech_is_shown_without_hesitation_and_repeats() -> None:
    turns = ["Ann: Um , I I think we 'll take uh the the small one ."] * 3
    assert Quotable(make_indexed([[turn] for turn in turns]), 4).shown(0) == "Ann: I think we'll take the small one."
    assert fluent("Ann: {vocalsound} .".replace("{vocalsound}", "") + " Remember it .") == "Ann: Remember it."


def test_turns_on_the_subjects_of_a_conversation_are_worth_more_and_broken_ones_less() -> None:
    turns = ["Ann: The teapot has a button .", "Ben: I like the teapot with one button .",
             "Ann: The button on the teapot is red .", "Ben: My aunt was in the old house .",
             "Ann: The teapot {disfmarker} the button {disfmarker} is red ."]  # fmt: skip
    quotable = Quotable(make_indexed([[turn] for turn in turns]), 4)
    assert quotable.bonus(0) > quotable.bonus(4) > quotable.bonus(3) == 0
