"""Lists as answers: the items after the sentence that introduces them."""

import pytest

from treatise.core.document import Document, ParagraphKind, trim
from treatise.core.evidence import Passage
from treatise.generate.listed import listing, listing_cut
from treatise.ingest import read_bytes

SHORT = """# Data

The data sets that we use are:

- BoolQ: yes or no
- QASPER: papers
- WikiText

All of them are public.
"""
MORE = " Its questions come from users of the web. Each of them was read by two people before it was kept."
LONG = "".join(f"{line}.{MORE}\n" if line.startswith("- ") else f"{line}\n" for line in SHORT.splitlines())


def _listing(question: str, key: str, text: str = SHORT) -> str | None:
    document = read_bytes(text.encode(), name="data.md")
    found = listing(question, [_passage(document, key)], {document.id: document})
    return found.text if found else None


def _passage(document: Document, key: str) -> Passage:
    span = next(span for span in document.sentences() if key in document.quote(span.start, span.end))
    return Passage(document.id, span, document.quote(span.start, span.end), 1.0, 0)


def test_the_items_after_an_introduction_are_the_answer() -> None:
    assert _listing("Which data sets are used?", "data sets that we use") == "BoolQ, QASPER, WikiText"


def test_an_item_leads_to_its_list() -> None:
    kinds = [one.kind for one in read_bytes(LONG.encode(), name="data.md").paragraphs]
    assert ParagraphKind.LIST in kinds
    assert _listing("Which data sets are used?", "QASPER", LONG) == "BoolQ, QASPER, WikiText"


@pytest.mark.parametrize(
    ("question", "introduction"),
    [
        ("Welche Schlüssel erhalten die Mieter?", "Die Mieter erhalten folgende Schlüssel:"),
        ("¿Qué modos tiene el aparato?", "El aparato tiene dos modos:"),
        ("Quels outils faut-il ?", "Il faut ces outils :"),
        ("Quali strumenti fornisce l'azienda?", "L'azienda fornisce questi strumenti:"),
        ("Welke spullen heb je nodig?", "Je hebt deze spullen nodig:"),
        ("Jakie dokumenty są potrzebne?", "Potrzebne dokumenty:"),
    ],
)
def test_questions_in_other_languages_have_lists_too(question: str, introduction: str) -> None:
    assert _listing(question, introduction, f"{introduction}\n\n- Aga Bo\n- Cedi\n") == "Aga Bo, Cedi"


def test_other_questions_and_other_lists_have_no_such_answer() -> None:
    assert _listing("Who made the data?", "data sets that we use") is None
    assert _listing("Which rivers are crossed by bridges?", "QASPER") is None


OUTLINE = read_bytes(
    b"# Meeting\n\n- Ann was thanked.\n- New chairs are\n  - Bo Ek\n  - Cy Roe\n- Tea costs more\n  - since May\n",
    name="outline.md",
)


@pytest.mark.parametrize("words", ["New chairs are", "Cy Roe"])
def test_the_items_below_an_item_are_what_it_introduces(words: str) -> None:
    at = OUTLINE.text.index(words)
    span = next(one for one in OUTLINE.sentences() if one.start <= at < one.end)
    passage = Passage(OUTLINE.id, trim(OUTLINE.text, span), words, 1.0)
    found = listing("Who are the new chairs?", [passage], {OUTLINE.id: OUTLINE})
    assert found is not None
    assert found.text == "Bo Ek, Cy Roe"
    assert [one.text for one in found.passages] == ["- New chairs are", "- Bo Ek", "- Cy Roe"]


def test_a_statement_is_no_introduction_to_the_statements_below_it() -> None:
    document = read_bytes(b"# Notes\n\n* Ann wants no change.\n  * It would be slow.\n", name="a.md")
    assert document.lead_in(document.text.index("* It would")) is None
    termed = read_bytes(b"# Notes\n\n* **PERIOD**: The least time.\n  * 15 s\n", name="a.md")
    assert termed.lead_in(termed.text.index("* 15 s")) is not None


def test_an_inner_item_is_read_after_the_item_that_it_is_below() -> None:
    for name, text in (
        ("a.html", b"<ul><li>The limit is<ul><li>7 days</ul><li>Tea</ul><p>We met in May.</p>"),
        ("a.md", b"* The limit is\n  * 7 days\n* Tea\n\nWe met in May.\n"),
    ):
        document = read_bytes(text, name=name)
        start = document.text.index("7 days") - 2
        mark = document.text[start]
        assert document.self_contained(start, start + 8) == f"{mark} The limit is {mark} 7 days"


REPAIR = "# Pots\n\nThe lid may crack. Two pots share the same lid. To do so:\n\n- buy a lid;\n- fit it.\n"


def test_steps_do_not_answer_what_the_sentence_before_them_says() -> None:
    assert _listing("Which pots have the same lid?", "The lid may", REPAIR) is None
    assert _listing("Which steps are there if pots share the same lid?", "The lid may", REPAIR) == "buy a lid, fit it"
    named = REPAIR.replace("To do so", "The pots with the same lid are")
    assert _listing("Which pots have the same lid?", "The lid may", named) == "buy a lid, fit it"


def test_an_answer_with_two_items_of_a_list_is_the_list() -> None:
    text = "# Works\n\nThe works consist of:\n\n\u2022 Four pumps\n\u2022 New pipes\n\u2022 A well\n"
    document = read_bytes(text.encode(), name="a.txt")
    passage = _passage(document, "consist of")
    for question, words, says in (
        ("What does the project include?", "Four pumps \u2022 New pipes", "Four pumps, New pipes, A well"),
        ("What does the project include?", "Four pumps", None),
        ("When is the project?", "Four pumps \u2022 New pipes", None),
    ):
        found = listing_cut(question, passage, document, words)
        assert (found.text if found else None) == says
