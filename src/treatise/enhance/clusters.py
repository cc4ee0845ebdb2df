"""Notes for clusters: RAPTOR's summaries, through the same calls, cache and budget as those of trees."""

from collections.abc import Sequence
from dataclasses import dataclass

from treatise.core.note import Note, Origin, fallback_reason, note_key
from treatise.core.ports import Progress
from treatise.core.recipe import Notes
from treatise.core.words import joined, n_words
from treatise.enhance.requests import NotePrompts
from treatise.llm.runner import LlmRunner


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """A cluster that needs a note.

    Attributes:
        notes: Of its members, in order.
        units: All units below, ascending.
        central: The same units, nearest to the middle of the cluster first.
    """

    notes: Sequence[Note]
    units: tuple[int, ...]
    central: Sequence[int]


def write_cluster_notes(
    clusters: Sequence[ClusterRequest],
    texts: Sequence[str],
    notes: Notes,
    runner: LlmRunner | None,
    progress: Progress | None = None,
) -> list[Note]:
    """One note per cluster; ``texts`` are the document's units.

    Without a note by a model, the most central units are quoted. ``progress`` counts replies.
    """
    if runner is None:
        return [_extract(cluster, texts, notes.nucleus_words, Origin.NUCLEUS) for cluster in clusters]
    prompts = NotePrompts(runner.model, notes.max_words, notes.prompt_version)
    requests = [prompts.cluster(cluster.notes) for cluster in clusters]
    outcomes = runner.run(requests, progress)
    written = []
    for cluster, request in zip(clusters, requests, strict=True):
        outcome = outcomes[request.key]
        if outcome is not None and outcome.texts:
            written.append(Note(outcome.texts[0], Origin.SUMMARY, cluster.units, request.key))
        else:
            written.append(_extract(cluster, texts, notes.nucleus_words, *fallback_reason(outcome)))
    return written


def _extract(
    cluster: ClusterRequest, texts: Sequence[str], max_words: int, origin: Origin, rejection_reason: str = ""
) -> Note:
    chosen: list[int] = []
    left = max_words
    for unit in cluster.central:
        left -= n_words(texts[unit])
        if left < 0 and chosen:
            break
        chosen.append(unit)
    chosen.sort()
    quoted = [texts[unit] for unit in chosen]
    return Note(joined(quoted), origin, tuple(chosen), note_key(origin, *quoted), rejection_reason)
