"""A sentence that ends in a colon keeps the command, the formula or the short list that it leads in."""

from treatise.core.document import Document, ParagraphKind
from treatise.ingest import read_bytes


def sentences(document: Document) -> list[str]:
    return [document.quote(span.start, span.end) for span in document.sentences()]


def test_a_command_stays_with_the_sentence_before_it() -> None:
    document = read_bytes(
        b"Tea is easy. Install it as follows:\n\n```\npip install tea\n```\n\nThen boil.\n", name="a.md"
    )
    assert sentences(document) == [
        "Tea is easy. ",
        "Install it as follows:\n\n```\npip install tea\n```\n\n",
        "Then boil.\n",
    ]


def test_a_long_listing_stands_alone() -> None:
    code = "\n".join(f"step_{at}()" for at in range(100))
    document = read_bytes(f"As follows:\n\n```\n{code}\n```\n".encode(), name="a.md")
    assert [p.kind for p in document.paragraphs] == [ParagraphKind.PROSE, ParagraphKind.CODE]


def test_a_short_list_stays_with_the_sentence_that_leads_in() -> None:
    document = read_bytes(b"<!doctype html><p>Bring:</p><ul><li>tea</li><li>cups</li></ul><p>Come early.</p>")
    assert sentences(document) == ["Bring:\n\n- tea\n\n- cups\n\n", "Come early.\n\n"]


def test_items_with_values_are_sentences() -> None:
    document = read_bytes(b"You pay for tea:\n\n* Adults: $12\n* Children under 5: $3\n", name="a.md")
    assert sentences(document) == ["You pay for tea:\n\n", "* Adults: $12\n", "* Children under 5: $3\n"]


def test_items_of_a_long_list_are_sentences() -> None:
    items = "".join(f"<li>The item number {at} is about something else.</li>" for at in range(20))
    document = read_bytes(f"<!doctype html><p>Bring:</p><ul>{items}</ul>".encode())
    assert len(sentences(document)) == 21


def test_an_item_that_leads_in_a_command_keeps_it_and_leaves_the_list_whole() -> None:
    document = read_bytes(b"- Run:\n\n  ```\n  boil\n  ```\n- Wait:\n- Pour.\n", name="a.md")
    assert sentences(document) == ["- Run:\n\n  ```\n  boil\n  ```\n", "- Wait:\n", "- Pour.\n"]


CONDITIONS = """\
3. If You distribute the software in executable form to anybody at all then:

   (a) it must also be made available in source form, as described in the section that comes before this
       one, and You must say where; and

   (b) You may distribute it under other terms, if these do not attempt to limit the rights of anybody who
       has received the source form.

4. Nothing else is asked of You by this text, which ends here and now, in the place where it began.
"""


def test_an_item_in_a_paragraph_of_its_own_is_searched_with_the_sentence_that_leads_in() -> None:
    document = read_bytes(CONDITIONS.encode(), name="a.txt")
    item = CONDITIONS.index("(b)")
    found = document.self_contained(item, CONDITIONS.index("source form.\n") + len("source form."))
    assert found.startswith("3. If You distribute the software in executable form to anybody at all then: (b) You may")
    assert document.lead_in(CONDITIONS.index("4. Nothing")) is None
    assert [document.quote(one.start, one.end)[:3] for one in document.items_after(0)] == ["(a)", "(b)"]


def test_paragraphs_in_alphabetical_order_are_items() -> None:
    items = "".join(
        f"{letter}. Say where the tea comes from, who has grown it there, and when it was picked.\n\n"
        for letter in "ABCD"
    )
    document = read_bytes(f"You must do these things:\n\n{items}".encode(), name="a.txt")
    assert len(document.items_after(0)) == 4
    lone = read_bytes(b"These are thanked for all their help:\n\nA. Smith, who has drunk the tea.\n", name="a.txt")
    assert not lone.items_after(0)


def test_a_number_that_a_line_break_puts_first_begins_no_item() -> None:
    text = (
        "    b) The work must say that it is\n    released as described in section\n    7.  This changes section 4.\n"
    )
    document = read_bytes(f"You must do all of these things that follow:\n\n{text}".encode(), name="a.txt")
    assert not [unit for unit in sentences(document) if unit.strip().startswith("7.")]


def test_an_indented_notice_stays_with_the_sentence_before_it() -> None:
    text = "Attach this notice to it:\n\n    Copyright (c) the author.\n    Everything is allowed.\n\nThen go.\n"
    document = read_bytes(text.encode(), name="a.txt")
    assert sentences(document) == [text[: text.index("Then")], "Then go.\n"]
