"""Records of the library: what indexing did or would cost, and what the store contains."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from treatise.records.answers import Record

if TYPE_CHECKING:
    from treatise.core.ports import Entry
    from treatise.core.recipe import Recipe
    from treatise.ingest import Report
    from treatise.llm.budget import Price, Spending
    from treatise.pipeline.reports import ChunkReport, IndexReport


def index_record(
    reports: Sequence["IndexReport"],
    failures: Iterable[tuple[str, str]],
    spending: "Spending",
    *,
    price: "Price | None" = None,
    chunks: "ChunkReport | None" = None,
    explanations: Iterable["Report"] = (),
) -> Record:
    """``index --json`` and ``update --json``; ``failures`` are pairs of source and reason.

    Fields:
        spending: Calls of a language model: see :func:`_spending_record`.
        trees: ``chunks`` and ``made``: how many chunks have a tree. Only if the recipe parses chunks.
        documents: One report per source: see :func:`_report_record`.
        failed: Sources that could not be read, as ``{"source", "error"}``.
        explained: With ``--explain``: see :func:`explanation_record`.
    """
    trees = {"trees": {"chunks": chunks.n_chunks, "made": chunks.n_trees}} if chunks and chunks.n_chunks else {}
    explained = [explanation_record(report) for report in explanations]
    return {
        "spending": _spending_record(spending, price),
        **trees,
        "documents": [_report_record(report) for report in reports],
        "failed": _failure_records(failures),
        **({"explained": explained} if explained else {}),
    }


@dataclass(frozen=True, slots=True)
class SourceEstimate:
    """What indexing one source, or all of them together, would cost; the fields are those of the JSON.

    Attributes:
        source: As the user named it; None for the total.
        words, sentences: Of the whole document.
        seconds: Time to index it on this machine, extrapolated from its beginning, including the wait for the model.
        llm_calls, prompt_tokens, completion_tokens: Of requests to a language model.
        reused_calls: Calls that an earlier run has finished, and that are not repeated.
        over_budget: Calls that the budget does not allow.
        cost: At the prices in the settings; None if no price is set.
    """

    source: str | None
    words: int
    sentences: int
    seconds: float
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    reused_calls: int
    over_budget: int
    cost: float | None


def estimates_record(
    estimates: Iterable[SourceEstimate], total: SourceEstimate, failures: Iterable[tuple[str, str]]
) -> Record:
    """``index --estimate --json``: ``estimates`` and ``total``, as :class:`SourceEstimate`, and ``failed``."""
    return {
        "estimates": [asdict(each) for each in estimates],
        "total": asdict(total),
        "failed": _failure_records(failures),
    }


def list_record(entries: Iterable["Entry"]) -> Record:
    """``list --json``: ``documents``, oldest first."""
    return {"documents": [_entry_record(entry) for entry in entries]}


def tagging_record(entries: Iterable["Entry"]) -> Record:
    """``tag --json``: ``documents``, the entries after the change."""
    return list_record(entries)


def transfer_record(path: str, n_documents: int, n_known: int = 0) -> Record:
    """``export --json`` and ``import --json``: the file, documents written, and documents that were there already."""
    return {"file": path, "documents": n_documents, "known": n_known}


def removal_record(entries: Iterable["Entry"]) -> Record:
    """``remove --json``: ``removed``, the entries as ``list`` showed them."""
    return {"removed": [_entry_record(entry) for entry in entries]}


def recipes_record(recipes: Iterable["Recipe"]) -> Record:
    """``list --recipes --json``: ``recipes``."""
    return {"recipes": [recipe_record(recipe) for recipe in recipes]}


def recipe_record(recipe: "Recipe") -> Record:
    """One recipe.

    Fields:
        name: Its name on the command line.
        units, tree, notes: Leaves of the tree, its shape, and the text of inner nodes.
        scores: ``dense``, ``bm25``, or both joined by ``+``.
        chunk_trees, graph, plan: What structures the retrieved passages; ``none`` if nothing does.
        is_reranked: Whether a reranker reads the best passages again.
    """
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


def explanation_record(report: "Report") -> Record:
    """What a reader made of a source.

    Fields:
        source, format, encoding, title, language: Texts; ``encoding`` is null for binary formats.
        pages, words, sentences, longest_sentence_words: Counts.
        paragraphs: Count per kind of paragraph.
        outline: Headings as ``{"level", "title", "start"}``.
        notes: What was repaired or left out.
    """
    return {
        "source": report.source,
        "format": report.format,
        "encoding": report.encoding,
        "title": report.title,
        "language": report.language,
        "pages": report.n_pages,
        "words": report.n_words,
        "sentences": report.n_sentences,
        "paragraphs": {str(kind): n for kind, n in report.n_paragraphs},
        "outline": [{"level": level, "title": title, "start": start} for level, title, start in report.outline],
        "longest_sentence_words": report.n_longest_words,
        "notes": list(report.notes),
    }


def _spending_record(spending: "Spending", price: "Price | None") -> Record:
    """Calls of a language model.

    Fields:
        calls, reused, over_budget: Requests made, taken from an earlier run, and left out because of the budget.
        misfits: Replies that did not fit the format asked for, first attempts included.
        rejected, rejected_by: Jobs without a valid reply, and how many by reason.
        prompt_tokens, completion_tokens, cost: ``cost`` is null if no price is set.
    """
    return {
        "calls": spending.n_calls,
        "reused": spending.n_reused,
        "misfits": spending.n_rejected_replies,
        "rejected": spending.rejected.total(),
        "rejected_by": dict(spending.rejected),
        "over_budget": spending.n_over_budget,
        "prompt_tokens": spending.prompt_tokens,
        "completion_tokens": spending.completion_tokens,
        "cost": price.of(spending.prompt_tokens, spending.completion_tokens) if price else None,
    }


def _report_record(report: "IndexReport") -> Record:
    """One indexed source.

    Fields:
        document, source: Id; path as the store knows it.
        outcome: ``new``, ``updated`` or ``unchanged``.
        words, units: Words and leaves; 0 if nothing had to be read.
        notes: Count of inner nodes' notes per origin.
        misfits: Count of rejected notes per reason.
        notes_kept: Notes taken from the source's previous index.
        seconds: Wall time.
    """
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


def _failure_records(failures: Iterable[tuple[str, str]]) -> list[Record]:
    return [{"source": source, "error": reason} for source, reason in failures]


def _entry_record(entry: "Entry") -> Record:
    """One document of the store.

    Fields:
        document, title, language: Id, title, ISO 639-1 code.
        sources: Every source with this content.
        words, units: Words, and leaves of its newest index.
        indexed_at: Seconds since the epoch, UTC.
        size: Bytes of its newest source; 0 if it has none.
        metadata: Author, date, tags and other keys, each with a list of values.
    """
    return {
        "document": entry.id,
        "title": entry.shown_title,
        "language": entry.language,
        "sources": list(entry.sources),
        "words": entry.n_words,
        "units": entry.n_units,
        "indexed_at": entry.indexed_at,
        "size": entry.n_bytes,
        "metadata": {key: list(values) for key, values in entry.metadata.items()},
    }
