"""An answer without a model: the sentences that answer best, quoted to the letter."""

from collections.abc import Sequence
from typing import Final

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, ParagraphKind
from treatise.core.evidence import Evidence, Passage
from treatise.generate.citations import cite

WEAK: Final = 0.25
"""Confidence below which we say that nothing was found; see docs/log.md for what it lets through and stops."""

NOT_FOUND: Final = "Not found in the document."

_MAX_WORDS: Final = 110
_MAX_STATEMENTS: Final = 4
_MARGIN: Final = 1.5  # in standard deviations of the node scores


def answer_by_extraction(evidence: Evidence, documents: Sequence[Document]) -> Answer:
    """The key sentence first, then what supports it in document order; every one quoted and cited.

    Says that nothing was found where ``evidence.confidence`` is below ``WEAK``, and then cites nothing.
    """
    by_id = {document.id: document for document in documents}
    chosen = _chosen(evidence, by_id) if evidence.confidence >= WEAK else []
    if not chosen:
        return refusal(evidence, several=len(documents) > 1)
    citations = tuple(cite(by_id[passage.document], passage.span) for passage in chosen)
    statements = tuple(
        Statement(" ".join(citation.quote.split()), (i,), Support.QUOTED) for i, citation in enumerate(citations)
    )
    text = " ".join(statement.text for statement in statements)
    return Answer(evidence.question, text, statements, citations, evidence, found=True)


def refusal(evidence: Evidence, *, several: bool) -> Answer:
    """The answer that says that nothing was found, with the evidence for whoever wants to look."""
    text = "Not found in the documents." if several else NOT_FOUND
    notes = (f"the best evidence has a confidence of {evidence.confidence:.2f}, below {WEAK}; `search` shows it",)
    return Answer(evidence.question, text, (), (), evidence, found=False, notes=notes)


def _chosen(evidence: Evidence, documents: dict[str, Document]) -> list[Passage]:
    """The key passage, then the others worth showing in document order."""
    order = {document: i for i, document in enumerate(documents)}
    whole = [passage for passage in evidence.passages if _says_something(passage, documents[passage.document])]
    ranked = sorted(whole, key=lambda passage: -passage.score)[:_MAX_STATEMENTS]
    kept: list[Passage] = []
    n_words = 0
    for passage in ranked:
        n = len(passage.text.split())
        if not kept or (passage.score >= ranked[0].score - _MARGIN and n_words + n <= _MAX_WORDS):
            kept.append(passage)
            n_words += n
    return kept[:1] + sorted(kept[1:], key=lambda passage: (order[passage.document], passage.span.start))


def _says_something(passage: Passage, document: Document) -> bool:
    """Not a heading, nor a question, nor a note, nor a piece that the budget cut."""
    kind = document.paragraph_at(passage.span.start).kind
    is_cut = not document.is_sentence_end(passage.span.end)
    return (
        kind is not ParagraphKind.HEADING
        and not passage.noted
        and not passage.text.endswith(("?", "？"))
        and not is_cut
    )
