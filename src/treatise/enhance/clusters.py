"""Notes for clusters: RAPTOR's summaries, through the same calls, cache and budget as those of trees."""

from collections.abc import Sequence
from dataclasses import dataclass

from treatise.core.note import Note, Origin, note_key, stood_for
from treatise.core.recipe import Notes
from treatise.core.words import joined, n_words
from treatise.enhance.calls import Writer
from treatise.enhance.jobs import Asking


@dataclass(frozen=True, slots=True)
class Gathered:
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
    gathered: Sequence[Gathered], texts: Sequence[str], notes: Notes, writer: Writer | None
) -> list[Note]:
    """One note a cluster; ``texts`` are those of the document's units.

    Where a model writes none, the most central units stand for the cluster.
    """
    if writer is None:
        return [_extract(one, texts, notes.nucleus_words, Origin.NUCLEUS) for one in gathered]
    asking = Asking(writer.model, notes.max_words, notes.prompt_version)
    jobs = [asking.cluster(one.notes) for one in gathered]
    outcomes = writer.run(jobs)
    written = []
    for one, job in zip(gathered, jobs, strict=True):
        outcome = outcomes[job.key]
        if outcome is not None and outcome.texts:
            written.append(Note(outcome.texts[0], Origin.SUMMARY, one.units, job.key))
        else:
            written.append(_extract(one, texts, notes.nucleus_words, *stood_for(outcome)))
    return written


def _extract(one: Gathered, texts: Sequence[str], max_words: int, origin: Origin, misfit: str = "") -> Note:
    chosen: list[int] = []
    left = max_words
    for unit in one.central:
        left -= n_words(texts[unit])
        if left < 0 and chosen:
            break
        chosen.append(unit)
    chosen.sort()
    quoted = [texts[unit] for unit in chosen]
    return Note(joined(quoted), origin, tuple(chosen), note_key(origin, *quoted), misfit)
