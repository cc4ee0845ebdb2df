import gzip
import json
from pathlib import Path

import pytest

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument
from treatise.evaluate.data.registry import DATASETS, dataset_named

DATA = Path(__file__).parent / "data"


def load(name: str, path: Path) -> list[LabelledDocument]:
    return list(DATASETS[name].load(path))


def written(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def qasper_paper(**changes: object) -> dict[str, object]:
    answer = {
        "unanswerable": False,
        "yes_no": None,
        "free_form_answer": "",
        "extractive_spans": ["tea"],
        "evidence": [],
    }
    qas = [{"question": "What?", "question_id": "q1", "answers": [{"answer": answer}]}]
    return {"id": "p1", "title": "T", "abstract": "A.", "full_text": [], "qas": qas} | changes


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("qasper", "qasper-excerpt.json"),
        ("fairytaleqa", "fairytaleqa-excerpt.jsonl"),
        ("qmsum", "qmsum-excerpt.jsonl"),
    ],
)
def test_every_span_quotes_a_piece_of_evidence_to_the_letter(name, file):
    documents = load(name, DATA / file)
    pairs = [(labelled.document, r) for labelled in documents for q in labelled.questions for r in q.references]
    assert any(reference.spans for _, reference in pairs)
    for document, reference in pairs:
        assert {document.quote(span.start, span.end) for span in reference.spans} <= set(reference.evidence)


def test_official_qasper_json_and_json_lines_gzipped_or_not_give_equal_documents_and_questions(tmp_path):
    official = DATA / "qasper-excerpt.json"
    papers = json.loads(official.read_text(encoding="utf-8"))
    lines = written(tmp_path / "lines.jsonl", *({"id": name, **paper} for name, paper in papers.items()))
    forms = [official, lines]
    for plain in (official, lines):
        packed = tmp_path / f"{plain.name}.gz"
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        forms.append(packed)
    loaded = [load("qasper", path) for path in forms]
    texts = [[(labelled.document.text, labelled.questions) for labelled in documents] for documents in loaded]
    assert texts[0]
    assert all(other == texts[0] for other in texts)


def test_a_qasper_file_of_one_paper_on_one_line_is_read(tmp_path):
    assert [d.document.title for d in load("qasper", written(tmp_path / "one.jsonl", qasper_paper()))] == ["T"]


def test_qasper_headings_are_nested_and_a_shared_heading_stands_once(tmp_path):
    names = ["Models ::: Small", "Models ::: Large", None, "Models"]
    sections = [{"section_name": name, "paragraphs": [f"Text {i}."]} for i, name in enumerate(names)]
    (labelled,) = load("qasper", written(tmp_path / "p.jsonl", qasper_paper(full_text=sections)))
    found = [(section.title, section.level) for section in labelled.document.sections]
    assert found == [("T", 1), ("Models", 2), ("Small", 3), ("Large", 3), ("Models", 2)]


def test_qasper_answers_are_worded_as_by_the_official_evaluator():
    questions = {q.id: q for labelled in load("qasper", DATA / "qasper-excerpt.json") for q in labelled.questions}
    unanswerable = questions["ceb4bac1f6c506b5dab37607354530faee02ccac"].references[0]
    boolean = questions["91bc8c0bc1634045177065536dd311f89134630b"].references[0]
    extractive = questions["fe1dcd6ef1f8618bbceee418f07cafe63a8efe08"].references[0]
    assert (unanswerable.answer, unanswerable.kind) == ("Unanswerable", AnswerKind.UNANSWERABLE)
    assert (boolean.answer, boolean.kind) == ("No", AnswerKind.BOOLEAN)
    assert extractive.answer == "system combination on the decoding lattice level, combination weights"


def test_highlighted_evidence_goes_before_paragraphs_and_figures_are_dropped(tmp_path):
    answer = {
        "unanswerable": False,
        "yes_no": True,
        "free_form_answer": "",
        "extractive_spans": [],
        "evidence": ["One. Two."],
        "highlighted_evidence": ["Two.", "FLOAT SELECTED: Table 1"],
    }
    qas = [{"question": "What?", "question_id": "q1", "answers": [{"answer": answer}]}]
    sections = [{"section_name": "S", "paragraphs": ["One. Two."]}]
    (labelled,) = load("qasper", written(tmp_path / "p.jsonl", qasper_paper(full_text=sections, qas=qas)))
    assert labelled.questions[0].references[0].evidence == ("Two.",)
    assert labelled.questions[0].references[0].answer == "Yes"


def test_fairytaleqa_keeps_both_annotators_and_says_which_answers_are_explicit(tmp_path):
    row = {"question_id": "1", "question": "Who?", "cor_section": "2,1", "ex-or-im1": "explicit", "answer1": "a fox"}
    row |= {
        "answer2": "",
        "answer3": "",
        "ex-or-im2": "implicit",
        "answer4": "someone sly",
        "answer5": "",
        "answer6": "",
    }
    story = {
        "story_name": "the-fox",
        "sections": [{"section": "1", "text": "A fox came.\nIt ran."}, {"section": "2", "text": "It sat."}],
        "questions": [row],
    }
    (labelled,) = load("fairytaleqa", written(tmp_path / "f.jsonl", story))
    (question,) = labelled.questions
    assert question.id == "the-fox/1"
    assert [(r.answer, r.kind.value) for r in question.references] == [
        ("a fox", "extractive"),
        ("someone sly", "abstractive"),
    ]
    assert question.references[0].evidence == ("It sat.", "A fox came.\nIt ran.")


def test_policyqa_asks_a_repeated_question_once_with_all_its_spans(tmp_path):
    def segment(context: str, answer: str, number: int) -> dict[str, object]:
        answers = [{"text": answer, "answer_start": context.index(answer)}]
        return {"context": context, "qas": [{"id": f"q{number}", "question": "What is kept?", "answers": answers}]}

    paragraphs = [segment("We keep your name.", "your name", 1), segment("We keep logs.", "logs", 2)]
    (labelled,) = load(
        "policyqa", written(tmp_path / "p.json", {"data": [{"title": "shop", "paragraphs": paragraphs}]})
    )
    (question,) = labelled.questions
    assert [labelled.document.quote(s.start, s.end) for s in question.references[0].spans] == ["your name", "logs"]


def test_drcd_is_chinese_and_equal_answers_are_one_reference(tmp_path):
    answers = [{"id": str(i), "text": "歐洲", "answer_start": 1} for i in range(2)]
    paragraph = {"context": "在歐洲。", "qas": [{"id": "1", "question": "哪裡？", "answers": answers}]}
    (labelled,) = load("drcd", written(tmp_path / "d.json", {"data": [{"title": "梵文", "paragraphs": [paragraph]}]}))
    assert labelled.document.language == "zh"
    assert len(labelled.questions[0].references) == 1


def test_squality_has_reference_summaries_and_quality_has_options(tmp_path):
    row = {"question_text": "What?", "question_number": 1, "responses": [{"response_text": r} for r in ("A.", "B.")]}
    story = {"metadata": {"passage_id": "7"}, "document": "It rained. All day.", "questions": [row]}
    (squality,) = load("squality", written(tmp_path / "s.jsonl", story))
    assert [r.answer for r in squality.questions[0].references] == ["A.", "B."]
    row = {"question": "What?", "options": ["sun", "rain"], "gold_label": "2"}
    article = {"article_id": "7", "article": "It rained. All day.", "questions": [row]}
    (quality,) = load("quality", written(tmp_path / "q.jsonl", article))
    assert quality.questions[0].references[0].answer == "rain"
    assert quality.questions[0].options == ("sun", "rain")


def test_users_documents_are_texts_or_files_beside_the_data(tmp_path):
    (tmp_path / "note.txt").write_text("Tea is hot.\n", encoding="utf-8")
    question = {"id": "1", "question": "How is tea?", "spans": [[7, 10]]}
    records = [{"document": given, "questions": [question]} for given in ("note.txt", "Tea is hot.\n")]
    for i, labelled in enumerate(load("spans", written(tmp_path / "own.jsonl", *records))):
        assert labelled.document.text == "Tea is hot.\n", records[i]
        assert labelled.questions[0].references[0].evidence == ("hot",)


def test_a_question_without_spans_is_unanswerable(tmp_path):
    question = {"id": "1", "question": "Who?", "spans": []}
    (labelled,) = load("spans", written(tmp_path / "own.jsonl", {"document": "Tea is hot.", "questions": [question]}))
    assert labelled.questions[0].references[0].kind is AnswerKind.UNANSWERABLE


SPANS = {"document": "Tea is hot.", "questions": [{"id": "q7", "question": "How?", "spans": [[7, 99]]}]}
STORY = {"story_name": "the-fox", "sections": [], "questions": [{"question_id": "3", "cor_section": "9"}]}
SQUAD = {"context": "Tea.", "qas": [{"id": "q5", "question": "?", "answers": [{"text": "tea", "answer_start": 1}]}]}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("qasper", json.dumps(qasper_paper()) + '\n{"id": \n', ["line 2", "expected JSON"]),
        ("qasper", '{"id": 5, "full_text": []}', ["id", "expected a text", "5"]),
        ("qasper", '{"p1": {"title": "T", "qas": []}}', ["paper p1", "'full_text' is missing"]),
        ("qasper", json.dumps(qasper_paper(qas=[{"question_id": "q9", "question": None}])), ["question q9", "null"]),
        ("qasper", "[1, 2]", ["expected an object", "[1, 2]"]),
        ("fairytaleqa", json.dumps(STORY), ["story the-fox, question 3", "section '9'"]),
        ("policyqa", json.dumps({"data": [{"title": "x", "paragraphs": [SQUAD]}]}), ["question q5", "'tea'", "'ea.'"]),
        ("spans", json.dumps(SPANS), ["question q7", "[0, 11)", "[7, 99]"]),
        ("spans", json.dumps({"document": "x", "questions": [{"id": "1", "question": "?", "spans": [[1]]}]}), ["[1]"]),
    ],
)
def test_malformed_data_is_named_with_file_and_place_found_and_expected(tmp_path, name, text, expected):
    path = tmp_path / "data.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        load(name, path)
    for part in (str(path), *expected):
        assert part in str(error.value)


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08torn", b"\xff\xfe\x00", None])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    path = tmp_path / "data.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=r"data\.jsonl"):
        load("qasper", path)


def test_an_unknown_data_set_is_refused_with_the_nearest_name():
    with pytest.raises(DataError, match="did you mean qasper"):
        dataset_named("quasper")
