"""The questions on texts that others published: ``published*``, ``manual*`` and ``long`` of ``benchmarks/everyday``."""

import gzip
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
EVERYDAY = FOLDER / "everyday"
NAMES = ("published", "published-more")
TABLES = (*NAMES, "manuals", "long")
LONGEST_PAGE = 700  # words
MOST_UNASKED = 40
FORBIDDEN = re.compile(r"(?i)\bSA\b|share.?alike|\bNC\b|non.?commercial|GPL|\bND\b")
TABLE_ROW = re.compile(r"\| (\S+) \| (\d+) \| ([^|]+) \|")


def documents(name: str) -> list[dict[str, Any]]:
    lines = gzip.decompress((EVERYDAY / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return list(map(json.loads, lines))


def origin(source: str) -> str:
    """The repository, package or set that a source belongs to."""
    return "QMSum" if source.startswith("QMSum") else ":".join(source.split(":")[:2])


def in_table(name: str) -> Counter[tuple[str, str]]:
    """How many excerpts or pages SOURCES.md says are of a source under a licence."""
    tables = re.split(r"\n## .*", (EVERYDAY / "SOURCES.md").read_text())
    return Counter({(row[1], row[3]): int(row[2]) for row in TABLE_ROW.finditer(tables[TABLES.index(name)])})


def test_the_training_script_reads_all_files_of_published_documents(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from training_reader_everyday import PUBLISHED

    assert PUBLISHED == NAMES
    assert {path.name for path in EVERYDAY.glob("published*.jsonl.gz")} == {f"{name}.jsonl.gz" for name in NAMES}


def check_answer(asked: dict[str, Any], text: str) -> None:
    """The text has the answering sentence once, and this the answer; an unanswerable question has neither."""
    if asked["kind"] == "none":
        assert not asked.keys() & {"in", "a"}, asked
        return
    assert asked["kind"] in ("span", "list", "yes", "no"), asked
    assert text.count(asked["in"]) == 1, asked
    answers = [asked["a"]] if isinstance(asked["a"], str) else asked["a"]
    assert answers, asked
    assert all(answer and answer in asked["in"] for answer in answers), asked


@pytest.mark.parametrize("name", NAMES)
def test_answers_stand_in_the_published_documents(name):
    for row in documents(name):
        for asked in row["questions"]:
            check_answer(asked, row["text"])


def test_answers_to_questions_on_long_documents_stand_on_their_pages():
    manuals = documents("manuals")
    for asked in (*documents("manual_questions"), *documents("manual_unsaid")):
        check_answer(asked, manuals[asked["manual"]]["pages"][asked["page"]]["text"])
    for row in documents("long"):
        for asked in row["questions"]:
            check_answer(asked, row["pages"][asked["page"]]["text"])


def test_answers_to_questions_on_what_published_documents_leave_unsaid_stand_in_these():
    published = {name: documents(name) for name in NAMES}
    questions = documents("short_unsaid")
    for asked in questions:
        check_answer(asked, published[asked["file"]][asked["document"]]["text"])
    assert len({(one["file"], one["document"], one["q"]) for one in questions}) == len(questions)


def test_short_answers_stand_in_the_answering_sentences_of_the_manuals():
    manuals = documents("manuals")
    answers = documents("manual_answers")
    assert len({(one["manual"], one["question"]) for one in answers}) == len(answers)
    for one in answers:
        question = manuals[one["manual"]]["questions"][one["question"]]
        check_answer(
            {**question, "kind": one["kind"], "a": one["a"]}, manuals[one["manual"]]["pages"][question["page"]]["text"]
        )


def test_the_training_script_reads_long_documents_with_the_questions_of_their_pages(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from training_questions_manuals import FURTHER, manuals_with
    from training_reader_long import answered_manuals, of_pages

    of_file = {"manual_answers": answered_manuals()} | {name: manuals_with(name) for name in FURTHER}
    for name, manuals in of_file.items():
        long = list(of_pages(manuals))
        assert sum(len(one["questions"]) for one in long) == len(documents(name))
        for asked, text in ((asked, one["text"]) for one in long for asked in one["questions"]):
            assert asked["kind"] == "none" or asked["in"] in text, asked


@pytest.mark.parametrize("name", TABLES)
def test_sources_of_published_documents_are_listed_with_licences_that_permit_reuse(name):
    rows = documents(name)
    assert {origin(row["source"]) for row in rows} <= {source for source, _ in in_table(name)}
    assert not [row["source"] for row in rows if FORBIDDEN.search(row["licence"])]


def test_the_table_counts_the_excerpts_of_the_further_published_documents():
    rows = documents("published-more")
    assert Counter((origin(row["source"]), row["licence"]) for row in rows) == in_table("published-more")


def test_dev_of_the_further_published_documents_is_chosen_by_their_source():
    rows = documents("published-more")
    assert [row["source"] for row in rows] == sorted(row["source"] for row in rows)
    for row in rows:
        digest = hashlib.sha1(row["source"].encode(), usedforsecurity=False).hexdigest()
        assert row.get("dev", False) is (int(digest, 16) % 10 == 0), row["source"]


def test_each_question_of_a_manual_has_one_sentence_of_one_of_its_pages():
    for row in documents("manuals"):
        texts = [" ".join(page["text"].split()) for page in row["pages"]]
        for asked in row["questions"]:
            assert row["pages"][asked["page"]]["text"].count(asked["in"]) == 1, asked
            sentence = " ".join(asked["in"].split())
            if len(sentence) > 25:  # characters: shorter ones are items of lists
                assert [n for n, text in enumerate(texts) if sentence in text] == [asked["page"]], asked
        assert len({asked["q"] for asked in row["questions"]}) == len(row["questions"]), row["manual"]


def test_manuals_keep_few_pages_that_no_question_asks_for_and_cut_long_ones():
    for row in documents("manuals"):
        assert len(row["pages"]) - len({asked["page"] for asked in row["questions"]}) <= MOST_UNASKED, row["manual"]
        assert all(len(page["text"].split()) <= LONGEST_PAGE for page in row["pages"]), row["manual"]


def test_the_table_counts_the_long_documents():
    assert Counter((origin(row["source"]), row["licence"]) for row in documents("long")) == in_table("long")


def test_the_table_counts_the_pages_of_the_manuals():
    pages: Counter[tuple[str, str]] = Counter()
    for row in documents("manuals"):
        pages[row["source"], row["licence"]] += len(row["pages"])
    assert pages == in_table("manuals")


@pytest.mark.parametrize("name", ["manuals", "manual_questions", "manual_unsaid", "long"])
def test_lines_with_pages_are_ascii_so_that_no_separator_within_a_text_ends_one(name):
    assert gzip.decompress((EVERYDAY / f"{name}.jsonl.gz").read_bytes()).isascii()
