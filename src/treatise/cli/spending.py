"""What notes came to and what they cost, in words and as JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from treatise.cli.output import counted

if TYPE_CHECKING:
    from treatise.core.note import Note
    from treatise.llm.budget import Price, Spending
    from treatise.pipeline.reports import ChunkReport, IndexReport

_ORIGINS: Final = {
    "summary": "written by the model",
    "merged": "merged",
    "nucleus": "quoted by nuclearity",
    "over-budget": "quoted, being over the ceiling",
    "rejected": "quoted, no reply having fitted",
}
"""How notes came about, in the order in which they are told; rejected ones last, since their rejections follow."""

_STAND_INS: Final = {"over-budget", "rejected"}
"""Origins of sentences that stand for a note which a model was to write."""


def stands_for(note: "Note") -> str:
    """Why sentences stand for a note that a model was to write; empty where none do."""
    if note.origin not in _STAND_INS:
        return ""
    return f"{_ORIGINS[note.origin]}{f': {note.rejection_reason}' if note.rejection_reason else ''}"


def notes_text(report: "IndexReport") -> str:
    """How many notes of a document came about how; empty where it has none."""
    told = [f"{report.notes[origin]:,} {words}" for origin, words in _ORIGINS.items() if origin in report.notes]
    why = f" ({rejections_text(report.rejections)})" if report.rejections else ""
    why += "; index --retry asks again" if _STAND_INS & report.notes.keys() else ""
    kept = f"; {report.n_kept:,} of {sum(report.notes.values()):,} as before" if report.n_kept else ""
    return f"notes: {', '.join(told)}{why}{kept}" if told else ""


def rejections_text(rejections: Mapping[str, int]) -> str:
    """Why replies were refused, the most frequent reason first."""
    return ", ".join(
        f"{n:,} {rejection_reason}"
        for rejection_reason, n in sorted(rejections.items(), key=lambda one: (-one[1], one[0]))
    )


def chunks_text(chunks: "ChunkReport | None") -> str:
    """How many chunks have a tree; empty where the recipe wants none."""
    if chunks is None or not chunks.n_chunks:
        return ""
    return f"trees: {chunks.n_trees:,} of {counted(chunks.n_chunks, 'chunk')}"


def spending_of(reports: "Sequence[IndexReport]", chunks: "ChunkReport | None" = None) -> "Spending":
    """All that the reports cost, and the trees of chunks; documents that were indexed together share one account."""
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
    """Calls and tokens in a line; empty where the model had nothing to do."""
    if not (spending.n_calls or spending.n_reused or spending.n_over_budget):
        return ""
    parts = [f"{counted(spending.n_calls, 'call')} made", f"{spending.n_reused:,} reused"]
    parts += [f"{spending.n_over_budget:,} over the ceiling"] if spending.n_over_budget else []
    parts += [f"{spending.n_rejected_replies:,} with a reply that did not fit"] if spending.n_rejected_replies else []
    given_up = f"{spending.rejected.total():,} given up ({rejections_text(spending.rejected)})"
    parts += [given_up] if spending.rejected else []
    return f"model: {', '.join(parts)}; {tokens_text(spending, price)}"


def tokens_text(spending: "Spending", price: "Price | None") -> str:
    """Tokens, and what they cost where there is a price."""
    cost = f", cost {price.of(spending.prompt_tokens, spending.completion_tokens):,.4f}" if price else ""
    return f"{spending.prompt_tokens:,} prompt and {spending.completion_tokens:,} completion tokens{cost}"


def spending_record(spending: "Spending", price: "Price | None") -> dict[str, object]:
    """The same as JSON."""
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
