"""An answer that is a run of sentences of one document, quoted."""

from collections.abc import Sequence

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import joined
from treatise.generate.citations import as_statement, cite


def quoted_answer(evidence: Evidence, document: Document, spans: Sequence[Span], confidence: float) -> Answer:
    """The spans as statements, each cited; the first is the direct answer. There must be at least one."""
    citations = tuple(cite(document, span) for span in spans)
    statements = tuple(Statement(as_statement(one.quote), (i,), Support.QUOTED) for i, one in enumerate(citations))
    direct = DirectAnswer(statements[0].text, str(SpanAnswerKind.SENTENCE), round(confidence, 4), (0,))
    text = joined([one.text for one in statements])
    return Answer(evidence.question, text, statements, citations, evidence, found=True, direct=direct)
