"""Data sets in SQuAD format: PolicyQA (Ahmad et al., 2020) and DRCD (Shao et al., 2018).

Reads ``{"data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question", "answers": [{"text",
"answer_start"}]}]}]}]}``. Each entry of ``data`` is one document; its contexts are the paragraphs.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.data.loaders.layout import Layout


def load_drcd(path: Path) -> Iterator[LabelledDocument]:
    """Chinese articles, each paragraph's questions in order; each answer is a separate reference."""
    yield from _load(path, language="zh")


def load_policyqa(path: Path) -> Iterator[LabelledDocument]:
    """Privacy policies. A question about several segments becomes one question about the policy.

    Its reference has the spans of all answers and the text of the first.
    """
    for labelled in _load(path, language="en"):
        yield LabelledDocument(labelled.document, tuple(_merged(labelled.questions)))


def _load(path: Path, language: str) -> Iterator[LabelledDocument]:
    for file in read_records(path):
        for entry in file.objects("data"):
            article = entry.at(f"article {entry.text('title')}")
            layout = Layout()
            questions: list[Question] = []
            for paragraph in article.objects("paragraphs"):
                start = layout.paragraph(paragraph.text("context")).start
                questions += [_question(qa, paragraph.text("context"), start) for qa in paragraph.objects("qas")]
            document = layout.document(source=str(path), title=article.text("title"), language=language)
            yield LabelledDocument(document, tuple(questions))


def _question(qa: Fields, context: str, start: int) -> Question:
    qa = qa.at(f"question {qa.text('id')}")
    references = dict.fromkeys(_reference(answer, context, start) for answer in qa.objects("answers"))
    return Question(qa.text("id"), qa.text("question"), tuple(references))


def _reference(answer: Fields, context: str, start: int) -> Reference:
    text, at = answer.text("text"), answer.whole("answer_start")
    found = context[at : at + len(text)]
    if found != text:
        raise answer.error(f"expected the answer {text[:40]!r} at character {at}, found {found[:40]!r}")
    return Reference(text, AnswerKind.EXTRACTIVE, (text,), (Span(start + at, start + at + len(text)),))


def _merged(questions: tuple[Question, ...]) -> Iterator[Question]:
    by_text: dict[str, list[Question]] = {}
    for question in questions:
        by_text.setdefault(question.text, []).append(question)
    for alike in by_text.values():
        references = [reference for question in alike for reference in question.references]
        spans = dict.fromkeys(span for reference in references for span in reference.spans)
        evidence = dict.fromkeys(piece for reference in references for piece in reference.evidence)
        merged = replace(references[0], evidence=tuple(evidence), spans=tuple(spans))
        yield replace(alike[0], references=(merged,))
