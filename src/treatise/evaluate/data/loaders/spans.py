"""Users' own data: JSON lines of documents, each with questions and the spans that answer them.

``{"document": text or path, "questions": [{"id", "question", "spans": [[start, end], …]}]}``, with ``"language"`` (ISO
639-1) and, for a question, ``"answer"`` if known. Spans are half-open character ranges of the document's text. A
document of one line that names a file (relative to the data file) is read from there, in any format that Treatise
reads: its spans then count characters of the text that ``treatise show`` prints.
"""

from collections.abc import Iterator
from pathlib import Path

from treatise.core.document import Document, Span
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.ingest import read_bytes

_LONGEST_PATH = 1_000


def load_spans(path: Path) -> Iterator[LabelledDocument]:
    """The documents in file order."""
    for record in read_records(path):
        document = _document(record, path)
        yield LabelledDocument(document, tuple(_question(row, document) for row in record.objects("questions")))


def _document(record: Fields, path: Path) -> Document:
    given, language = record.text("document"), record.text_or_empty("language") or None
    if "\n" in given or len(given) > _LONGEST_PATH or not (path.parent / given).is_file():
        return read_bytes(given.encode(), name=record.where, format="text", language=language)
    file = path.parent / given
    return read_bytes(file.read_bytes(), name=str(file), language=language)


def _question(row: Fields, document: Document) -> Question:
    row = row.at(f"question {row.text('id')}")
    pairs = row.pairs("spans")
    for start, end in pairs:
        if not start < end <= len(document.text):
            raise row.error(f"expected spans within [0, {len(document.text)}) of the document, found [{start}, {end}]")
    spans = tuple(Span(start, end) for start, end in pairs)
    evidence = tuple(document.quote(start, end) for start, end in pairs)
    answer = row.text_or_empty("answer") or " ".join(evidence) or "Unanswerable"
    kind = AnswerKind.EXTRACTIVE if spans else AnswerKind.UNANSWERABLE
    return Question(row.text("id"), row.text("question"), (Reference(answer, kind, evidence, spans),))
