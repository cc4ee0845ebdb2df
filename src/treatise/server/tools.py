"""What an agent does with a library: small records, long texts in parts, and no path of this machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from treatise.core.document import Document, Span
from treatise.core.errors import DocumentNotFoundError, QuestionError
from treatise.records import Record, page_and_section
from treatise.server.replies import public_name

if TYPE_CHECKING:
    from treatise.core.answer import Answer, Citation
    from treatise.core.evidence import Passage
    from treatise.core.metadata import Metadata
    from treatise.core.ports import Entry
    from treatise.core.usage import Usage
    from treatise.pipeline.library import Library

MAX_CHARACTERS: Final = 6000
"""Longest text of one reply of ``Tools.read``."""

MAX_ENTRIES: Final = 50
"""Most documents or sections of one reply."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools that an agent may call.

    Each returns a record for JSON. Offsets are characters of the document's text, half-open. Errors are
    ``TreatiseError`` with a message for the agent.

    Attributes:
        library: Answers, and holds the documents.
        readable: The documents that the agent may read and that satisfy a filter; None for all of the library.
        check: Called before a language model may be used; raises if the limits of the agent's key are reached.
        count: Called with the usage of each answer and summary.
    """

    library: "Library"
    readable: Callable[[str], list["Entry"]] | None = None
    check: Callable[[], None] = lambda: None
    count: Callable[["Usage"], None] = lambda _: None

    def search(self, question: str, documents: Sequence[str] = (), where: str = "", max_words: int = 300) -> Record:
        """The best passages for a question, each with its document, page, section and offsets."""
        evidence = self.library.search(question, documents=self._scope(documents, where), max_words=_words(max_words))
        return {
            "confidence": round(evidence.confidence, 4),
            "passages": [_passage(passage, evidence.documents) for passage in evidence.passages],
            "notes": list(evidence.notes),
        }

    def ask(self, question: str, documents: Sequence[str] = (), where: str = "", max_words: int = 300) -> Record:
        """An answer with citations; ``found`` is false if the documents do not answer the question."""
        self.check()
        answer = self.library.ask(question, documents=self._scope(documents, where), max_words=_words(max_words))
        self.count(answer.usage)
        return {
            "answer": answer.text,
            "direct": answer.direct.text if answer.direct else None,
            "found": answer.found,
            "confidence": round(answer.evidence.confidence, 4),
            "citations": [_citation(citation, answer.evidence.documents) for citation in answer.citations],
            "conflicts": [list(pair) for pair in answer.conflicts],
            "nearest": [_citation(citation, answer.evidence.documents) for citation in answer.nearest],
            "notes": list(answer.notes),
        }

    def summarize(self, document: str, question: str = "", max_words: int = 150) -> Record:
        """A summary of one document, or of what it says about a question, every sentence cited."""
        self.check()
        summary: Answer = self.library.summarize(
            question=question, document=self._document(document).id, max_words=_words(max_words)
        )
        self.count(summary.usage)
        return {
            "summary": summary.text,
            "citations": [_citation(citation, summary.evidence.documents) for citation in summary.citations],
            "notes": list(summary.notes),
        }

    def list_documents(self, where: str = "", offset: int = 0, limit: int = MAX_ENTRIES) -> Record:
        """The documents of the library that satisfy a filter, oldest first, in parts."""
        entries = self._entries(where)
        return {"total": len(entries)} | _part("documents", [_entry(entry) for entry in entries], offset, limit)

    def outline(self, document: str, offset: int = 0, limit: int = MAX_ENTRIES) -> Record:
        """The sections of a document, in parts; ``section`` is the number that ``read`` takes."""
        found = self._document(document)
        sections: list[Record] = [
            {"section": number, "level": one.level, "title": one.title, "page": found.page_at(one.start)}
            for number, one in enumerate(found.sections)
        ]
        head = _head(found) | _authorship(found.metadata) | {"pages": len(found.page_starts)}
        return head | _part("sections", sections, offset, limit)

    def read(
        self,
        document: str,
        section: int | None = None,
        page: int | None = None,
        start: int | None = None,
        end: int | None = None,
    ) -> Record:
        """The text of a section, a page or a span; of the whole document if none is named.

        At most ``MAX_CHARACTERS`` are returned. If ``next_start`` is not null, call again with it as ``start``, and
        with ``end`` as it was returned.
        """
        found = self._document(document)
        wanted = _wanted(found, section, page, start, end)
        shown = _first_part(found, wanted)
        return _head(found) | {
            "start": shown.start,
            "end": wanted.end,
            "next_start": shown.end if shown.end < wanted.end else None,
            **page_and_section(found, shown.start),
            "text": found.text[shown.start : shown.end],
        }

    def _scope(self, documents: Sequence[str], where: str) -> list[str] | None:
        """The documents to search; None for the whole library."""
        if not (documents or where) and self.readable is None:
            return None
        named = [self._document(one).id for one in documents]
        satisfying = [entry.id for entry in self._entries(where)]
        found = [one for one in named if one in satisfying] if documents else satisfying
        if not found:
            raise QuestionError("no document that may be read satisfies the filter: list_documents lists them")
        return found

    def _entries(self, where: str) -> list["Entry"]:
        return self.library.documents(where) if self.readable is None else self.readable(where)

    def _document(self, document_id: str) -> Document:
        found = self.library.document(document_id)
        if self.readable is not None and found.id not in {entry.id for entry in self.readable("")}:
            raise DocumentNotFoundError(f"there is no document {document_id!r}: list_documents lists them")
        return found


def _passage(passage: "Passage", documents: Mapping[str, Document]) -> Record:
    place = _place(documents[passage.document], passage.span)
    return place | {"text": passage.text, "score": round(passage.score, 4)}


def _citation(citation: "Citation", documents: Mapping[str, Document]) -> Record:
    return _place(documents[citation.document], citation.span) | {"quote": citation.quote}


def _head(document: Document) -> Record:
    return {"document": document.id, "title": document.title}


def _authorship(metadata: "Metadata") -> Record:
    """``author`` and ``date``, each only if known."""
    known = {"author": list(metadata.get("author", ())), "date": next(iter(metadata.get("date", ())), None)}
    return {key: value for key, value in known.items() if value}


def _entry(entry: "Entry") -> Record:
    sources = [public_name(source) for source in entry.sources]
    return {"document": entry.id, "title": entry.shown_title, "language": entry.language} | {
        "words": entry.n_words,
        "sources": sources,
        **_authorship(entry.metadata),
    }


def _place(document: Document, span: Span) -> Record:
    return {**_head(document), **page_and_section(document, span.start), "start": span.start, "end": span.end}


def _part(name: str, items: Sequence[Record], offset: int, limit: int) -> Record:
    """Some of the items, and the offset of those that follow, or null."""
    first = max(0, offset)
    last = first + min(max(1, limit), MAX_ENTRIES)
    return {name: list(items[first:last]), "next_offset": last if last < len(items) else None}


def _words(max_words: int) -> int:
    if max_words < 1:
        raise QuestionError(f"max_words must be at least 1, not {max_words}")
    return max_words


def _wanted(document: Document, section: int | None, page: int | None, start: int | None, end: int | None) -> Span:
    """The span that the arguments name."""
    if section is not None and page is not None:
        raise QuestionError("name a section or a page, not both")
    if section is not None:
        whole = _slice([one.start for one in document.sections], section, document, "section", first=0)
    elif page is not None:
        whole = _slice(document.page_starts, page, document, "page", first=1)
    else:
        whole = Span(0, len(document.text))
    begin = whole.start if start is None else start
    stop = whole.end if end is None else min(end, len(document.text))
    if not 0 <= begin <= stop:
        raise QuestionError(
            f"{document.title}: no text lies between {begin} and {stop} of {len(document.text)} characters"
        )
    return Span(begin, stop)


def _slice(starts: Sequence[int], number: int, document: Document, kind: str, *, first: int) -> Span:
    """The span of a section or a page by its number."""
    i = number - first
    if not 0 <= i < len(starts):
        last = len(starts) - 1 + first
        known = f"it has {first} to {last}" if starts else f"its format has no {kind}s"
        raise QuestionError(f"{document.title} has no {kind} {number}: {known}")
    return Span(starts[i], starts[i + 1] if i + 1 < len(starts) else len(document.text))


def _first_part(document: Document, wanted: Span) -> Span:
    """As much of the span as one reply may have, ending with a sentence if possible."""
    if len(wanted) <= MAX_CHARACTERS:
        return wanted
    limit = wanted.start + MAX_CHARACTERS
    ends = (sentence.end for sentence in document.sentences())
    return Span(wanted.start, max((end for end in ends if wanted.start < end <= limit), default=limit))
