"""WikiContradict (Hou et al., 2024) and RAMDocs (Wang et al., 2025): questions on short conflicting documents."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from treatise.core.document import Document, Span, trim
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records, read_table
from treatise.evaluate.data.loaders.layout import Layout

_TYPES: Final = ("correct", "misinfo", "noise")


def load_wikicontradict(path: Path) -> Iterator[LabelledDocument]:
    """Each question with its two Wikipedia passages, one per contradicting answer.

    Reads CSV, JSON or JSON lines of ``question``, ``context1`` and ``context2`` or their ``…_self_contained`` wording,
    which is preferred if present, ``answer1``, ``answer2`` and ``contradiction_type`` or ``contradictType``
    ("Explicit", "Implicit …"). The first reference rests on the first passage, the second on the second.
    """
    for number, record in enumerate(read_table(path), start=1):
        name = f"wikicontradict/{number}"
        texts = [_passage(record, key) for key in ("context1", "context2")]
        documents = [_document(text, f"{path}#{name}/{i}") for i, text in enumerate(texts)]
        references = tuple(_reference(record.text(key), documents, [i]) for i, key in enumerate(("answer1", "answer2")))
        kind = record.text("contradictType" if "contradictType" in record else "contradiction_type").split()
        question = Question(name, record.text("question"), references, groups=(*(word.lower() for word in kind[:1]),))
        yield LabelledDocument(documents[0], (question,), tuple(documents[1:]))


def load_ramdocs(path: Path) -> Iterator[LabelledDocument]:
    """Each question with its documents: with a correct answer, with a wrong one, or with none.

    Reads JSON lines of ``question``, ``documents`` (``text``, ``type``: ``correct``, ``misinfo`` or ``noise``,
    ``answer``), ``gold_answers`` and ``wrong_answers``. One reference per gold answer, with the documents that state
    it; ``Question.wrong`` has the same for wrong ones.
    """
    for number, record in enumerate(read_records(path), start=1):
        name = f"ramdocs/{number}"
        rows = [_checked_type(row) for row in record.objects("documents")]
        if not rows:
            raise record.error("expected one document or more, found none")
        documents = [_document(row.text("text"), f"{path}#{name}/{i}") for i, row in enumerate(rows)]
        right, wrong = (
            tuple(_reference(answer, documents, _giving(answer, rows, kind)) for answer in record.texts(key))
            for key, kind in (("gold_answers", "correct"), ("wrong_answers", "misinfo"))
        )
        question = Question(name, record.text("question"), right, wrong=wrong)
        yield LabelledDocument(documents[0], (question,), tuple(documents[1:]))


def _passage(record: Fields, key: str) -> str:
    return record.text_or_empty(f"{key}_self_contained").strip() or record.text(key)


def _checked_type(row: Fields) -> Fields:
    if row.text("type") not in _TYPES:
        raise row.error(f"type is {row.text('type')!r}, expected one of {', '.join(_TYPES)}")
    return row


def _giving(answer: str, rows: list[Fields], kind: str) -> list[int]:
    return [i for i, row in enumerate(rows) if row.text("type") == kind and row.text("answer") == answer]


def _document(text: str, name: str) -> Document:
    layout = Layout()
    layout.paragraph(text)
    return layout.document(source=name, title="")


def _reference(answer: str, documents: list[Document], places: list[int]) -> Reference:
    texts = tuple(documents[i].text.strip() for i in places)
    spans = tuple(trim(documents[i].text, Span(0, len(documents[i].text))) for i in places)
    return Reference(answer, AnswerKind.ABSTRACTIVE, texts, spans, tuple(places))
