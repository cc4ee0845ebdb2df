"""Data sets in the forms that their publishers document: small files made by hand."""

import gzip
import json
from pathlib import Path

import pytest

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question
from treatise.evaluate.data.registry import DATASETS


def load(name: str, path: Path) -> list[LabelledDocument]:
    return list(DATASETS[name].load(path))


def only(name: str, path: Path) -> tuple[LabelledDocument, Question]:
    (labelled,) = load(name, path)
    (question,) = labelled.questions
    return labelled, question


def written(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_longbench_has_a_text_a_question_and_answers(tmp_path):
    row = {
        "_id": "a1",
        "input": "几度？",
        "context": "水在一百度沸腾。\n茶要凉一些。",
        "answers": ["一百度", "100"],
        "language": "zh",
    }
    labelled, question = only("multifieldqa_zh", written(tmp_path / "m.jsonl", row))
    assert labelled.document.language == "zh"
    assert "一百度沸腾" in labelled.document.text
    assert [reference.answer for reference in question.references] == ["一百度", "100"]


CHOICE = {
    "_id": "b1",
    "context": "Water boils.",
    "question": "What boils?",
    **{f"choice_{letter}": text for letter, text in zip("ABCD", ("tea", "milk", "water", "oil"), strict=True)},
    "answer": "C",
    "difficulty": "hard",
    "length": "short",
    "domain": "Single-Document QA",
}


@pytest.mark.parametrize("rows", [[CHOICE], CHOICE])
def test_longbench_v2_has_four_choices_and_is_a_list_or_lines(tmp_path, rows):
    _, question = only("longbench_v2", written(tmp_path / "data.json", rows))
    assert question.options == ("tea", "milk", "water", "oil")
    assert question.references[0].answer == "water"
    assert question.groups == ("hard", "short", "single-document qa")


def test_quality_marks_hard_questions_and_joins_the_two_records_of_an_article(tmp_path):
    def record(number: int) -> str:
        question = {
            "question": "What?",
            "question_unique_id": f"7_{number}",
            "options": ["sun", "rain"],
            "gold_label": 2,
            "difficult": number,
        }
        return json.dumps({"article_id": "7", "article": "It rained.", "questions": [question]})

    (labelled,) = load("quality", written(tmp_path / "q.dev", f"{record(0)}\n{record(1)}\n"))
    assert [(q.id, q.groups) for q in labelled.questions] == [("7_0", ("easy",)), ("7_1", ("hard",))]


DOCUMENTS = "document_id,set,kind,story_url,wiki_title,story_start,story_end\n"
QAPS = "document_id,set,question,answer1,answer2,question_tokenized,answer1_tokenized,answer2_tokenized\n"


@pytest.fixture
def narrativeqa(tmp_path) -> Path:
    written(
        tmp_path / "documents.csv",
        f"{DOCUMENTS}d1,test,gutenberg,http://x/1,The Sea,CHAPTER ONE,THE END\nd2,train,movie,http://x/2,B,,\n",
    )
    written(
        tmp_path / "qaps.csv",
        f'{QAPS}d1,test,"Who sailed, and why?",Ann,She was called Ann,,,\n'
        "d2,train,Who?,B,B,,,\nd1,test,When?,1901,1901,,,\n",
    )
    story = "A licence.\n\nCHAPTER ONE\n\nAnn sailed in 1901.\n\nTHE END\n\nMore licence.\n"
    written(tmp_path / "tmp" / "d1.content", "").write_bytes(gzip.compress(story.encode()))
    return tmp_path


@pytest.mark.parametrize("file", ["", "qaps.csv"])
def test_narrativeqa_joins_tables_and_downloaded_stories(narrativeqa, file):
    (labelled,) = load("narrativeqa", narrativeqa / file)
    assert labelled.document.text.split() == ["CHAPTER", "ONE", "Ann", "sailed", "in", "1901.", "THE", "END"]
    assert [q.text for q in labelled.questions] == ["Who sailed, and why?", "When?"]
    assert [[r.answer for r in q.references] for q in labelled.questions] == [["Ann", "She was called Ann"], ["1901"]]
    assert {q.groups for q in labelled.questions} == {("test",)}


def test_narrativeqa_without_a_story_says_how_to_get_them(narrativeqa):
    (narrativeqa / "tmp" / "d1.content").unlink()
    with pytest.raises(DataError, match=r"download_stories\.sh"):
        load("narrativeqa", narrativeqa)


def loong_row(**changes: object) -> dict[str, object]:
    return {
        "id": "l1",
        "set": 1,
        "level": 2,
        "type": "financial",
        "language": "en",
        "question": "Which company is larger?",
        "instruction": "Compare the reports.",
        "prompt_template": "{docs}\n\n{instruction}\n\n{question}",
        "doc": ["ACME", "BOLT"],
        "answer": {"larger": "ACME"},
        "shuffle_doc": True,
    } | changes


def test_loong_reads_the_reports_of_2024_in_the_questions_order(tmp_path):
    for name in ("2023-ACME-j", "2024-ACME-j", "2024-BOLT-n"):
        written(tmp_path / "doc" / "financial" / f"{name}.txt", f"Report {name}.")
    labelled, question = only("loong", written(tmp_path / "loong.jsonl", loong_row()))
    assert ["2024-ACME" in d.text for d in labelled.documents] == [True, False]
    assert "2024-BOLT" in labelled.documents[1].text
    assert question.text == "Compare the reports.\n\nWhich company is larger?"
    assert question.references[0].answer == '{"larger": "ACME"}'
    assert question.groups == ("comparison", "set1", "financial")


def test_loong_has_papers_by_file_and_cases_by_name(tmp_path):
    written(tmp_path / "doc" / "paper" / "p1.md", "# Tea\n\nTea is hot.")
    cases = {"c1": {"content": "甲诉乙。", "result": "甲胜。"}}
    written(tmp_path / "doc" / "legal" / "legal.json", cases)
    paper, _ = only("loong", written(tmp_path / "p.jsonl", loong_row(type="paper", doc=["p1.md"], level=4)))
    assert "Tea is hot." in paper.document.text
    legal = loong_row(type="legal", doc=["c1"], language="zh")
    case, _ = only("loong", written(tmp_path / "c.jsonl", legal))
    assert "甲胜" in case.document.text
    asked = loong_row(type="legal", doc=["c1"], level=4, instruction="阅读以上判决文书，我将给你若干份判决结果：甲胜")
    hidden, _ = only("loong", written(tmp_path / "h.jsonl", asked))
    assert "甲胜" not in hidden.document.text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({}, "'ACME' is not in"), ({"level": 9}, "expected 1 to 4"), ({"doc": []}, "one document or more"),
     ({"type": "paper", "doc": ["p.md"]}, r"'p\.md' is not in")],
)  # fmt: skip
def test_what_is_wrong_with_a_loong_record_is_named(tmp_path, changes, expected):
    if "level" in changes:
        for name in ("ACME", "BOLT"):
            written(tmp_path / "doc" / "financial" / f"2024-{name}.txt", "Report.")
    with pytest.raises(DataError, match=expected):
        load("loong", written(tmp_path / "loong.jsonl", loong_row(**changes)))


PAIRS = [
    {
        "question": "When first?",
        "short_answers": ["1901", "in 1901"],
        "context": "It opened in 1901.",
        "wikipage": "Bridge",
    },
    {"question": "When again?", "short_answers": ["1950"], "context": "No context provided", "wikipage": None},
]


def test_asqa_has_long_answers_readings_and_annotators_passages(tmp_path):
    annotations = [
        {"long_answer": "In 1901 and 1950.", "knowledge": [{"content": "It reopened in 1950.", "wikipage": "Bridge"}]},
        {"long_answer": "1901, then 1950.", "knowledge": [{"content": None, "wikipage": "X"}]},
    ]
    instance = {
        "ambiguous_question": "When did it open?",
        "qa_pairs": PAIRS,
        "wikipages": [],
        "annotations": annotations,
    }
    labelled, question = only("asqa", written(tmp_path / "ASQA.json", {"train": {}, "dev": {"-5": instance}}))
    assert [d.text for d in labelled.documents] == [
        "Bridge\n\nIt opened in 1901.",
        "Bridge\n\nIt reopened in 1950.",
    ]
    assert [reference.answer for reference in question.references] == ["In 1901 and 1950.", "1901, then 1950."]
    assert [[r.answer for r in reading.references] for reading in question.readings] == [["1901", "in 1901"], ["1950"]]
    assert (question.id, question.groups) == ("-5", ("dev",))


def test_asqa_with_retrieved_passages_is_read_as_well(tmp_path):
    docs = [{"title": "Bridge", "text": "It opened in 1901."}, {"title": "River", "text": "It is deep."}]
    row = {"sample_id": "7", "question": "When?", "qa_pairs": PAIRS, "answer": "In 1901.", "docs": docs}
    labelled, question = only("asqa", written(tmp_path / "alce.json", [row]))
    assert len(labelled.documents) == 2
    assert question.references[0].answer == "In 1901."


def test_scinews_asks_for_the_report_of_each_paper(tmp_path):
    row = {"Paper_Body": "We measured tea.", "News_Body": "Tea is hot!", "News_Title": "Tea", "Topic": "Physics "}
    labelled, question = only("scinews", written(tmp_path / "val.json", [row]))
    assert labelled.document.text == "We measured tea."
    assert (question.references[0].answer, question.groups) == ("Tea is hot!", ("physics",))
    assert question.references[0].kind is AnswerKind.ABSTRACTIVE


def test_wikicontradict_is_read_as_the_table_that_it_is_published_as(tmp_path):
    head = "question_ID,question,context1,context2,answer1,answer2,contradictType"
    table = f'{head}\n1,When?,"It opened in 1901, they say.",It opened in 1903.,1901,1903,Explicit\n'
    labelled, question = only("wikicontradict", written(tmp_path / "w.csv", table))
    assert [d.text.strip() for d in labelled.documents] == ["It opened in 1901, they say.", "It opened in 1903."]
    assert question.groups == ("explicit",)
