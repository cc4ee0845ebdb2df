"""Questions about the document itself."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise import open_library
from treatise.core.answer import Answer
from treatise.core.evidence import Evidence
from treatise.generate.about import RULES, STEMS, About, answer_about, asked_about
from treatise.ingest import read_bytes

GUIDE = """A Guide to the Lake

By Mary Brook and Tom Stone

March 8, 2020

1. Boats

Boats may be rented from May to September at the pier. The harbour master keeps the keys of the boats.

2. Further reading

John Smith wrote a book about boats in 1998. Anna Jones is the author of "Lakes of the North".
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("about")
    (path / "guide.txt").write_text(GUIDE, encoding="utf-8")
    return path


def ask(folder: Path, question: str) -> Answer:
    with open_library(store=folder / "library.db") as library:
        return library.ask(question, [folder / "guide.txt"])


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Who are the authors?", About.AUTHORS),
        ("who wrote this paper", About.AUTHORS),
        ("Wer hat dieses Handbuch geschrieben?", About.AUTHORS),
        ("Qui est l'auteur de ce document ?", About.AUTHORS),
        ("¿Quién escribió este libro?", About.AUTHORS),
        ("What is the title of the document?", About.TITLE),
        ("Wie lautet der Titel?", About.TITLE),
        ("When was it published?", About.DATE),
        ("¿Cuándo se publicó este informe?", About.DATE),
        ("How many pages does the report have?", About.PAGES),
        ("how many pages?", About.PAGES),
        ("Combien de pages compte ce document ?", About.PAGES),
        ("What is this document about?", About.CONTENTS),
        ("What's the paper about", About.CONTENTS),
        ("Give me a short summary.", About.CONTENTS),
        ("tl;dr", About.CONTENTS),
        ("Worum geht es in diesem Text?", About.CONTENTS),
        ("De quoi parle ce document ?", About.CONTENTS),
        ("¿De qué trata este libro?", About.CONTENTS),
        ("这篇文章讲了什么？", About.CONTENTS),
        ("この文書は何についてですか？", About.CONTENTS),
        ("What is the chapter on boats about?", None),
        ("What does the harbour master's summary say?", None),
        ("Who wrote the letter to the king?", None),
        ("What is the title of the second chapter?", None),
        ("When was the treaty published?", None),
        ("How many pages may an application have?", None),
        ("What is the name of the lake?", None),
    ],
)
def test_only_questions_about_the_document_itself_are_recognised(question: str, about: About | None) -> None:
    assert asked_about(question) is about


def test_the_authors_are_those_of_the_document_and_not_of_a_reference(folder: Path) -> None:
    answer = ask(folder, "Who are the authors?")
    assert answer.direct is not None
    assert "Mary Brook" in answer.direct.text
    assert "Smith" not in answer.direct.text
    assert "Mary Brook" in answer.citations[0].quote


def test_title_and_date_are_cited_where_the_text_has_them(folder: Path) -> None:
    title, date = ask(folder, "What is the title?"), ask(folder, "When was it published?")
    assert title.direct is not None
    assert title.direct.text == "A Guide to the Lake"
    assert title.citations[0].span.start == 0
    assert date.direct is not None
    assert date.direct.text == "March 8, 2020"
    assert GUIDE[date.citations[0].span.start : date.citations[0].span.end] == date.citations[0].quote


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who is the author and when was it published?", "Mary Brook, Tom Stone; March 8, 2020"),
        ("What is the title and who are the authors?", "A Guide to the Lake; Mary Brook, Tom Stone"),
        ("Who is the author and when are boats rented?", None),
        ("Who keeps the keys and when was it published?", None),
    ],
)
def test_two_questions_about_the_document_are_both_answered(question: str, says: str | None) -> None:
    document = read_bytes(GUIDE.encode(), name="guide.txt")
    answer = answer_about(Evidence(question, (), "", 99, 0.9), [document])
    assert (answer.direct.text if answer and answer.direct else None) == says


AUTHORS = ("Ann Lee", "Bo Ek", "Cy Roe")
PAPER = "# On Tea\n\nBy Ann Lee, Bo Ek and Cy Roe{}\n\n## Abstract\n\nThe University of Rye drinks tea.\n"


@pytest.mark.parametrize(
    ("question", "rest", "says"),
    [
        (
            "Who wrote this paper and at which university?",
            ", University of Ash",
            "University of Ash",
        ),
        (
            "Who are the authors and which university are they from?",
            ", Ash University",
            "Ash University",
        ),
        ("Who wrote this paper and at which university?", "", None),
        ("Who wrote this paper and for which company?", ", University of Ash", None),
        ("Who drinks tea and at which university?", ", University of Ash", None),
    ],
)
def test_the_university_stands_in_the_sentence_that_names_all_authors(
    question: str, rest: str, says: str | None
) -> None:
    document = replace(read_bytes(PAPER.format(rest).encode(), name="a.md"), metadata={"author": AUTHORS})
    answer = answer_about(Evidence(question, (), "", 99, 0.9), [document])
    wanted = f"{', '.join(AUTHORS)}; {says}" if says else None
    assert (answer.direct.text if answer and answer.direct else None) == wanted


def test_pages_of_a_source_without_pages_are_refused_with_the_reason(folder: Path) -> None:
    answer = ask(folder, "How many pages has this document?")
    assert not answer.found
    assert answer.notes[0] == "the source is not divided into pages"


def test_what_a_document_is_about_is_answered_by_a_summary(folder: Path) -> None:
    answer = ask(folder, "What is this document about?")
    assert answer.found
    assert answer.direct is not None
    assert answer.direct.text == answer.statements[0].text
    assert answer.direct.text == "A Guide to the Lake"
    assert "boats" in answer.text.casefold()
    assert [citation.quote for citation in answer.citations] == [one.text for one in answer.statements]


@pytest.mark.parametrize("about", About)
@given(data=st.data())
def test_no_rule_matches_a_question_without_a_stem_of_its_kind(about: About, data: st.DataObject) -> None:
    question = data.draw(st.from_regex(f"(?:{RULES[about]})", fullmatch=True))
    assert any(stem in question.lower() for stem in STEMS[about].split())
