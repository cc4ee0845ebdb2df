"""QASPER v0.3 (Dasigi et al., 2021): questions on papers, with evidence paragraphs or highlighted sentences.

Reads the official JSON, ``{paper id: paper}``, and JSON lines of ``{"id": paper id, **paper}``. A paper has ``title``,
``abstract``, ``full_text`` (``section_name``, ``paragraphs``) and ``qas`` (``question``, ``question_id``, ``answers``).
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from treatise.core.document import Document, Span
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.data.loaders.layout import Layout

SECTION_SEPARATOR: Final = " ::: "
FLOAT: Final = "FLOAT SELECTED"
"""Prefix of evidence from a figure or table caption; dropped, as in the papers' scripts."""


def load_qasper(path: Path) -> Iterator[LabelledDocument]:
    """The papers in file order, each with its questions."""
    for paper in _papers(path):
        document = _document(paper, str(path))
        yield LabelledDocument(document, tuple(_question(qa, document.text) for qa in paper.objects("qas")))


def _papers(path: Path) -> Iterator[Fields]:
    for record in read_records(path):
        if "full_text" in record:
            yield record.at(f"paper {record.text('id')}")
        else:
            yield from (record.object(paper).at(f"paper {paper}") for paper in record)


def _document(paper: Fields, source: str) -> Document:
    """Title, abstract, and the sections with their headings; a heading shared by several sections is added once."""
    layout = Layout()
    title = paper.text_or_empty("title")
    layout.heading(title, level=1)
    layout.paragraph(paper.text_or_empty("abstract"))
    above: list[str] = []
    for section in paper.objects("full_text"):
        names = [name.strip() for name in section.text_or_empty("section_name").split(SECTION_SEPARATOR)]
        n_shared = _n_shared(names[:-1], above)
        for level, name in enumerate(names[n_shared:], start=2 + n_shared):
            layout.heading(name, level=level)
        above = names
        for paragraph in section.texts("paragraphs"):
            layout.paragraph(paragraph)
    return layout.document(source=source, title=title)


def _n_shared(names: Sequence[str], above: Sequence[str]) -> int:
    """Length of the common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(names, above, strict=False)))


def _question(qa: Fields, text: str) -> Question:
    qa = qa.at(f"question {qa.text('question_id')}")
    return Question(
        id=qa.text("question_id"),
        text=qa.text("question"),
        references=tuple(_reference(answer.object("answer"), text) for answer in qa.objects("answers")),
    )


def _reference(answer: Fields, text: str) -> Reference:
    """Highlighted sentences if present, else evidence paragraphs."""
    if answer.flag("unanswerable"):
        return Reference("Unanswerable", AnswerKind.UNANSWERABLE)
    marked = answer.texts("highlighted_evidence" if "highlighted_evidence" in answer else "evidence")
    evidence = tuple(piece for piece in marked if FLOAT not in piece)
    starts = [(text.find(piece), len(piece)) for piece in evidence]
    spans = tuple(Span(start, start + length) for start, length in starts if start >= 0)
    return Reference(*_answer(answer), evidence, spans)


def _answer(answer: Fields) -> tuple[str, AnswerKind]:
    """The answer in the official evaluator's form, and its kind."""
    if spans := answer.texts("extractive_spans"):
        return ", ".join(spans), AnswerKind.EXTRACTIVE
    if free := answer.text_or_empty("free_form_answer"):
        return free, AnswerKind.ABSTRACTIVE
    return ("Yes" if answer.flag("yes_no") else "No"), AnswerKind.BOOLEAN
