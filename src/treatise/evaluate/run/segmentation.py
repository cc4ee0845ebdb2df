"""Evaluates thematic sections against human-annotated ones: Pk and WindowDiff.

A text is a sequence of units (turns of a meeting, sentences of a story) with the indices of section starts.
"""

import csv
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.errors import DataError
from treatise.core.ports import Encoder, Sectioner
from treatise.core.printable import encodable
from treatise.core.vectors import Floats
from treatise.core.words import n_words
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.metrics.segmentation import pk, window_diff
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.ingest import read_bytes

SEED: Final = 0
METRICS: Final = {"pk": pk, "window_diff": window_diff}
"""Error metrics, 0 to 1; lower is better."""


@dataclass(frozen=True, slots=True)
class Segmented:
    """A text with gold sections.

    Attributes:
        name: Name of the text.
        units: Its turns or sentences, in order.
        starts: Indices of the units at which sections begin: ascending, from 0.
    """

    name: str
    units: tuple[str, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """One sectioner on one metric, in percent; lower is better.

    Attributes:
        sectioner, metric: Their names.
        n: Number of texts.
        n_sections: Mean number of sections found.
        mean, low, high: Mean with its 95 % interval over texts.
        difference, difference_low, difference_high: Difference to the first sectioner on the same texts, with its
            interval.
    """

    sectioner: str
    metric: str
    n: int
    n_sections: float
    mean: float
    low: float
    high: float
    difference: float
    difference_low: float
    difference_high: float


class Random:
    """A ``Sectioner`` with random boundaries, seeded by the text: the chance baseline."""

    @property
    def name(self) -> str:
        """A constant."""
        return "random"

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """See ``Sectioner.starts``."""
        del vectors, language
        drawn = random.Random(f"{SEED} {texts[0]} {len(texts)}").sample(
            range(1, len(texts)), min(n_sections, len(texts)) - 1
        )
        return [0, *sorted(drawn)]


def load_meetings(path: Path) -> Iterator[Segmented]:
    """QMSum's meetings with the turns at which the topics of ``topic_list`` begin."""
    for number, record in enumerate(read_records(path), start=1):
        name = record.text_or_empty("meeting_id") or f"meeting-{number}"
        meeting = record.at(f"meeting {name}")
        turns = [f"{turn.text('speaker')}: {turn.text('content')}" for turn in meeting.objects("meeting_transcripts")]
        firsts = {first for topic in meeting.objects("topic_list") for first, _ in topic.pairs("relevant_text_span")}
        if turns:
            yield Segmented(name, tuple(turns), tuple(sorted({0, *(at for at in firsts if at < len(turns))})))


def load_stories(path: Path) -> Iterator[Segmented]:
    """FairytaleQA's stories, sentence by sentence, with the sentences at which its sections begin."""
    for record in read_records(path):
        story = record.at(f"story {record.text('story_name')}")
        units: list[str] = []
        starts = []
        for section in story.objects("sections"):
            sentences = _sentences(section)
            if sentences:
                starts.append(len(units))
                units += sentences
        if units:
            yield Segmented(story.text("story_name"), tuple(units), tuple(starts))


TEXTS: Final[Mapping[str, Callable[[Path], Iterator[Segmented]]]] = {
    "qmsum": load_meetings,
    "fairytaleqa": load_stories,
}
"""The data sets with gold sections, by name."""


def load_segmented(dataset: str, path: Path, limit: int | None = None) -> list[Segmented]:
    """The texts of a file.

    Raises:
        DataError: If the data set has no gold sections, or the file has another format or no text.
    """
    if dataset not in TEXTS:
        raise DataError(f"the sections of {dataset!r} are not known (they are of: {', '.join(TEXTS)})")
    texts = [one for one in islice(TEXTS[dataset](path), limit) if len(one.units) > 1]
    if not texts:
        raise DataError(f"{path}: expected texts of several units, found none")
    return texts


def measure(
    texts: Sequence[Segmented], sectioners: Sequence[Sectioner], encoder: Encoder, *, section_words: int = 0
) -> list[Score]:
    """Each sectioner's scores; the first is the baseline. With ``section_words`` 0 they get the true number of
    sections, else the number of sections of that length in the text.
    """
    values: dict[tuple[str, str], list[float]] = {(s.name, m): [] for s in sectioners for m in METRICS}
    counts: dict[str, list[int]] = {one.name: [] for one in sectioners}
    for text in texts:
        vectors = encoder.encode(text.units)
        n_sections = len(text.starts)
        if section_words:
            n_sections = max(1, round(sum(map(n_words, text.units)) / section_words))
        for one in sectioners:
            found = one.starts(text.units, vectors, n_sections)
            counts[one.name].append(len(found))
            for metric, score in METRICS.items():
                values[one.name, metric].append(100 * score(_edges(text.starts, text), _edges(found, text)))
    return [
        _score(name, metric, of_texts, values[sectioners[0].name, metric], counts[name])
        for (name, metric), of_texts in values.items()
    ]


def as_markdown(scores: Sequence[Score]) -> str:
    """One row per sectioner, with both metrics and their differences to the first."""
    lines = ["| sectioner | sections | pk | Δ pk | WindowDiff | Δ WindowDiff |", "|---|--:|---|---|---|---|"]
    first = scores[0].sectioner
    for name in dict.fromkeys(score.sectioner for score in scores):
        of_name = [score for score in scores if score.sectioner == name]
        cells = [part for score in of_name for part in _cells(score, is_first=name == first)]
        lines.append(f"| {name} | {of_name[0].n_sections:.1f} | {' | '.join(cells)} |")
    note = f"{scores[0].n} texts; percent, less is better, [95 % interval over texts]; Δ: to {first}."
    return "\n".join([*lines, "", note, ""])


def as_csv(scores: Sequence[Score]) -> str:
    """The scores with one line per sectioner and metric."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(Score.__slots__)
    table.writerows([getattr(score, name) for name in Score.__slots__] for score in scores)
    return text.getvalue()


def _cells(score: Score, *, is_first: bool) -> Iterator[str]:
    yield f"{score.mean:.1f} [{score.low:.1f}, {score.high:.1f}]"
    difference = f"{score.difference:+.1f} [{score.difference_low:+.1f}, {score.difference_high:+.1f}]"
    yield "" if is_first else difference


def _score(name: str, metric: str, values: list[float], baseline: list[float], counts: list[int]) -> Score:
    found, differences = np.array(values), np.array(values) - np.array(baseline)
    texts = np.arange(len(found))
    low, high = bootstrap_interval(found, texts, seed=SEED)
    difference_low, difference_high = bootstrap_interval(differences, texts, seed=SEED)
    return Score(
        sectioner=name,
        metric=metric,
        n=len(found),
        n_sections=float(np.mean(counts)),
        mean=float(found.mean()),
        low=low,
        high=high,
        difference=float(differences.mean()),
        difference_low=difference_low,
        difference_high=difference_high,
    )


def _edges(starts: Sequence[int], text: Segmented) -> list[bool]:
    """For each unit, whether it ends a section other than the last."""
    begins = set(starts)
    return [i + 1 in begins for i in range(len(text.units))]


def _sentences(section: Fields) -> list[str]:
    """The sentences of a section, which may be blank."""
    text = section.text("text")
    if not text.strip():
        return []
    document = read_bytes(encodable(text).encode(), name=section.where, format="text", language="en")
    return [document.quote(span.start, span.end) for spans in document.readable_sentences() for span in spans]
