"""An answer without a model that follows a plan: its sentences quoted in its order."""

from collections.abc import Sequence

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.plan import Part, Plan
from treatise.core.quotation import statement_of
from treatise.generate.citations import cite
from treatise.generate.not_found import WEAK, refusal


def answer_by_plan(evidence: Evidence, documents: Sequence[Document], plan: Plan) -> Answer:
    """The sentences of the plan's steps, quoted verbatim and cited; chunks are the passages of the evidence.

    If ``evidence.confidence`` is below ``WEAK``, the answer says that nothing was found and cites nothing.
    """
    parts = [(part, step.role) for step in plan.steps for part in step.parts]
    if evidence.confidence < WEAK or not parts:
        return refusal(evidence, several=len(documents) > 1)
    by_id = {document.id: document for document in documents}
    places = [place(part, evidence, by_id) for part, _ in parts]
    citations = tuple(cite(document, span) for document, span in places)
    statements = tuple(
        Statement(statement_of(document, span), (i,), Support.QUOTED, role)
        for i, ((document, span), (_, role)) in enumerate(zip(places, parts, strict=True))
    )
    text = " ".join(statement.text for statement in statements)
    return Answer(evidence.question, text, statements, citations, evidence, found=True)


def place(part: Part, evidence: Evidence, documents: dict[str, Document]) -> tuple[Document, Span]:
    """The place of a sentence of a chunk in its document."""
    passage = evidence.passages[part.chunk]
    start = passage.span.start
    return documents[passage.document], Span(start + part.span.start, start + part.span.end)
