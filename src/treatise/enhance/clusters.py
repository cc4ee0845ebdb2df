"""Notes for clusters: RAPTOR's summaries, through the same calls, cache and budget as those of trees."""

from collections.abc import Sequence
from dataclasses import dataclass

from treatise.core.note import Note, Origin, fallback_reason, note_key
from treatise.core.recipe import Notes
from treatise.core.words import joined, n_words
from treatise.enhance.jobs import NotePrompts
from treatise.llm.runner import LlmRunner


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """What one cluster is made from.

    Attributes:
        notes: Of its members, in order.
        units: All units below, ascending.
        central: The same units, nearest to the middle of the cluster first.
    """

    notes: Sequence[Note]
    units: tuple[int, ...]
    central: Sequence[int]


def write_cluster_notes(
    gathered: Sequence[ClusterRequest], texts: Sequence[str], notes: Notes, writer: LlmRunner | None
) -> list[Note]:
    """One note a cluster; ``texts`` are those of the document's units.

    Where a model writes none, the most central units stand for the cluster.
    """
    if writer is None:
        return [_extract(one, texts, notes.nucleus_words, Origin.NUCLEUS) for one in gathered]
    asking = NotePrompts(writer.model, notes.max_words, notes.prompt_version)
    jobs = [asking.cluster(one.notes) for one in gathered]
    outcomes = writer.run(jobs)
    written = []
    for one, job in zip(gathered, jobs, strict=True):
        outcome = outcomes[job.key]
        if outcome is not None and outcome.texts:
            written.append(Note(outcome.texts[0], Origin.SUMMARY, one.units, job.key))
        else:
            written.append(_extract(one, texts, notes.nucleus_words, *fallback_reason(outcome)))
    return written


def _extract(
    one: ClusterRequest, texts: Sequence[str], max_words: int, origin: Origin, rejection_reason: str = ""
) -> Note:
    chosen: list[int] = []
    left = max_words
    for unit in one.central:
        left -= n_words(texts[unit])
        if left < 0 and chosen:
            break
        chosen.append(unit)
    chosen.sort()
    quoted = [texts[unit] for unit in chosen]
    return Note(joined(quoted), origin, tuple(chosen), note_key(origin, *quoted), rejection_reason)
