"""The JSON of each noun; the fields are promises, more may be added."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from treatise.cli.spending import spending_of, spending_record
from treatise.core.usage import ModelUsage, Stage, Usage

if TYPE_CHECKING:
    from treatise.cli.sources import Failure, Outcomes
    from treatise.core.answer import Answer, Citation
    from treatise.core.document import Document
    from treatise.core.evidence import Evidence, Passage
    from treatise.core.ports import Entry
    from treatise.core.recipe import Recipe
    from treatise.llm.budget import Price
    from treatise.pipeline.reports import ChunkReport, IndexReport

Record = dict[str, object]


def answer_record(answer: "Answer", documents: Mapping[str, "Document"]) -> Record:
    """``ask --json``."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "found": answer.found,
        "confidence": round(answer.evidence.confidence, 4),
        "statements": [
            {
                "text": statement.text,
                "citations": list(statement.citations),
                "support": str(statement.support),
                "role": statement.role,
            }
            for statement in answer.statements
        ],
        "citations": [citation_record(citation) for citation in answer.citations],
        "conflicts": [list(pair) for pair in answer.conflicts],
        "evidence": evidence_records(answer.evidence, documents),
        "rounds": [asdict(made) for made in answer.rounds],
        "notes": list(answer.notes),
        "usage": usage_record(answer.usage),
    }


def usage_record(usage: Usage) -> dict[str, int | float]:
    """The ``usage`` of an answer or a summary: seconds, calls and tokens of each stage, then totals and lengths."""
    total = usage.total_model
    record: dict[str, int | float] = {}
    for stage in (Stage.INDEX, Stage.LOAD, Stage.RETRIEVE, Stage.QUERIES, Stage.ANSWER, Stage.SUMMARY, *_STRUCTURE):
        record |= _stage_record(stage, usage)
    record |= {f"prompt_{part}_tokens": n for part, n in usage.structure_tokens.items()}
    if Stage.ANSWER in usage.stages and usage.stages[Stage.ANSWER].model:
        record |= _prefixed("answer", usage.model(Stage.ANSWER))
        record |= {"prompt_tokens": total.prompt_tokens, "completion_tokens": total.completion_tokens}
    if Stage.SUMMARY in usage.stages and usage.stages[Stage.SUMMARY].model:
        record |= {"calls": total.n_calls, "calls_reused": total.n_reused}
        record |= {"prompt_tokens": total.prompt_tokens, "completion_tokens": total.completion_tokens}
    record |= {"evidence_words": usage.evidence_words} if usage.evidence_words is not None else {}
    record |= _stage_record(Stage.FAILED, usage)
    record |= {"summary_words": usage.summary_words} if usage.summary_words is not None else {}
    return record


_STRUCTURE: Final = (Stage.TREES, Stage.GRAPH, Stage.PLAN, Stage.RULES)


def _stage_record(stage: Stage, usage: Usage) -> dict[str, int | float]:
    """Seconds if measured; calls if there are any. Those of the answer and the summary stand further down."""
    of_stage = usage.stages.get(stage)
    if of_stage is None:
        return {}
    record = {} if of_stage.seconds is None else {f"{stage}_s": round(of_stage.seconds, 4)}
    model = of_stage.model
    if model is None or stage in (Stage.ANSWER, Stage.SUMMARY) or not (model.n_calls or model.n_reused):
        return record
    counts = {f"{stage}_misfits": model.n_rejected_replies, f"{stage}_rejected": model.n_given_up}
    return record | _prefixed(stage, model) | counts


def _prefixed(name: str, model: ModelUsage) -> dict[str, int]:
    return {
        f"{name}_calls": model.n_calls,
        f"{name}_prompt_tokens": model.prompt_tokens,
        f"{name}_completion_tokens": model.completion_tokens,
    }


def summary_record(summary: "Answer", documents: Mapping[str, "Document"]) -> Record:
    """``summarize --json``: as ``ask --json``, with ``summary`` for ``answer``."""
    record = answer_record(summary, documents)
    return {"question": record.pop("question"), "summary": record.pop("answer"), **record}


def citation_record(citation: "Citation") -> Record:
    """One citation; ``Document.text[start:end] == quote``."""
    return {
        "document": citation.document,
        "source": citation.source,
        "start": citation.span.start,
        "end": citation.span.end,
        "quote": citation.quote,
        "page": citation.page,
        "section": citation.section,
    }


def evidence_records(evidence: "Evidence", documents: Mapping[str, "Document"]) -> list[Record]:
    """Each passage, in the order of the evidence, with its place."""
    return [_passage_record(passage, documents[passage.document]) for passage in evidence.passages]


def _passage_record(passage: "Passage", document: "Document") -> Record:
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


def outcomes_record(
    outcomes: "Outcomes[IndexReport]", price: "Price | None" = None, chunks: "ChunkReport | None" = None
) -> Record:
    """``index --json`` and ``update --json``; ``chunks`` where the recipe has trees in them."""
    trees = {"trees": {"chunks": chunks.n_chunks, "made": chunks.n_trees}} if chunks and chunks.n_chunks else {}
    return {
        "spending": spending_record(spending_of(outcomes.results, chunks), price),
        **trees,
        "documents": [_report_record(report) for report in outcomes.results],
        "failed": [failure_record(failure) for failure in outcomes.failures],
    }


def _report_record(report: "IndexReport") -> Record:
    return {
        "document": report.document,
        "source": report.source,
        "outcome": str(report.outcome),
        "words": report.n_words,
        "units": report.n_units,
        "notes": report.notes,
        "misfits": report.rejections,
        "notes_kept": report.n_kept,
        "seconds": round(report.seconds, 4),
    }


def failure_record(failure: "Failure") -> Record:
    """A source that could not be read, and why."""
    return {"source": failure.source.name, "error": failure.reason}


def entry_record(entry: "Entry") -> Record:
    """One line of ``list --json``."""
    return {
        "document": entry.id,
        "title": entry.title,
        "language": entry.language,
        "sources": list(entry.sources),
        "words": entry.n_words,
        "units": entry.n_units,
        "indexed_at": entry.indexed_at,
    }


def recipe_record(recipe: "Recipe") -> Record:
    """``list --recipes --json``: a recipe's name on the command line, and what it is made of."""
    return {
        "name": recipe.slug,
        "units": str(recipe.indexing.flat().units),
        "tree": str(recipe.indexing.flat().tree),
        "scores": "+".join(name for name in ("dense", "bm25") if getattr(recipe.scoring, name)),
        "notes": str(recipe.indexing.notes.summaries),
        "chunk_trees": str(recipe.planning.trees),
        "graph": str(recipe.planning.graph),
        "plan": str(recipe.planning.plan),
        "is_reranked": recipe.reranking is not None,
    }
