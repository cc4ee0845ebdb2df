"""SciNews (Liu et al., 2024): papers and the news reports about them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import read_records
from treatise.evaluate.data.loaders.layout import text_document

ASKED: Final = "What was found, told as news for readers who are no scientists?"
"""The set has no questions; this one is used for every paper."""


def load_scinews(path: Path) -> Iterator[LabelledDocument]:
    """The papers in file order, each with one question; its reference is the report and its group the topic.

    Reads JSON, or JSON lines, of ``Paper_Body``, ``News_Body`` and ``Topic``.
    """
    for number, row in enumerate(read_records(path), start=1):
        reference = Reference(row.text("News_Body"), AnswerKind.ABSTRACTIVE)
        topic = row.text_or_empty("Topic").strip().lower()
        question = Question(f"scinews/{number}", ASKED, (reference,), groups=(topic,) if topic else ())
        document = text_document(row.text("Paper_Body"), source=f"{path}#{number}")
        yield LabelledDocument(document, (question,))
