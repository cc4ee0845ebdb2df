"""A licence says what it grants, on what conditions, without what warranty; a meeting what was decided."""

from dataclasses import replace

import pytest

from tests.builders import make_document, make_indexed
from treatise.core.document import ParagraphKind
from treatise.core.indexed import IndexedDocument
from treatise.generate.quotable import Quotable
from treatise.generate.summarized import SummaryTask, summarize_by_extraction
from treatise.generate.topics import CONTRACT, MEETING, is_clause, is_contract, is_definition

GRANT = "The Author hereby grants You a free license to brew and to share the Tea."
CONDITION = "You must give each guest of Yours a cup and a copy of this License."
NO_WARRANTY = "THE TEA IS PROVIDED AS IS, WITHOUT WARRANTY OF ANY KIND, BITTER OR SWEET."
LIABILITY = "In no event shall the Author be liable for spilt tea or for burnt tongues."
END = "This License terminates automatically if You fail to comply with its terms."
DEFINITION = '1.1. "Tea" means the leaves, and the water that was poured on the leaves.'
TITLE = "The Green Tea License"


def licence(*, extra: int = 12) -> IndexedDocument:
    others = [f"The tea of the {i}th hill under this License is green and the tea of the {i}th plain is black." for i in
              range(extra)]  # fmt: skip
    texts = [TITLE, DEFINITION, *others, GRANT, CONDITION, NO_WARRANTY, LIABILITY, END]
    indexed = make_indexed([[text] for text in texts])
    document = make_document([[text] for text in texts], headings=(0,))
    return replace(indexed, document=replace(document, title=TITLE))


def test_a_licence_is_summarised_by_grant_conditions_warranty_liability_and_end() -> None:
    answer = summarize_by_extraction(licence(), SummaryTask("", 90))
    texts = [one.text for one in answer.statements]
    assert texts[0] == TITLE
    assert set(texts) >= {GRANT, CONDITION, NO_WARRANTY, LIABILITY, END}
    assert not any("means" in text for text in texts), "no definition"
    assert answer.text.startswith(f"{TITLE}. ")


def test_a_licence_with_little_room_says_what_it_grants_first() -> None:
    texts = [one.text for one in summarize_by_extraction(licence(), SummaryTask("", 24)).statements]
    assert texts == [TITLE, GRANT]


def test_a_grant_is_quoted_with_the_list_that_it_leads_in() -> None:
    lead, items = "The Author hereby grants You a free license:", ["(a) to brew the Tea at home; and",
                   "(b) to share the Tea with others."]  # fmt: skip
    others = ["You must wash Your cup under this License.", "The parties shall drink together each day."]
    indexed = make_indexed([[lead], [items[0]], [items[1]], *[[one] for one in others]])
    kinds = [ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.LIST, ParagraphKind.PROSE, ParagraphKind.PROSE]
    paragraphs = tuple(replace(p, kind=k) for p, k in zip(indexed.document.paragraphs, kinds, strict=True))
    document = replace(indexed.document, paragraphs=paragraphs, title="Tea Agreement")
    answer = summarize_by_extraction(replace(indexed, document=document), SummaryTask("", 60))
    assert [one.text for one in answer.statements][:3] == [
        lead,
        "to brew the Tea at home.",
        "to share the Tea with others.",
    ]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "Each contributor grants you a patent license under its claims."),
        (0, "Permission is hereby granted, free of charge, to any person to use the tea."),
        (1, "You may share it, provided that you keep the notices."),
        (1, "You may not drink it cold."),
        (2, "There is no warranty for the tea."),
        (3, "The seller shall not be liable for damages."),
        (4, "Your rights terminate if you break this agreement."),
    ],
)
def test_a_topic_is_known_by_its_wording(number: int, text: str) -> None:
    assert CONTRACT[number].strength(text, "") == 0
    assert CONTRACT[number].strength("Tea grows on green hills.", "") is None


def test_a_section_on_the_topic_counts() -> None:
    text = "Each contributor grants you a license."
    assert (CONTRACT[0].strength(text, "2. Grants") or 0) > (CONTRACT[0].strength(text, "3. Hills") or 0)


def test_an_article_about_licences_is_no_licence() -> None:
    assert not is_contract("Licences of tea", "", ["Some licences are long.", "Others are short.", "We compare them."])
    assert is_contract("", "Copyright (c) Tea. Use is permitted.", ["You may drink it.", "You must wash the cup."])


def test_clauses_and_definitions_are_known_by_their_wording() -> None:
    assert is_clause("(a) You must give others a copy; and")
    assert not is_clause("(a) under patents of such contributors; and")
    assert is_definition('To "convey" a work means to share it.')
    assert is_definition('"You" (or "Your") shall mean a person.')
    assert not is_definition("You may share the work.")


def test_a_footnote_of_a_page_is_not_quoted_nor_its_number() -> None:
    texts = [
        "12 Some teas of the south are black and bitter.",
        "The teas of the north are green.12",
        "All teas are hot.",
    ]
    indexed = make_indexed([[text] for text in texts])
    paged = Quotable(replace(indexed, document=replace(indexed.document, page_starts=(0,))), 4)
    assert [paged.can_quote(unit) for unit in range(3)] == [False, True, True]
    assert paged.shown(1) == "The teas of the north are green."
    assert Quotable(indexed, 4).shown(1) == texts[1], "a text without pages has no footnotes"


def test_a_word_divided_at_the_end_of_a_line_is_joined() -> None:
    quotable = Quotable(make_indexed([["The tea is a recol-\nlection of the pre-\nand post-war years."]]), 4)
    assert quotable.shown(0) == "The tea is a recollection of the pre- and post-war years."


@pytest.mark.parametrize("text", [
    "This document may be redistributed for fee or free of charge.",
    "You can redistribute it and change it as you like.",
    "This release is dedicated to the memory of a friend of tea.",
])  # fmt: skip
def test_the_licence_of_a_text_is_not_its_content(text: str) -> None:
    assert not Quotable(make_indexed([[text]]), 4).can_quote(0)


DECIDED = "Ann: So we decided to sell the green tea in the small boxes ."
TASK = "Ben: Carl , you will send the new prices to all of the shops ."
NEXT = "Ann: The next meeting is on Monday in the kitchen at ten ."


def test_a_meeting_is_summarised_by_decisions_tasks_and_the_next_date() -> None:
    chat = [f"Ben: I saw a {c * 4} near the {c * 5} of {c * 6} ." for c in "abcdfgjklnopqrs"]
    texts = [*chat[:8], DECIDED, *chat[8:], TASK, NEXT]
    answer = summarize_by_extraction(make_indexed([[text] for text in texts]), SummaryTask("", 44))
    assert [one.text for one in answer.statements] == [
        text.replace(" .", ".").replace(" ,", ",") for text in (DECIDED, TASK, NEXT)
    ]


@pytest.mark.parametrize(("number", "text"), [
    (0, "It was agreed that the tea is green."),
    (0, "Okay , we're going with the small box ."),
    (0, "Let 's go with the green one ."),
    (1, "I'll send you the list ."),
    (1, "Anna will send the prices ."),
    (2, "The next meeting will be in May ."),
])  # fmt: skip
def test_decisions_tasks_and_dates_are_known_by_their_wording(number: int, text: str) -> None:
    assert MEETING[number].strength(text.replace(" '", "'"), "") is not None
    assert MEETING[number].strength("I had tea with my aunt .", "") is None
