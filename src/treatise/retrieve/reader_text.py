"""The input of a reader: passages, whole documents with or without marks around the passages, or both."""

from collections.abc import Sequence
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.evidence import Passage
from treatise.core.recipe import ReaderText

OPEN: Final = "[EVIDENCE]"
CLOSE: Final = "[/EVIDENCE]"


def reader_text(documents: Sequence[Document], passages: Sequence[Passage], kind: ReaderText) -> str:
    """The context for a reader; several documents are concatenated."""
    match kind:
        case ReaderText.EVIDENCE:
            return "\n\n".join(passage.text for passage in passages)
        case ReaderText.DOCUMENT:
            return "\n\n".join(document.text for document in documents)
        case ReaderText.EVIDENCE_AND_DOCUMENT:
            return "\n\n".join([*(passage.text for passage in passages), *(document.text for document in documents)])
        case ReaderText.MARKED_DOCUMENT:
            return "\n\n".join(marked(document, _places(document, passages)) for document in documents)


def marked(document: Document, spans: Sequence[Span]) -> str:
    """The whole text with marks around these spans; spans that touch, or are a space apart, share a pair of marks.

    Without the marks it is exactly the document's text.
    """
    pieces: list[str] = []
    at = 0
    for start, end in _joined(document.text, sorted((span.start, span.end) for span in spans if len(span))):
        pieces += [document.text[at:start], OPEN, document.text[start:end], CLOSE]
        at = end
    return "".join([*pieces, document.text[at:]])


def _places(document: Document, passages: Sequence[Passage]) -> list[Span]:
    mine = (passage for passage in passages if passage.document == document.id)
    return [span for passage in mine for span in (passage.noted or (passage.span,))]


def _joined(text: str, bounds: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for start, end in bounds:
        if runs and not text[runs[-1][1] : start].strip():
            runs[-1] = runs[-1][0], max(runs[-1][1], end)
        else:
            runs.append((start, end))
    return runs
