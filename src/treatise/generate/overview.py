"""What a document is about: its summary, as evidence and as an answer."""

from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.summarized import SummaryTask, selection_for, summarize_by_extraction

_WORDS: Final = 60
_BEGINNING: Final = 20  # sentences after the one that says what the text is, in which it introduces its subject


def overview_evidence(indexed: IndexedDocument, question: str, max_words: int) -> Evidence:
    """The most salient sentences of the document, within the limit."""
    return replace(summarize_by_extraction(indexed, SummaryTask("", max_words)).evidence, question=question)


def overview(indexed: IndexedDocument, evidence: Evidence, max_words: int) -> Answer:
    """What the document says of itself at its beginning, or what readers look for in a licence or a meeting.

    The direct answer is the sentence that says what the document is, else its title.
    """
    task = SummaryTask("", min(_WORDS, max_words))
    selection = selection_for(indexed, task)
    if not selection.quotable.topics:
        task = replace(task, n_units=(selection.opening or 0) + _BEGINNING)
    summary = summarize_by_extraction(indexed, task)
    direct = DirectAnswer(summary.statements[0].text, str(SpanAnswerKind.SENTENCE), evidence.confidence, (0,))
    return replace(summary, question=evidence.question, evidence=evidence, direct=direct)
