"""LongBench (Bai et al., 2024) and LongBench v2 (Bai et al., 2025): one long text, one question."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.data.loaders.layout import text_document

_CHOICES: Final = ("A", "B", "C", "D")


def load_longbench(path: Path) -> Iterator[LabelledDocument]:
    """One document per question, as in LongBench; each answer is a separate reference.

    Reads JSON lines of ``context``, ``input`` (the question), ``answers`` and ``_id``; ``language``, if present, is the
    language of the text. MultiFieldQA-zh is published in this form, and NarrativeQA, QASPER and QMSum are available in
    it.
    """
    for record in read_records(path):
        row = record.at(f"question {record.text('_id')}")
        references = tuple(Reference(answer, AnswerKind.ABSTRACTIVE) for answer in row.texts("answers"))
        question = Question(row.text("_id"), row.text("input"), references)
        yield _read_together(row, path, question, row.text_or_empty("language") or "en")


def load_longbench_v2(path: Path) -> Iterator[LabelledDocument]:
    """One document per multiple-choice question; its groups are difficulty, length and domain.

    Reads JSON, or JSON lines, of ``_id``, ``context``, ``question``, ``choice_A`` to ``choice_D``, ``answer`` (a
    letter), ``difficulty``, ``length`` and ``domain``.
    """
    for record in read_records(path):
        row = record.at(f"question {record.text('_id')}")
        options = tuple(row.text(f"choice_{letter}") for letter in _CHOICES)
        if row.text("answer") not in _CHOICES:
            raise row.error(f"answer is {row.text('answer')!r}, expected one of {', '.join(_CHOICES)}")
        right = options[_CHOICES.index(row.text("answer"))]
        groups = tuple(row.text(key).lower() for key in ("difficulty", "length", "domain"))
        reference = Reference(right, AnswerKind.CHOICE)
        question = Question(row.text("_id"), row.text("question"), (reference,), options, groups=groups)
        yield _read_together(row, path, question, "en")


def _read_together(row: Fields, path: Path, question: Question, language: str) -> LabelledDocument:
    document = text_document(row.text("context"), source=f"{path}#{question.id}", language=language)
    return LabelledDocument(document, (question,))
