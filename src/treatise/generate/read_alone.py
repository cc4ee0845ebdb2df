"""Passages of a library, each read alone after the title and headings of its document."""

from collections.abc import Sequence
from math import log
from typing import Final

from treatise.core.document import Document
from treatise.core.evidence import Passage
from treatise.core.ports import PassageReader
from treatise.core.span_answer import SpanAnswer

READER: Final = 0.75
"""Weight of a span's log score beside its passage's retrieval score, which counts standard deviations."""

_ABSENT: Final = -12.0  # log score of a passage in which the reader, reading it alone, has no span
_ALONE: Final = 10  # passages that are read alone, the best of those read together


def by_passage(reading: SpanAnswer, n_passages: int) -> list[float]:
    """What the best span of each passage is worth."""
    worth = [READER * _ABSENT] * n_passages
    for span in (*reading.spans, *reading.candidates):
        worth[span.passage] = max(worth[span.passage], READER * log(span.score))
    return worth


def read_alone(
    question: str,
    passages: Sequence[Passage],
    texts: Sequence[str],
    documents: dict[str, Document],
    reader: PassageReader,
    together: Sequence[float],
) -> list[float]:
    """What each passage gains by its best span if it is read alone, after its document's title and its headings.

    Only the best of those read ``together`` are read alone, since no other is ever chosen; the others gain as much as
    the least of these.
    """
    best = sorted(range(len(texts)), key=lambda at: -together[at])[:_ALONE]
    groups = [(_headings(documents[passages[at].document], passages[at].span.start), texts[at]) for at in best]
    gains = [READER * max(_ABSENT, _log_score(one)) for one in reader.read_each(question, groups)]
    of_best = dict(zip(best, gains, strict=True))
    return [of_best.get(at, min(gains)) for at in range(len(texts))]


def _headings(document: Document, start: int) -> str:
    """The title of a document and the headings above a character of it, each once."""
    return ": ".join(dict.fromkeys(filter(str.strip, (document.title, *document.section_path(start)))))


def _log_score(reading: SpanAnswer) -> float:
    """The log of the highest score of a span in the second of two passages; that of none is below all."""
    spans = (*reading.spans, *reading.candidates)
    return max((log(one.score) for one in spans if one.passage == 1), default=_ABSENT)
