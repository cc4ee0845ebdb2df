"""An answer that is a run of sentences of one document, quoted."""

from collections.abc import Sequence
from dataclasses import replace

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence
from treatise.core.quotation import statement_of
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import joined
from treatise.generate.citations import cite


def quoted_answer(evidence: Evidence, document: Document, spans: Sequence[Span], confidence: float) -> Answer:
    """The spans as statements, each cited; the first is the direct answer. There must be at least one."""
    citations = tuple(cite(document, span) for span in spans)
    statements = tuple(Statement(statement_of(document, span), (i,), Support.QUOTED) for i, span in enumerate(spans))
    direct = DirectAnswer(statements[0].text, str(SpanAnswerKind.SENTENCE), round(confidence, 4), (0,))
    text = joined([one.text for one in statements])
    return Answer(evidence.question, text, statements, citations, evidence, found=True, direct=direct)


def quoted_as(
    evidence: Evidence, document: Document, spans: Sequence[Span], text: str, kind: SpanAnswerKind | str
) -> Answer:
    """The spans quoted, and ``text`` as the direct answer for which they all speak, which a rule is sure of."""
    direct = DirectAnswer(text, str(kind), 1.0, tuple(range(len(spans))))
    return replace(quoted_answer(evidence, document, spans, 1.0), direct=direct)
