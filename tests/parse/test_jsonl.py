"""The JSON lines contract, with the parser and the segmenter that need no model."""

import json

import pytest

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.errors import DataError, EmptySourceError, TreeError
from treatise.parse.formats import Format
from treatise.parse.jsonl import parse_rows, segment_rows
from treatise.parse.parser import DocumentParser, TransitionParser, edu_text
from treatise.parse.scorer import NullScorer
from treatise.parse.segment import RuleSegmenter

PARSER = TransitionParser(NullScorer())


def line(paragraphs: object, **more: object) -> str:
    return json.dumps({"id": "a", "lang": "en", "level": "sentence", "paragraphs": paragraphs} | more)


def test_n_units_give_n_less_one_nodes_with_the_keys_of_the_contract() -> None:
    rows = [json.loads(row) for row in parse_rows([line([["a", "b"], ["c"]]), "\n", line([["a"]])], PARSER)]
    assert [row["id"] for row in rows] == ["a", "a"]
    assert rows[0]["tree"] == [
        {"start": 0, "split": 2, "end": 3, "nuclearity": "NN", "relation": "joint"},
        {"start": 0, "split": 1, "end": 2, "nuclearity": "NN", "relation": "joint"},
    ]
    assert rows[1] == {"id": "a", "tree": []}


def test_empty_units_and_paragraphs_are_units_and_paragraphs() -> None:
    row = json.loads(next(parse_rows([line([[], ["", "b"], []])], PARSER)))
    assert len(row["tree"]) == 1


def test_lines_before_a_broken_one_come_out_and_the_broken_one_is_named() -> None:
    rows = parse_rows([line([["a"]]), "", line([[]])], PARSER, "in.jsonl")
    assert json.loads(next(rows))["tree"] == []
    with pytest.raises(DataError, match=r"in.jsonl: line 3: a has no unit"):
        next(rows)


def test_a_line_with_a_character_that_the_format_forbids_is_named() -> None:
    rows = parse_rows([line([["a", "b"]]), line([["a\x01", "b"]], id="bell")], PARSER, "in.jsonl", Format.RS3)
    assert "<rst>" in json.loads(next(rows))["formatted"]
    with pytest.raises(TreeError, match=r"in.jsonl: line 2: 'bell': unit \d+: XML forbids .*; try another --format"):
        next(rows)


def test_segmenting_gives_the_texts_of_the_edus_of_each_sentence() -> None:
    sentences = ["He left, because it rained; we stayed (all of us).", "So?", ""]
    row = json.loads(
        next(segment_rows([json.dumps({"id": "a", "lang": "en", "sentences": sentences})], RuleSegmenter()))
    )
    assert row == {
        "id": "a",
        "edus": [["He left,", "because it rained;", "we stayed", "(all of us)."], ["So?"], [""]],
    }


@pytest.mark.parametrize(
    "row", ['{"id": "a", "lang": "en"}', '{"id": "a", "lang": "en", "sentences": [1]}', '{"sentences": []}', "nonsense"]
)
def test_a_line_that_cannot_be_segmented_is_named(row: str) -> None:
    with pytest.raises(DataError, match="-: line 1: "):
        list(segment_rows([row], RuleSegmenter()))


def test_a_document_is_parsed_over_all_of_its_sentences() -> None:
    paragraphs = (
        Paragraph(0, 6, ParagraphKind.PROSE, (Span(0, 3), Span(3, 6))),
        Paragraph(6, 8, ParagraphKind.PROSE, (Span(6, 8),)),
    )
    document = Document("-", "", "en", "A. B.\nC.", (Section("", 0, 0),), paragraphs)
    seen: list[tuple[int, int]] = []
    tree = DocumentParser(PARSER).parse(document, lambda done, total: seen.append((done, total)))
    assert [(start, split, end) for start, split, end, _ in tree.joins()] == [(0, 1, 2), (0, 2, 3)]
    assert seen[-1] == (3, 3)


def test_a_documents_edus_stay_in_its_paragraphs() -> None:
    text = "He left, because it rained.\nWe stayed."
    paragraphs = (
        Paragraph(0, 28, ParagraphKind.PROSE, (Span(0, 28),)),
        Paragraph(28, 38, ParagraphKind.PROSE, (Span(28, 38),)),
    )
    document = Document("-", "", "en", text, (Section("", 0, 0),), paragraphs)
    found = edu_text(document, RuleSegmenter())
    assert (found.level, found.paragraphs) == ("edu", (("He left,", "because it rained."), ("We stayed.",)))


def test_a_document_without_sentences_cannot_be_parsed() -> None:
    with pytest.raises(EmptySourceError):
        DocumentParser(PARSER).parse(Document("-", "", "en", "", (), ()))
