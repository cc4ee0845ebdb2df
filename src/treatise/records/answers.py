"""Records of what a question comes to: an answer, a summary, or passages."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from treatise.records.usage import usage_record

if TYPE_CHECKING:
    from treatise.core.answer import Answer, Citation, DirectAnswer, Statement
    from treatise.core.document import Document
    from treatise.core.evidence import Evidence, Passage

Record = dict[str, object]


def answer_record(answer: "Answer", documents: Mapping[str, "Document"]) -> Record:
    """``ask --json``.

    Fields:
        question, answer: Texts. A refusal is an answer too; ``found`` is then false.
        direct: The short answer of a trained reader as ``{"text", "kind", "confidence"}``; null without such a reader.
        found: Whether the evidence was strong enough to answer from.
        confidence: Probability that the evidence contains an answer, 0 to 1.
        statements: The sentences of the answer: ``text``; ``citations``, indices into the citations below;
            ``support``, one of ``quoted``, ``supported`` and ``unverified``; ``role`` in the plan, ``""`` without one.
        citations: Places in documents: see :func:`_citation_record`.
        conflicts: Pairs of indices into ``citations`` that contradict each other.
        evidence: The retrieved passages, cited or not: see :func:`_passage_record`.
        rounds: Drafts of a refined answer, in order: ``text``, ``n_unverified``, ``feedback``, ``satisfied``.
        notes: Remarks for the user: why nothing was found, which stage failed.
        usage: Counts and seconds per stage: see :func:`treatise.records.usage.usage_record`.
    """
    return {
        "question": answer.question,
        "answer": answer.text,
        "direct": _direct_record(answer.direct),
        "found": answer.found,
        "confidence": round(answer.evidence.confidence, 4),
        "statements": [_statement_record(statement) for statement in answer.statements],
        "citations": [_citation_record(citation) for citation in answer.citations],
        "conflicts": [list(pair) for pair in answer.conflicts],
        "evidence": _evidence_records(answer.evidence, documents),
        "rounds": [asdict(draft) for draft in answer.rounds],
        "notes": list(answer.notes),
        "usage": usage_record(answer.usage),
    }


def summary_record(summary: "Answer", documents: Mapping[str, "Document"]) -> Record:
    """``summarize --json``: the fields of ``ask --json``, with ``summary`` in place of ``answer``."""
    record = answer_record(summary, documents)
    return {"question": record.pop("question"), "summary": record.pop("answer"), **record}


def search_record(evidence: "Evidence", documents: Mapping[str, "Document"]) -> Record:
    """``search --json``.

    Fields:
        question: Text.
        confidence: Probability that the evidence contains an answer, 0 to 1.
        evidence: The passages: see :func:`_passage_record`.
        context: Their texts, joined by blank lines and cut at exactly the budget of words.
        notes: Remarks for the user, such as a stage that failed.
    """
    return {
        "question": evidence.question,
        "confidence": round(evidence.confidence, 4),
        "evidence": _evidence_records(evidence, documents),
        "context": evidence.context,
        "notes": list(evidence.notes),
    }


def _direct_record(direct: "DirectAnswer | None") -> Record | None:
    """``text``, ``kind``, ``confidence``, and ``citations`` as indices; None without a trained reader."""
    if direct is None:
        return None
    confidence = round(direct.confidence, 4)
    return {"text": direct.text, "kind": direct.kind, "confidence": confidence, "citations": list(direct.citations)}


def _statement_record(statement: "Statement") -> Record:
    return {
        "text": statement.text,
        "citations": list(statement.citations),
        "support": str(statement.support),
        "role": statement.role,
    }


def _citation_record(citation: "Citation") -> Record:
    """One citation; ``Document.text[start:end] == quote``.

    Fields:
        document, source: Id; path as the store knows it.
        start, end, quote: Offsets and the exact text between them.
        page, section: 1-based page, or null; section titles from the outermost, joined by `` > ``.
    """
    return {
        "document": citation.document,
        "source": citation.source,
        "start": citation.span.start,
        "end": citation.span.end,
        "quote": citation.quote,
        "page": citation.page,
        "section": citation.section,
    }


def _evidence_records(evidence: "Evidence", documents: Mapping[str, "Document"]) -> list[Record]:
    return [_passage_record(passage, documents[passage.document]) for passage in evidence.passages]


def _passage_record(passage: "Passage", document: "Document") -> Record:
    """One passage.

    Fields:
        document, source, start, end, text, page, section: As of a citation, with ``text`` for ``quote``.
        score: Higher is better; comparable within one reply only.
        group: Passages chosen for the same node of the tree share a number.
        noted: Spans that a note stands for; empty if the passage is a quotation.
    """
    return {
        "document": passage.document,
        "source": document.source,
        "start": passage.span.start,
        "end": passage.span.end,
        "text": passage.text,
        "page": document.page_at(passage.span.start),
        "section": " > ".join(document.section_path(passage.span.start)),
        "score": round(passage.score, 4),
        "group": passage.group,
        "noted": [[span.start, span.end] for span in passage.noted],
    }
