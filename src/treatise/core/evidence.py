"""The result of retrieval: passages of documents within a word budget."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from treatise.core.document import Document, Span
from treatise.core.notebook import evidence_html, evidence_markdown


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document that helps to answer a question.

    Attributes:
        document: The document's id.
        span: Its place in ``Document.text``, without whitespace at its ends.
        text: The exact text at that place, or a note on the spans in ``noted``.
        score: Higher is better; comparable within one ``Evidence`` only.
        group: Passages chosen together for one node of the tree share a number; groups count up from 0.
        noted: The spans summarised by a note of a language model, in text order; ``span`` is the first of them. Empty
            for a quotation.
        also_in: Ids of other documents that have the passage word for word, and for which it stands.
    """

    document: str
    span: Span
    text: str
    score: float
    group: int = 0
    noted: tuple[Span, ...] = ()
    also_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages retrieved for a question, best group first.

    Attributes:
        question: The question.
        passages: In the order of ``context``.
        context: Their texts, joined by blank lines and cut at exactly ``max_words`` words: the input of a reader,
            unless the recipe passes whole documents.
        max_words: The budget in whitespace-separated words.
        confidence: Calibrated probability that the passages contain an answer, 0 to 1.
        notes: Remarks for the user, such as a stage that failed and was skipped.
        documents: The documents of the passages, and those that the answer cites beside them, by id, as they were
            searched: a library may have lost one since.
    """

    question: str
    passages: tuple[Passage, ...]
    context: str
    max_words: int
    confidence: float
    notes: tuple[str, ...] = ()
    documents: Mapping[str, Document] = field(default_factory=dict, repr=False, compare=False)

    def citing(self, documents: Iterable[Document], also: Iterable[str] = ()) -> "Evidence":
        """The evidence with those of these documents that its passages are of, or that ``also`` names."""
        cited = {passage.document for passage in self.passages} | {*also}
        return replace(self, documents={one.id: one for one in documents if one.id in cited})

    def _repr_html_(self) -> str:
        return evidence_html(self)

    def _repr_markdown_(self) -> str:
        return evidence_markdown(self)
