"""Answers that are quotations."""

from treatise.core.document import Span
from treatise.core.evidence import Evidence
from treatise.generate.quoted import quoting
from treatise.ingest import read_bytes


def test_places_of_several_documents_are_statements_in_their_order() -> None:
    tea = read_bytes(b"# Tea\n\n- Tea is **hot**.\n", name="tea.md")
    cups = read_bytes(b"Cups are white.\n", name="cups.txt")
    start = tea.text.index("- Tea")
    answer = quoting(
        Evidence("What is what?", (), "", 400, 1.0),
        [(cups, Span(0, len("Cups are white."))), (tea, Span(start, len(tea.text.rstrip())))],
    )
    assert answer.text == "Cups are white. Tea is hot."
    assert [one.document for one in answer.citations] == [cups.id, tea.id]
    assert [one.citations for one in answer.statements] == [(0,), (1,)]


def test_sentences_of_a_script_without_spaces_are_joined_without_one() -> None:
    text = "茶是热的。杯子是白的。"
    document = read_bytes(text.encode(), name="tea.txt")
    spans = [Span(0, text.index("杯")), Span(text.index("杯"), len(text))]
    assert quoting(Evidence("什么？", (), "", 400, 1.0), ((document, one) for one in spans)).text == text
