"""Sections by theme, for text without headings (HTSIR; Hearst 1997)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.ports import Parser
from treatise.core.tree import Join
from treatise.core.vectors import Floats, unit_rows

SMALLEST: Final = 0.25
"""Minimum length of a section, as a share of the mean."""

_REACH: Final = 1.5
"""Maximum distance of a cut from its place in an even division, in sections."""

Doubles = npt.NDArray[np.float64]


class Even:
    """A ``Sectioner`` that ignores content: sections of equal length, as far as the texts' boundaries allow."""

    @property
    def name(self) -> str:
        """A constant."""
        return "even"

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """See ``Sectioner.starts``."""
        del vectors, language
        return _even(_lengths(texts), n_sections)


class Cohesion:
    """A ``Sectioner`` that cuts where the vectors on both sides are least similar.

    The depth of a gap is the distance between the cosine of the mean vectors on its two sides and the nearest peaks
    to the left and right (TextTiling, on sentence vectors instead of word counts).

    Args:
        window: Length of a side, as a share of the mean section.
        evenness: Cost of a section twice as long as the mean, in standard deviations of the depths.
    """

    def __init__(self, window: float = 0.5, evenness: float = 3.0) -> None:
        self._window, self._evenness = window, evenness

    @property
    def name(self) -> str:
        """Kind and settings."""
        return f"cohesion-{self._window:g}-{self._evenness:g}"

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """See ``Sectioner.starts``."""
        del language
        lengths = _lengths(texts)
        side = self._window * lengths.sum() / max(1, n_sections)
        depths = _depths(_cosines_at_gaps(vectors, lengths, side))
        spread = float(depths.std()) if len(depths) else 0.0
        return best_cuts(depths / max(1e-9, spread), lengths, n_sections, self._evenness)


class DiscourseCuts:
    """A ``Sectioner`` that cuts at the highest splits of the discourse tree over the texts."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    @property
    def name(self) -> str:
        """Includes the parser's name."""
        return f"discourse {self._parser.name}"

    def starts(self, texts: Sequence[str], vectors: Floats, n_sections: int, language: str = "en") -> list[int]:
        """See ``Sectioner.starts``."""
        del vectors
        (tree,) = self._parser.parse_runs([texts], language)
        depths = np.zeros(len(tree.nodes), dtype=np.int64)
        for node in range(len(tree.nodes) - 2, -1, -1):
            depths[node] = depths[tree.parents[node]] + 1
        strengths = np.zeros(len(texts) - 1)
        for node, join in enumerate(tree.nodes):
            if isinstance(join, Join):
                strengths[tree.ranges[join.right, 0] - 1] = 1 / (1 + depths[node])
        return deepest(strengths, _lengths(texts), n_sections)


def best_cuts(strengths: Doubles, lengths: Doubles, n_sections: int, evenness: float) -> list[int]:
    """Starts of exactly ``n_sections`` sections (fewer if there are fewer texts), by dynamic programming.

    Maximises the sum of the strengths of the gaps, minus ``evenness`` times the squared relative deviations of the
    sections' lengths from the mean. No section is shorter than ``SMALLEST``, and the i-th cut is within ``_REACH``
    sections of its place in an even division, so that time is linear in the length of the text. If no division
    satisfies that, the result is the even one.
    """
    n_sections = min(n_sections, len(lengths))
    at = np.cumsum(lengths)[:-1] / (lengths.sum() / n_sections)
    totals, places = np.zeros(1), np.zeros(1)
    ways: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
    for i in range(1, n_sections):
        least, most = i - 1, len(at) - n_sections + i  # gaps needed by the cuts before and after this one
        low = int(np.clip(np.searchsorted(at, i - _REACH), least, most))
        high = int(np.clip(np.searchsorted(at, i + _REACH, side="right") - 1, low, most))
        gaps = np.arange(low, high + 1)
        departures = at[gaps][:, None] - places - 1
        scores = np.where(departures >= SMALLEST - 1, totals - evenness * departures**2, -np.inf)
        totals = scores.max(axis=1) + strengths[gaps]
        ways.append((gaps, scores.argmax(axis=1)))
        places = at[gaps]
    departures = n_sections - places - 1
    totals = np.where(departures >= SMALLEST - 1, totals - evenness * departures**2, -np.inf)
    best = int(np.argmax(totals))
    if not np.isfinite(totals[best]):  # for example, one text is as long as several sections
        return _even(lengths, n_sections)
    starts = []
    for gaps, before in reversed(ways):
        starts.append(int(gaps[best]) + 1)
        best = int(before[best])
    return [0, *reversed(starts)]


def deepest(strengths: Doubles, lengths: Doubles, n_sections: int) -> list[int]:
    """Starts of the sections: 0, and after the strongest gaps that leave no section shorter than ``SMALLEST``.

    ``strengths`` has one value per gap, so one less than ``lengths``. If too few gaps leave room, there are fewer
    sections. Ties are broken by position.
    """
    ends = np.cumsum(lengths)
    least = SMALLEST * ends[-1] / max(1, n_sections)
    edges = [0.0, float(ends[-1])]
    starts = [0]
    for gap in np.argsort(-strengths, kind="stable"):
        if len(starts) >= n_sections:
            break
        at = int(np.searchsorted(edges, ends[gap]))
        if ends[gap] - edges[at - 1] >= least and edges[at] - ends[gap] >= least:
            edges.insert(at, float(ends[gap]))
            starts.append(int(gap) + 1)
    return sorted(starts)


def _even(lengths: Doubles, n_sections: int) -> list[int]:
    """Starts of sections of equal length, each at the nearest text."""
    ends = np.cumsum(lengths)
    n_sections = min(n_sections, len(lengths))
    starts = [0]
    for i in range(1, n_sections):
        nearest = int(np.argmin(np.abs(ends - ends[-1] * i / n_sections))) + 1
        starts.append(min(max(nearest, starts[-1] + 1), len(lengths) - n_sections + i))
    return starts


def _lengths(texts: Sequence[str]) -> Doubles:
    """In characters, which suits every script; at least 1 each."""
    return np.array([max(1, len(text)) for text in texts], dtype=np.float64)


def _cosines_at_gaps(vectors: Floats, lengths: Doubles, side: float) -> Doubles:
    """Cosine of the length-weighted means on the two sides of each gap. Shape ``(n - 1,)``."""
    ends = np.cumsum(lengths)
    running = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors * lengths[:, None], axis=0)])
    gaps = np.arange(1, len(lengths))
    first = np.minimum(np.searchsorted(ends, ends[gaps - 1] - side, side="right"), gaps - 1)
    last = np.maximum(np.searchsorted(ends, ends[gaps - 1] + side, side="left") + 1, gaps + 1).clip(max=len(lengths))
    before = unit_rows((running[gaps] - running[first]).astype(np.float32))
    after = unit_rows((running[last] - running[gaps]).astype(np.float32))
    cosines: Doubles = np.einsum("ij,ij->i", before, after).astype(np.float64)
    return cosines


def _depths(cosines: Doubles) -> Doubles:
    """Distance of each value from the peaks reached by climbing to the left and right."""
    left = _peaks(cosines)
    right = _peaks(cosines[::-1])[::-1]
    return left + right - 2 * cosines


def _peaks(values: Doubles) -> Doubles:
    """The peak reached from each value by climbing to the left."""
    peaks = values.copy()
    for i, (before, here) in enumerate(pairwise(values), 1):
        peaks[i] = peaks[i - 1] if before >= here else here
    return peaks
