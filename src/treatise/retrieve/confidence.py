"""Calibrated probability that documents answer a question, from the scores of their best sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.corpus import CorpusStatistics, Scale
from treatise.core.evidence import Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Indexing, Sentences
from treatise.core.vectors import Floats
from treatise.retrieve.lexical import coverage


@dataclass(frozen=True, slots=True)
class Signals:
    """The inputs of the estimate.

    Attributes:
        best: Highest cosine of a leaf, or of a sentence of the evidence, with the question.
        mean: Mean of the five highest.
        stands_out: Distance of the highest from the mean of all, in standard deviations.
        coverage: Share of the question's rarity (sum of idf) covered by words of the evidence, 0 to 1.
    """

    best: float
    mean: float
    stands_out: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic model over the signals."""

    intercept: float
    best: float
    mean: float
    stands_out: float
    coverage: float


# Fitted by `benchmarks/confidence.py` on QASPER and FairytaleQA train, checked on dev (docs/log/retrieval.md). All
# three are calibrated probabilities, so one threshold serves every recipe.
CALIBRATION: Final = Calibration(-6.55, 14.08, -4.23, -0.11, 4.09)
"""If the leaves are sentences."""

OF_CHUNKS: Final = Calibration(-5.51, 17.12, -7.31, -0.46, 3.64)
"""If the leaves are chunks."""

IN_CHUNKS: Final = Calibration(-8.43, 9.73, 3.25, 0.34, 3.20)
"""For the sentences of the retrieved chunks."""


@dataclass(frozen=True, slots=True)
class Recalibration:
    """A logistic model over the log odds of a confidence and the share of the question's terms that no text has."""

    intercept: float
    log_odds: float
    unknown: float


# Fitted to questions of XQuAD, JaQuAD and CMRC 2018 on their articles (docs/log/answers.md): the encoder that ships was
# trained on English.
SPACED: Final = Recalibration(-0.18, 0.55, -0.93)
"""For languages other than English."""

UNSPACED: Final = Recalibration(1.17, 0.26, -2.42)
"""For languages without spaces between words, whose terms are pairs of characters."""


MULTILINGUAL: Final = -0.88
"""What an encoder of many languages takes from the log odds: its cosines are higher than those of the English one."""


def recalibrated(probability: float, unknown: float, *, unspaced: bool, multilingual: bool = False) -> float:
    """The confidence in another language; ``unknown`` is the share of the question's terms that no document has."""
    fit = UNSPACED if unspaced else SPACED
    bounded = min(max(probability, 1e-3), 1 - 1e-3)
    total = fit.intercept + fit.log_odds * math.log(bounded / (1 - bounded)) + fit.unknown * unknown
    total += MULTILINGUAL if multilingual else 0.0
    return 1 / (1 + math.exp(-total))


def measure(
    indexed: Sequence[IndexedDocument],
    nearness: Sequence[Floats],
    question: str,
    passages: Sequence[Passage],
    corpus: CorpusStatistics | None = None,
) -> Signals:
    """The signals of one question; ``nearness`` are its cosines with the nodes of each document.

    With ``corpus``, its best leaf stands out from all leaves of the library.
    """
    leaves = np.concatenate([of_nodes[one.tree.leaf_nodes] for one, of_nodes in zip(indexed, nearness, strict=True)])
    return signals_of(leaves, indexed, question, passages, corpus.cosines if corpus else None)


def signals_of(
    cosines: Floats,
    indexed: Sequence[IndexedDocument],
    question: str,
    passages: Sequence[Passage],
    scale: Scale | None = None,
) -> Signals:
    """The signals of one question, from its cosines with leaves or sentences (at least one), on their own scale or on
    that of a library.
    """
    top = np.sort(cosines)[::-1][:5]
    among = scale or Scale(cosines.mean(), float(cosines.std()))
    stands_out = float(top[0] - among.mean) / among.deviation if among.deviation > 1e-6 else 0.0
    share = max(_covered(one, question, passages) for one in indexed)
    return Signals(float(top[0]), float(top.mean()), stands_out, share)


def calibration_of(indexing: Indexing) -> Calibration:
    """The calibration for the leaves of such an index."""
    return CALIBRATION if isinstance(indexing.units, Sentences) else OF_CHUNKS


def _covered(indexed: IndexedDocument, question: str, passages: Sequence[Passage]) -> float:
    """Share of the question's rarity covered by words of this document's passages, 0 to 1."""
    return coverage(indexed.lexicon, question, _units_of(indexed, passages), indexed.document.language)


def confidence(signals: Signals, calibration: Calibration = CALIBRATION) -> float:
    """Probability, 0 to 1, that the evidence answers the question."""
    total = (
        calibration.intercept
        + calibration.best * signals.best
        + calibration.mean * signals.mean
        + calibration.stands_out * signals.stands_out
        + calibration.coverage * signals.coverage
    )
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))


def _units_of(indexed: IndexedDocument, passages: Sequence[Passage]) -> list[int]:
    starts, _ = indexed.offsets
    mine = (passage.span.start for passage in passages if passage.document == indexed.document.id)
    return [int(unit) for unit in np.searchsorted(starts, list(mine))]
