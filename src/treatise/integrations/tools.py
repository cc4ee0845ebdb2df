"""What an agent may do with a library, without a framework: ask, and search."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from treatise.integrations.passages import Record, answer, cited_text, passages
from treatise.pipeline.library import Library

ASK: Final = "ask_documents"
ASK_DESCRIPTION: Final = "Answers a question from a library of documents, with exact citations, or says that it cannot."
SEARCH: Final = "search_documents"
SEARCH_DESCRIPTION: Final = "Finds passages of a library of documents, best first, each with its document and place."
QUESTION_DESCRIPTION: Final = "A question in plain words."


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a tool.

    Attributes:
        text: For the model.
        record: For the program: as ``ask --json`` or ``search --json``.
    """

    text: str
    record: Record


@dataclass(frozen=True, slots=True)
class LibraryTools:
    """The tools of a library.

    Attributes:
        library: Holds the documents.
        max_words: Budget of evidence per question, in words.
        documents: Ids of the documents to search; None for all.
        where: Filter, such as ``"year >= 2020"``.
    """

    library: Library
    max_words: int = 300
    documents: Sequence[str] | None = None
    where: str = ""

    def ask(self, question: str) -> Reply:
        """The answer with the place of each citation.

        Raises:
            TreatiseError: If the question is no text, or the library fails.
        """
        found, record = answer(
            self.library, question, max_words=self.max_words, documents=self.documents, where=self.where
        )
        return Reply(cited_text(found), record)

    def search(self, question: str) -> Reply:
        """The passages with their places.

        Raises:
            TreatiseError: If the question is no text, or the library fails.
        """
        found = passages(self.library, question, max_words=self.max_words, documents=self.documents, where=self.where)
        text = "\n\n".join(f"[{number}] {_place(one)}\n{one['text']}" for number, one in enumerate(found, 1))
        return Reply(text or "No passage was found.", {"question": question, "evidence": found})


def _place(record: Record) -> str:
    page = f"page {record['page']}" if record["page"] is not None else ""
    return ", ".join(part for part in (Path(record["source"]).name, page, record["section"]) if part)
