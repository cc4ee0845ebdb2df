"""Questions on several short documents: WikiContradict, RAMDocs, and how retrieval over them is measured."""

import json
from pathlib import Path

import pytest

from tests.evaluate.specs import make_spec
from treatise.core.document import Span
from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference, Retrieved
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.metrics.evidence import answers_in_context, span_cover
from treatise.evaluate.run.results import read_results
from treatise.evaluate.run.retrieval import run
from treatise.recipes import BM25, FLAT_SENTENCE

CONTRADICTION = {
    "question": "When was the bridge opened?",
    "context1": "It opened in 1901.",
    "context2": "The bridge was opened in 1903.",
    "context1_self_contained": "The bridge opened in 1901.",
    "context2_self_contained": "",
    "answer1": "1901",
    "answer2": "1903",
    "contradiction_type": "Implicit (reasoning required)",
}
AMBIGUOUS = {
    "question": "Where is Broken Bow?",
    "documents": [
        {"text": "Broken Bow is in Nebraska.", "type": "correct", "answer": "Nebraska"},
        {"text": "Bows are made of yew.", "type": "noise", "answer": "unknown"},
        {"text": "Broken Bow is in Ohio.", "type": "misinfo", "answer": "Ohio"},
        {"text": "Broken Bow is in Oklahoma.", "type": "correct", "answer": "Oklahoma"},
        {"text": "Nebraska has Broken Bow.", "type": "correct", "answer": "Nebraska"},
    ],
    "gold_answers": ["Nebraska", "Oklahoma"],
    "wrong_answers": ["Ohio"],
}


def written(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def quoted(labelled: LabelledDocument, reference: Reference) -> tuple[str, ...]:
    places = zip(reference.documents, reference.spans, strict=True)
    return tuple(labelled.documents[number].quote(span.start, span.end) for number, span in places)


def test_both_sides_of_a_contradiction_have_a_document_and_an_answer(tmp_path):
    (labelled,) = DATASETS["wikicontradict"].load(written(tmp_path / "w.jsonl", CONTRADICTION))
    (question,) = labelled.questions
    assert [reference.answer for reference in question.references] == ["1901", "1903"]
    assert [quoted(labelled, reference) for reference in question.references] == [
        ("The bridge opened in 1901.",),
        ("The bridge was opened in 1903.",),
    ]
    assert question.groups == ("implicit",)


def test_right_and_wrong_answers_point_at_the_documents_that_give_them(tmp_path):
    (labelled,) = DATASETS["ramdocs"].load(written(tmp_path / "r.jsonl", AMBIGUOUS))
    (question,) = labelled.questions
    assert len(labelled.documents) == 5
    assert [(r.answer, r.documents) for r in question.references] == [("Nebraska", (0, 4)), ("Oklahoma", (3,))]
    assert [(r.answer, r.documents) for r in question.wrong] == [("Ohio", (2,))]
    for reference in (*question.references, *question.wrong):
        assert quoted(labelled, reference) == reference.evidence


@pytest.mark.parametrize(
    ("name", "record", "expected"),
    [
        ("wikicontradict", {"question": "?"}, "'context1' is missing"),
        ("ramdocs", AMBIGUOUS | {"documents": []}, "expected one document or more"),
        ("ramdocs", AMBIGUOUS | {"documents": [{"text": "a", "type": "odd", "answer": "b"}]}, "found|type is 'odd'"),
    ],
)
def test_a_malformed_record_is_named(tmp_path, name, record, expected):
    with pytest.raises(DataError, match=expected):
        list(DATASETS[name].load(written(tmp_path / "x.jsonl", record)))


def test_right_and_wrong_answers_are_looked_for_in_the_context():
    right = tuple(Reference(answer, AnswerKind.ABSTRACTIVE) for answer in ("Nebraska", "the Oklahoma"))
    question = Question("q", "?", right, wrong=(Reference("Ohio", AnswerKind.ABSTRACTIVE),))
    found = answers_in_context(question, Retrieved("It is in Oklahoma, not Ohio.", ()))
    assert found == {"answers_in_context": 0.5, "wrong_in_context": 1.0}
    assert answers_in_context(Question("q", "?", right), Retrieved("", ())) == {"answers_in_context": 0.0}


def test_a_span_counts_only_in_the_document_where_it_was_marked():
    gold = Reference("x", AnswerKind.EXTRACTIVE, ("",), (Span(0, 10),), (1,))
    question = Question("q", "?", (gold,))
    assert span_cover(question, Retrieved("", (Span(0, 10),), (0,))) == {"span_recall": 0.0, "span_precision": 0.0}
    both = Retrieved("", (Span(0, 10), Span(0, 10)), (0, 1))
    assert span_cover(question, both) == {"span_recall": 1.0, "span_precision": 0.5}


def test_all_documents_of_a_question_are_searched_and_results_say_which_was_found(tmp_path, encoder):
    data = written(tmp_path / "r.jsonl", AMBIGUOUS)
    (labelled,) = DATASETS["ramdocs"].load(data)
    summary = run(make_spec("ramdocs", data, [BM25, FLAT_SENTENCE], [9, 40], tmp_path / "out", encoder=encoder))
    assert summary.rows[1].scores["answers_in_context"].mean == 100
    for path in (tmp_path / "out").glob("*-*.jsonl"):
        (found,) = read_results(path).values()
        pieces = [
            labelled.documents[number].quote(span.start, span.end)
            for number, span in zip(found.documents, found.spans, strict=True)
        ]
        assert "\n\n".join(pieces) == found.context
