"""Glossaries in PDFs: terms at the left, their definitions beside them."""

from tests.ingest.pdf_writer import Text, pdf
from treatise.ingest import read_bytes

ENTRIES = {
    "“abattoir”": "means buildings that are used for the processing of farm\nproducts and for the storage of them.",
    "“community sewage\ncollection system”": "means a system to collect and treat sewage that is\nrun for many lots.",
    "“corner lot”": "means a lot at the crossing of two or more highways.",
    "“duplex”": "means a building that consists of two dwelling units on the\nsame lot, one of which may be let.",
    "“drive-in”": "means a place of business that lets its customers remain in\ntheir vehicles while they are served.",
}


def glossary(*, gap: float, x: float = 210) -> list[Text]:
    y, found = 760.0, [Text(60, 780, "1.1 In this bylaw the words below have the meanings that are given beside them.")]
    for entry in ENTRIES.items():
        term, definition = (part.split("\n") for part in entry)
        found += [Text(60, y - 13 * at, line, font="bold") for at, line in enumerate(term)]
        found += [Text(x, y - 13 * at, line) for at, line in enumerate(definition)]
        y -= 13 * max(len(term), len(definition)) + gap
    return found


def paragraphs(page: list[Text]) -> list[str]:
    document = read_bytes(pdf([page]), name="bylaw.pdf")
    return [document.quote(one.start, one.end).replace("\n", " ") for one in document.paragraphs]


def test_each_term_is_followed_by_its_definition() -> None:
    found = paragraphs(glossary(gap=10))
    for entry in ENTRIES.items():
        assert any(" ".join(entry).replace("\n", " ") in one for one in found), found


def test_entries_without_space_between_them_begin_after_the_end_of_a_sentence() -> None:
    text = " ".join(" ".join(paragraphs(glossary(gap=0))).split())
    assert "“corner lot” means a lot at the crossing of two or more highways. “duplex” means" in text


def test_columns_of_prose_and_clauses_with_numbers_are_no_glossary() -> None:
    clauses = ["(1) the lot is a farm that is known", "(2) the owner has agreed to it", "(3) the house is built on it"]
    page = [Text(60, 760 - 13 * at, line) for at, line in enumerate(clauses * 2)]
    assert "(1) the lot is a farm that is known" in " ".join(paragraphs(page))
    left = [Text(60, 760 - 12 * at, f"the left column goes on with line {at}") for at in range(12)]
    right = [Text(310, 760 - 12 * at, f"and the right one with its own line {at}") for at in range(12)]
    assert "line 10 the left column goes on with line 11" in " ".join(paragraphs([*left, *right]))


def test_a_definition_that_hangs_is_one_paragraph_with_its_term() -> None:
    term = "“abattoir” means the buildings and other structures that are used for the processing of all the products"
    lines = [Text(60, 760, term), Text(200, 747, "that involves the handling of livestock on the farm.")]
    other = "The words of this bylaw have the meanings that are given here to all of them, as it says."
    found = paragraphs([*lines, *(Text(60, 720 - 13 * at, other) for at in range(4))])
    assert any("all the products that involves" in one for one in found)
