"""Near-duplicates among documents, by sketches of their wording (Broder 1997): the smallest hashes of runs of words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import UNSPACED_CHARACTER

N_HASHES: Final = 128
"""Hashes of a sketch: a resemblance of one half is estimated within about .09 (95 %)."""

RUN: Final = 4
"""Words of a run."""

LEAST: Final = 0.6
"""Resemblance from which two documents are near-duplicates."""

_MAX_SHARED: Final = 50
"""A run in more documents than this is a form, and suggests no pair."""

_WORD: Final = lazy_pattern(rf"{UNSPACED_CHARACTER}|(?:(?!{UNSPACED_CHARACTER})\w)+")
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)

Sketch = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """Two documents that have most of their wording in common.

    Attributes:
        first, second: Their ids.
        resemblance: Estimated share of runs of four words that both have among all that either has, 0 to 1.
    """

    first: str
    second: str
    resemblance: float


def sketch(text: str) -> Sketch:
    """The smallest hashes of the text's runs of words, ascending, at most ``N_HASHES``; none of a text without words.

    Case, punctuation and white space do not count.
    """
    words = _WORD.findall(text.casefold())
    codes = np.array([crc32(word.encode("utf-8", "surrogatepass")) for word in words], dtype=np.uint64)
    length = min(RUN, len(codes))
    n_runs = len(codes) - length + 1 if length else 0
    hashes = np.zeros(n_runs, dtype=np.uint64)
    for place in range(length):
        hashes = (hashes ^ codes[place : place + n_runs]) * _MULTIPLIER
        hashes ^= hashes >> np.uint64(29)
    smallest: Sketch = np.unique(hashes)[:N_HASHES]
    return smallest


def resemblance(one: Sketch, other: Sketch) -> float:
    """The share of common runs among all of both texts, estimated from their sketches; 0 if either has no words."""
    if not len(one) or not len(other):
        return 0.0
    smallest = np.union1d(one, other)[:N_HASHES]
    return float(np.isin(smallest, np.intersect1d(one, other)).mean())


def near_duplicates(sketches: Mapping[str, Sketch]) -> list[NearDuplicates]:
    """The pairs of documents with a resemblance of ``LEAST`` or more, the most alike first; ``sketches`` are by id."""
    ids = list(sketches)
    found = [
        NearDuplicates(ids[one], ids[other], alike)
        for one, other in _suggested(list(sketches.values()))
        if (alike := resemblance(sketches[ids[one]], sketches[ids[other]])) >= LEAST
    ]
    return sorted(found, key=lambda pair: (-pair.resemblance, ids.index(pair.first), ids.index(pair.second)))


def _suggested(sketches: Sequence[Sketch]) -> list[tuple[int, int]]:
    """The pairs with a hash in common that few others have."""
    if not sketches:
        return []
    hashes = np.concatenate(sketches)
    owners = np.repeat(np.arange(len(sketches)), [len(one) for one in sketches])
    order = np.argsort(hashes, kind="stable")
    bounds = np.flatnonzero(np.diff(hashes[order])) + 1
    pairs: Counter[tuple[int, int]] = Counter()
    for group in np.split(owners[order], bounds):
        if 1 < len(group) <= _MAX_SHARED:
            pairs.update(combinations(group.tolist(), 2))
    return [pair for pair, n_common in pairs.items() if n_common > 1 or len(sketches[pair[0]]) < N_HASHES]
