"""Text on notes: how many were written or quoted, and what they cost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from treatise.core.plurals import counted

if TYPE_CHECKING:
    from treatise.core.note import Note
    from treatise.llm.budget import Price, Spending
    from treatise.pipeline.reports import ChunkReport, IndexReport

_ORIGINS: Final = {
    "summary": "written by the model",
    "merged": "merged",
    "nucleus": "quoted by nuclearity",
    "over-budget": "quoted, over budget",
    "rejected": "quoted, reply invalid",
}
"""Phrases for the origins of notes, in the order of output; the reasons follow the last one."""

_FALLBACKS: Final = {"over-budget", "rejected"}
"""Origins of quotations that replace a note that a model should have written."""


def fallback_text(note: "Note") -> str:
    """Why a quotation replaces a note that a model should have written; empty for other notes."""
    if note.origin not in _FALLBACKS:
        return ""
    return f"{_ORIGINS[note.origin]}{f': {note.rejection_reason}' if note.rejection_reason else ''}"


def notes_text(report: "IndexReport") -> str:
    """Counts of a document's notes by origin; empty if it has none."""
    counts = [f"{report.notes[origin]:,} {words}" for origin, words in _ORIGINS.items() if origin in report.notes]
    why = f" ({rejections_text(report.rejections)})" if report.rejections else ""
    why += "; index --retry tries again" if _FALLBACKS & report.notes.keys() else ""
    kept = f"; {report.n_kept:,} of {sum(report.notes.values()):,} unchanged" if report.n_kept else ""
    return f"notes: {', '.join(counts)}{why}{kept}" if counts else ""


def rejections_text(rejections: Mapping[str, int]) -> str:
    """Counts of rejection reasons, the most frequent first."""
    return ", ".join(f"{n:,} {reason}" for reason, n in sorted(rejections.items(), key=lambda one: (-one[1], one[0])))


def chunks_text(chunks: "ChunkReport | None") -> str:
    """How many chunks have a tree; empty if the recipe parses no chunks."""
    if chunks is None or not chunks.n_chunks:
        return ""
    return f"trees: {chunks.n_trees:,} of {counted(chunks.n_chunks, 'chunk')}"


def spending_of(reports: "Sequence[IndexReport]", chunks: "ChunkReport | None" = None) -> "Spending":
    """Total of the reports and of the trees of chunks; documents indexed together share one ``Spending``."""
    from treatise.llm.budget import Spending

    accounts = [*{id(report.spending): report.spending for report in reports}.values()]
    accounts += [chunks.spending] if chunks else []
    return Spending(
        n_calls=sum(one.n_calls for one in accounts),
        n_reused=sum(one.n_reused for one in accounts),
        rejected=sum((one.rejected for one in accounts), Counter()),
        n_over_budget=sum(one.n_over_budget for one in accounts),
        prompt_tokens=sum(one.prompt_tokens for one in accounts),
        completion_tokens=sum(one.completion_tokens for one in accounts),
        n_rejected_replies=sum(one.n_rejected_replies for one in accounts),
    )


def spending_text(spending: "Spending", price: "Price | None") -> str:
    """Calls and tokens in one line; empty if the model was not needed."""
    if not (spending.n_calls or spending.n_reused or spending.n_over_budget):
        return ""
    parts = [f"{counted(spending.n_calls, 'call')}", f"{spending.n_reused:,} reused"]
    parts += [f"{spending.n_over_budget:,} over budget"] if spending.n_over_budget else []
    parts += [f"{spending.n_rejected_replies:,} with an invalid reply"] if spending.n_rejected_replies else []
    given_up = f"{spending.rejected.total():,} given up ({rejections_text(spending.rejected)})"
    parts += [given_up] if spending.rejected else []
    return f"model: {', '.join(parts)}; {tokens_text(spending, price)}"


def tokens_text(spending: "Spending", price: "Price | None") -> str:
    """Tokens, and their cost if a price is set."""
    cost = f", cost {price.of(spending.prompt_tokens, spending.completion_tokens):,.4f}" if price else ""
    return f"{spending.prompt_tokens:,} prompt and {spending.completion_tokens:,} completion tokens{cost}"
