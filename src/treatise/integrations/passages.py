"""What every framework gets: passages and answers as records, documents as sections."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from treatise.core.answer import Answer
from treatise.core.errors import QuestionError
from treatise.ingest import read_document
from treatise.pipeline.arguments import is_count
from treatise.pipeline.library import Library
from treatise.records import answer_record, outline_record, page_and_section, search_record

Record = dict[str, Any]


def passages(
    library: Library,
    question: str,
    *,
    k: int | None = None,
    max_words: int = 300,
    documents: Sequence[str] | None = None,
    where: str = "",
) -> list[Record]:
    """The best passages within ``max_words``, best first, at most ``k``: see ``search --json``.

    Raises:
        QuestionError: If the question is no text or empty, or ``k`` is no whole number of at least 1.
    """
    check_number(k)
    evidence = library.search(question, documents=documents, where=where, max_words=max_words)
    found: list[Record] = search_record(evidence, evidence.documents)["evidence"]  # type: ignore[assignment]
    return found[:k]


def check_number(k: object) -> None:
    """Raises ``QuestionError`` unless this is None or a number of results: whole, at least 1."""
    if k is not None and (not is_count(k) or k == 0):
        raise QuestionError(f"the number of results is a whole number of at least 1, not {k!r}")


def answer(
    library: Library,
    question: str,
    *,
    max_words: int = 0,
    documents: Sequence[str] | None = None,
    where: str = "",
) -> tuple[Answer, Record]:
    """An answer, and its record: see ``ask --json``.

    Raises:
        QuestionError: If the question is no text or empty.
    """
    found = library.ask(question, documents=documents, where=where, max_words=max_words)
    return found, answer_record(found, found.evidence.documents)


def sections(source: str | Path) -> Iterator[tuple[str, Record]]:
    """The text of each section of a file, with its metadata. Sections without text are left out.

    Raises:
        SourceError: If the file cannot be read.
    """
    document = read_document(source)
    of = {key: value for key, value in outline_record(document).items() if key != "outline"}
    starts = [section.start for section in document.sections]
    for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True):
        if document.text[start:end].strip():
            place = page_and_section(document, start)
            yield document.text[start:end], {**of, **place, "start": start, "end": end}


def metadata(record: Record) -> Record:
    """The record of a passage without its text."""
    return {key: value for key, value in record.items() if key != "text"}


def cited_text(found: Answer) -> str:
    """The answer with numbered marks, and the place and quote of each citation below it."""
    lines = [found.direct.text, ""] if found.direct and found.found else []
    marked = (f"{one.text} {''.join(f'[{number + 1}]' for number in one.citations)}" for one in found.statements)
    lines.append(" ".join(part.strip() for part in marked) or found.text)
    for number, citation in enumerate(found.citations, 1):
        page = f", page {citation.page}" if citation.page is not None else ""
        lines.append(f"[{number}] {Path(citation.source).name}{page}, {citation.section}: {citation.quote!r}")
    return "\n".join(lines)
