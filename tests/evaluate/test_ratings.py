import base64
import csv
import gzip
import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.errors import DataError
from treatise.evaluate.metrics.agreement import fleiss_kappa
from treatise.evaluate.report.rating_sheet import CRITERIA, Item, Sheet, criteria_named, rating_sheet, read_items
from treatise.evaluate.report.ratings import COLUMNS, as_markdown, read_ratings, summarize_ratings

TEMPLATES = Path(__file__).parents[2] / "src" / "treatise" / "evaluate" / "report" / "templates"
SYSTEMS = ("hidden-human", "secret-rag", "the-standard")

# Fourteen raters, ten things, five categories: the worked example that encyclopedias and packages use.
PUBLISHED = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_kappa_equals_the_published_example():
    assert fleiss_kappa(PUBLISHED) == pytest.approx(0.210, abs=5e-4)


def test_kappa_of_full_agreement_is_one_and_of_one_category_is_not_defined():
    assert fleiss_kappa([[3, 0], [0, 3], [3, 0]]) == 1
    assert math.isnan(fleiss_kappa([[3, 0], [3, 0]]))
    with pytest.raises(ValueError, match="same number of raters"):
        fleiss_kappa([[3, 0], [1, 1]])


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=2, max_size=12))
def test_kappa_is_that_of_pairs_of_raters_counted_one_by_one(ratings):
    counts = [[row.count(category) for category in range(3)] for row in ratings]
    pairs = [(a == b) for row in ratings for i, a in enumerate(row) for j, b in enumerate(row) if i != j]
    flat = [score for row in ratings for score in row]
    chance = sum((flat.count(category) / len(flat)) ** 2 for category in range(3))
    if chance < 1:
        assert fleiss_kappa(counts) == pytest.approx((sum(pairs) / len(pairs) - chance) / (1 - chance), abs=1e-9)


@pytest.fixture
def items() -> list[Item]:
    return [
        Item(
            f"q{n}", f"Question {n}?", "</script> a source", {name: f"Answer {n}.{i}" for i, name in enumerate(SYSTEMS)}
        )
        for n in range(12)
    ]


@pytest.fixture
def sheet(items: list[Item]) -> Sheet:
    return rating_sheet(items, criteria_named("quality"), seed=7, sample=8)


def shown(sheet: Sheet) -> dict:
    text = re.search(r'id="data-sheet">(.*?)</script>', sheet.html)[1]
    return json.loads(gzip.decompress(base64.b64decode(text)))


def test_a_sheet_names_no_system_and_its_key_tells_every_answer_apart(sheet: Sheet, items: list[Item]) -> None:
    page = shown(sheet)
    assert not any(name in sheet.html or name in json.dumps(page) for name in SYSTEMS)
    by_id = {item.question_id: item for item in items}
    for entry, item in zip(sheet.key["items"], page["items"], strict=True):
        assert item["question"] == by_id[entry["question_id"]].question
        answers = by_id[entry["question_id"]].answers
        assert {letter: answers[name] for letter, name in entry["answers"].items()} == item["answers"]
        assert sorted(entry["answers"].values()) == sorted(SYSTEMS)


def test_questions_and_answers_are_shuffled_by_the_seed(items: list[Item]) -> None:
    criteria = criteria_named("quality")
    first, again, other = (rating_sheet(items, criteria, seed=seed) for seed in (1, 1, 2))
    assert (first.html, first.key) == (again.html, again.key)
    assert first.key["items"] != other.key["items"]
    assert [one["question_id"] for one in first.key["items"]] != [item.question_id for item in items]
    assert len({tuple(one["answers"].values()) for one in first.key["items"]}) > 1


def test_each_paper_s_criteria_can_be_read_and_others_given(tmp_path: Path) -> None:
    assert [len(criteria_named(name).criteria) for name in CRITERIA] == [4, 3, 1]
    assert [one.name for one in criteria_named("quality").criteria] == [
        *("relevance", "simplicity", "conciseness", "faithfulness")
    ]
    own = tmp_path / "own.json"
    own.write_text('{"criteria": [{"name": "tone", "question": "Kind?", "scale": [[5, "yes"], [0, "no"]]}]}')
    assert criteria_named(str(own)).criteria[0].scale == ((0, "no"), (5, "yes"))
    own.write_text('{"criteria": [{"name": "tone", "question": "Kind?", "scale": [[5, "yes"]]}]}')
    with pytest.raises(DataError, match="two different scores"):
        criteria_named(str(own))
    with pytest.raises(DataError, match="quality, structure, translation"):
        criteria_named("qualty")


def rate(sheet: Sheet, path: Path, rater: str, scores: dict[str, int]) -> Path:
    """A file in which a rater gives each system its score on every criterion."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for number, entry in enumerate(sheet.key["items"], start=1):
            for letter, name in entry["answers"].items():
                for criterion in sheet.key["criteria"]:
                    table.writerow([sheet.key["sheet"], rater, number, letter, criterion["name"], scores[name]])
    return path


@pytest.fixture
def key(sheet: Sheet, tmp_path: Path) -> Path:
    path = tmp_path / "sheet.key.json"
    path.write_text(json.dumps(sheet.key), encoding="utf-8")
    return path


def test_ratings_come_back_to_the_systems_that_were_rated(sheet: Sheet, key: Path, tmp_path: Path) -> None:
    files = [
        rate(sheet, tmp_path / "a.csv", "Anna, A.", {"hidden-human": 3, "secret-rag": 2, "the-standard": 1}),
        rate(sheet, tmp_path / "b.csv", "Ben", {"hidden-human": 3, "secret-rag": 3, "the-standard": 1}),
    ]
    summary = summarize_ratings(*read_ratings(key, files), baseline="the-standard")
    means = {row.system: (row.mean, row.n, row.difference) for row in summary.systems if row.criterion == "relevance"}
    assert means == {"hidden-human": (3, 16, 2), "secret-rag": (2.5, 16, 1.5), "the-standard": (1, 16, None)}
    pairs = [[0, 0, 2], [0, 1, 1], [2, 0, 0]] * 8
    assert [one.kappa for one in summary.agreement] == pytest.approx([fleiss_kappa(pairs)] * 4)
    assert {(one.n, one.n_raters) for one in summary.agreement} == {(24, 2)}
    table = as_markdown(summary)
    assert "| hidden-human | 3.00 [3.00, 3.00], Δ +2.00, p 0.0000 |" in table
    assert "Fleiss' kappa" in table


def test_one_rater_has_no_kappa(sheet: Sheet, key: Path, tmp_path: Path) -> None:
    path = rate(sheet, tmp_path / "a.csv", "Anna", dict.fromkeys(SYSTEMS, 2))
    summary = summarize_ratings(*read_ratings(key, [path]))
    assert [one.kappa for one in summary.agreement] == [None] * 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace(",A,", ",Z,"), "names no answer"),
        (lambda text: re.sub(r",2\r", ",4\r", text), "cannot be 4"),
        (lambda text: text.replace(",1,A", ",99,A"), "names no answer"),
        (lambda text: text.replace("criterion", "criteria"), "expected the columns"),
        (lambda text: re.sub(r"^\w{12},", "another,", text, flags=re.MULTILINE), "of sheet 'another'"),
        (lambda text: text.splitlines()[0], "no rating"),
        (lambda text: text + text.partition("\n")[2], "twice"),
    ],
)
def test_a_wrong_ratings_file_is_named(sheet: Sheet, key: Path, tmp_path: Path, change, said) -> None:
    path = rate(sheet, tmp_path / "a.csv", "Anna", dict.fromkeys(SYSTEMS, 2))
    path.write_bytes(change(path.read_bytes().decode()).encode())
    with pytest.raises(DataError, match=said):
        read_ratings(key, [path])


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_what_the_page_saves_is_what_we_read(sheet: Sheet, key: Path, tmp_path: Path) -> None:
    rater = 'Åsa "A", = B'
    state = {
        "rater": rater,
        "scores": {
            f"{number}/{letter}/{criterion['name']}": 1 + (number + ord(letter)) % 3
            for number, entry in enumerate(sheet.key["items"], start=1)
            for letter in entry["answers"]
            for criterion in sheet.key["criteria"]
        },
    }
    script = (TEMPLATES / "sheet.js").read_text(encoding="utf-8")
    call = f"sheet = {json.dumps(shown(sheet))}; rated = {json.dumps(state)}; process.stdout.write(asCsv())"
    done = subprocess.run(["node", "-e", f"{script}\n{call}"], capture_output=True, check=True)
    path = tmp_path / "saved.csv"
    path.write_bytes(done.stdout)
    _, ratings = read_ratings(key, [path])
    assert len(ratings) == len(state["scores"])
    assert {one.rater for one in ratings} == {rater}
    letters = [{name: letter for letter, name in entry["answers"].items()} for entry in sheet.key["items"]]
    assert all(one.score == 1 + (one.item + ord(letters[one.item - 1][one.system])) % 3 for one in ratings)


def test_items_are_the_questions_that_all_systems_answered(tmp_path: Path) -> None:
    def write(name: str, rows: list[dict[str, str]]) -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return path

    asked = {"question_id": "1", "answer": "A", "question": "Q?", "source": "S"}
    one = write("a.jsonl", [asked, {"question_id": "2", "answer": "B"}])
    two = write("b.jsonl", [{"question_id": "3", "summary": "C"}, {"question_id": "1", "context": "D"}])
    assert read_items({"a": one, "b": two}) == [Item("1", "Q?", "S", {"a": "A", "b": "D"})]
    with pytest.raises(DataError, match="text of question 2"):
        read_items({"a": one})
    with pytest.raises(DataError, match="share none"):
        read_items({"b": two, "c": write("c.jsonl", [{"question_id": "9", "answer": "E"}])})
    with pytest.raises(DataError, match="answer, summary, context"):
        read_items({"d": write("d.jsonl", [{"question_id": "1", "text": "E"}])})
