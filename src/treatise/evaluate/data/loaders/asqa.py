"""ASQA (Stelmakh et al., 2022): ambiguous questions, with long answers that cover every interpretation."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from treatise.core.document import Document
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.data.loaders.layout import text_document

_SPLITS: Final = ("train", "dev")
_NO_CONTEXT: Final = "No context provided"


def load_asqa(path: Path) -> Iterator[LabelledDocument]:
    """Each question with its passages, long answers (the references) and readings; each short answer of a reading is
    a reference of that reading.

    Reads the official JSON, ``{"train" and "dev": {id: instance}}`` (the group is the split), with
    ``ambiguous_question``, ``qa_pairs`` (``question``, ``short_answers``, ``context``) and ``annotations``
    (``long_answer``, ``knowledge`` of ``content``); its passages are these contexts and knowledge texts, which
    annotators provided; they are not retrieved. Also reads the lists that ALCE (Gao et al., 2023) published with
    retrieved passages: ``sample_id``, ``question``, ``qa_pairs``, ``answer`` and ``docs`` (``title``, ``text``).
    """
    for name, group, instance in _instances(path):
        row = instance.at(f"question {name}")
        asked = row.text("question" if "question" in row else "ambiguous_question")
        readings = tuple(_reading(pair, f"{name}/{i}") for i, pair in enumerate(row.objects("qa_pairs")))
        answers = tuple(Reference(answer, AnswerKind.ABSTRACTIVE) for answer in _long_answers(row))
        question = Question(name, asked, answers, readings=readings, groups=group)
        documents = [_document(text, title, f"{path}#{name}/{i}") for i, (title, text) in enumerate(_passages(row))]
        if not documents:
            documents = [_document("", "", f"{path}#{name}")]
        yield LabelledDocument(documents[0], (question,), tuple(documents[1:]))


def _instances(path: Path) -> Iterator[tuple[str, tuple[str, ...], Fields]]:
    """Id, group and fields of each question."""
    for record in read_records(path):
        if "qa_pairs" in record:
            yield record.text("sample_id"), (), record
            continue
        for split in _SPLITS:
            if split in record:
                of_split = record.object(split)
                yield from ((name, (split,), of_split.object(name)) for name in of_split)


def _reading(pair: Fields, name: str) -> Question:
    references = tuple(Reference(answer, AnswerKind.EXTRACTIVE) for answer in pair.texts("short_answers"))
    return Question(name, pair.text("question"), references)


def _long_answers(row: Fields) -> list[str]:
    if "annotations" in row:
        return [annotation.text("long_answer") for annotation in row.objects("annotations")]
    return [row.text("answer")]


def _passages(row: Fields) -> list[tuple[str, str]]:
    """Title and text of each distinct passage."""
    if "docs" in row:
        return [(doc.text_or_empty("title"), doc.text("text")) for doc in row.objects("docs")]
    contexts = [
        (pair.text_or_empty("wikipage"), pair.text_or_empty("context"))
        for pair in row.objects("qa_pairs")
        if pair.text_or_empty("context") != _NO_CONTEXT
    ]
    knowledge = [
        (piece.text_or_empty("wikipage"), piece.text_or_empty("content"))
        for annotation in row.objects("annotations")
        for piece in annotation.objects("knowledge")
    ]
    return [passage for passage in dict.fromkeys(contexts + knowledge) if passage[1].strip()]


def _document(text: str, title: str, source: str) -> Document:
    return text_document(f"{title}\n\n{text}".strip(), source=source)
